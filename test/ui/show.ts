/** Shows the whole app on a page of a given size. */
import { onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../../src/ui/App.svelte';
import { stage } from './stage';

const desktop = [1280, 800] as const;
export const phone = [390, 844] as const;

/** Shows a chat with `nodes`, or a new chat if there are none. Links work as in the app. */
export async function show(
  options: Parameters<typeof stage>[0] & { size?: readonly [width: number, height: number] } = {},
) {
  await page.viewport(...(options.size ?? desktop));
  const staged = stage(options);
  const { app } = staged;
  // The height of the window, as in index.html.
  const target = document.createElement('div');
  target.id = 'app';
  document.body.append(target);
  // As in the app, the browser reports a new address later.
  const follow = () => void app.open(location.hash);
  app.services.setHash = (hash, isReplacing) => {
    if (!isReplacing) location.hash = hash;
    else {
      history.replaceState(null, '', hash);
      follow();
    }
  };
  addEventListener('hashchange', follow);
  onTestFinished(() => {
    target.remove();
    removeEventListener('hashchange', follow);
    history.replaceState(null, '', '#/');
    localStorage.clear();
    document.documentElement.removeAttribute('data-theme');
  });
  const chatId = options.nodes?.[0]?.chatId;
  await app.open(chatId === undefined ? '#/' : `#/chat/${chatId}`);
  const screen = await render(App, { target, props: { app } });
  return { ...staged, screen, message: screen.getByRole('textbox', { name: 'Message' }) };
}
