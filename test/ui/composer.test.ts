import { describe, expect, test } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';
import { show } from './show';
import { stage } from './stage';
import { text, Told } from './told';
import { render } from 'vitest-browser-svelte';
import type { Draft } from '../../src/contracts/chat';
import { textOf } from '../../src/contracts/message-parts';
import App from '../../src/ui/App.svelte';
import { slow } from '../support/matrix';

test('Enter sends the text and empties the message box', async () => {
  const { screen, message, script } = await show();
  await expect.element(message).toHaveFocus();
  await message.fill('What is 17 * 23?');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('article', { name: 'You' })).toHaveTextContent('What is 17 * 23?');
  await expect.element(message).toHaveValue('');
  expect(script.histories).toHaveLength(1);
});

slow('the Send button sends text, but not an empty message', async () => {
  const { screen, message } = await show();
  const send = screen.getByRole('button', { name: 'Send' });
  await expect.element(send).toBeDisabled();
  await message.fill(' \n ');
  await expect.element(send).toBeDisabled();
  await message.fill('Hi');
  await send.click();
  await expect.element(screen.getByRole('article', { name: 'You' })).toHaveTextContent('Hi');
});

slow('Shift+Enter adds a new line and sends nothing', async () => {
  const { message, script } = await show();
  await message.click();
  await userEvent.keyboard('one{Shift>}{Enter}{/Shift}two');
  await expect.element(message).toHaveValue('one\ntwo');
  expect(script.histories).toHaveLength(0);
});

interface Browser {
  send: (method: string, parameters: Record<string, unknown>) => Promise<unknown>;
}

slow('Enter does not send the text when it confirms a word in an input method', async () => {
  const { message, script } = await show();
  await message.click();
  // A composition like that of an input method: the browser itself marks its keys.
  const browser = cdp() as unknown as Browser;
  await browser.send('Input.imeSetComposition', { text: '你好', selectionStart: 2, selectionEnd: 2 });
  await expect.element(message).toHaveValue('你好');
  await userEvent.keyboard('{Enter}');
  expect(script.histories).toHaveLength(0);
  await browser.send('Input.insertText', { text: '你好' });
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => script.histories.length).toBe(1);
});

test('Enter does not send the text right after an input method closes, as in Safari', async () => {
  const { message, script } = await show();
  await message.fill('你好');
  const box = message.element();
  box.dispatchEvent(new CompositionEvent('compositionend', { data: '你好', bubbles: true }));
  box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  await expect.element(message).toHaveValue('你好');
  expect(script.histories).toHaveLength(0);
});

describe('while a turn runs', () => {
  test('the Stop button replaces the Send button until the turn ends', async () => {
    const { screen, message, script } = await show();
    const stop = screen.getByRole('button', { name: 'Stop' });
    await expect.element(stop).not.toBeInTheDocument();
    await message.fill('Hi');
    await userEvent.keyboard('{Enter}');
    await expect.element(stop).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Send' })).not.toBeInTheDocument();
    script.end('answered', [{ type: 'text', text: 'Hello' }]);
    await expect.element(stop).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Send' })).toBeVisible();
  });

  slow.for([
    { by: 'the Stop button', press: (stop: HTMLElement) => userEvent.click(stop) },
    { by: 'Escape', press: () => userEvent.keyboard('{Escape}') },
  ])('$by stops the turn and focuses the message box', async ({ press }) => {
    const { app, screen, message } = await show();
    await message.fill('Hi');
    await userEvent.keyboard('{Enter}');
    const stop = screen.getByRole('button', { name: 'Stop' });
    await expect.element(stop).toBeVisible();
    await press(stop.element() as HTMLElement);
    await expect.element(stop).not.toBeInTheDocument();
    expect(app.session?.isRunning).toBe(false);
    await expect.element(message).toHaveFocus();
  });
});

test('typing the first letter starts loading the model', async () => {
  const { calls, message } = await show();
  expect(calls).toEqual([]);
  await message.fill('W');
  expect(calls).toEqual([['load']]);
});

slow('a message sent before the chat has opened is sent as soon as it opens', async () => {
  const { app, script } = stage();
  const screen = await render(App, { app });
  const message = screen.getByRole('textbox', { name: 'Message' });
  await message.fill('Early');
  await userEvent.keyboard('{Enter}');
  await expect.element(message).toHaveValue('Early');
  await app.open('#/');
  await expect.poll(() => script.histories.length).toBe(1);
  await expect.element(screen.getByRole('article', { name: 'You' })).toHaveTextContent('Early');
});

slow('a draft from an earlier visit survives if the user types before it has loaded', async () => {
  let answer: (text: string) => void = () => undefined;
  const listUnbegunDrafts = () =>
    new Promise<Draft[]>(
      (resolve) => (answer = (text) => resolve([{ chatId: 'earlier', text, origins: [{ door: 'typed' }] }])),
    );
  const { app } = stage({ listUnbegunDrafts });
  const screen = await render(App, { app });
  const message = screen.getByRole('textbox', { name: 'Message' });
  const opened = app.open('#/');
  await message.fill('And now');
  answer('half a thought');
  await opened;
  await expect.element(message).toHaveValue('half a thought\nAnd now');

  await screen.getByRole('button', { name: 'Send' }).click();
  const next = app.open('#/');
  await message.fill('Asked at once');
  await screen.getByRole('button', { name: 'Send' }).click();
  answer('not to be lost');
  await next;
  await expect.element(message).toHaveValue('not to be lost');
});

slow('an example question is sent at once without replacing the draft', async () => {
  const { screen, message } = await show();
  await message.fill('half a thou');
  await screen.getByRole('button', { name: /17.5% of 2340/ }).click();
  await expect
    .element(screen.getByRole('article', { name: 'You' }))
    .toHaveTextContent('17.5% of 2340 and the time in Tokyo and New York');
  await expect.element(message).toHaveValue('half a thou');
  await expect.element(message).toHaveFocus();
});

test('each chat keeps its own draft, and opening a new chat focuses the message box', async () => {
  const { app, screen, message } = await show();
  await message.fill('Asked');
  await userEvent.keyboard('{Enter}');
  await message.fill('to be asked');
  await screen.getByRole('button', { name: 'New chat' }).click();
  await expect.element(message).toHaveValue('');
  await expect.element(message).toHaveFocus();
  await app.open(`#/chat/${app.running[0]?.id ?? ''}`);
  await expect.element(message).toHaveValue('to be asked');
});

test('a chat that opens does not take the focus from another text field', async () => {
  const { screen } = await show(new Told().you('Hi').hearth([text('Hello.')]).chat);
  const elsewhere = document.createElement('textarea');
  document.body.append(elsewhere);
  await expect.element(screen.getByRole('article', { name: 'You' })).toBeVisible();
  const newChat = screen.getByRole('button', { name: 'New chat' });
  await expect.element(newChat).toBeVisible();
  (newChat.element() as HTMLElement).click();
  elsewhere.focus();
  await expect.element(screen.getByRole('article', { name: 'You' })).not.toBeInTheDocument();
  // The frame in which the chat would take the focus, and one more.
  for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(document.activeElement).toBe(elsewhere);
  elsewhere.remove();
});

test('text typed right after "New chat" goes to the new chat', async () => {
  const { app, screen, message } = await show(new Told().you('Hi').hearth([text('Hello')], 'answered').chat);
  const before = app.session;
  await expect.element(screen.getByText('Hello')).toBeVisible();
  const box = message.element() as HTMLTextAreaElement;
  const newChat = screen.getByRole('button', { name: 'New chat' });
  await expect.element(newChat).toBeVisible();
  (newChat.element() as HTMLElement).click();
  box.value = 'Next';
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await expect.element(screen.getByText('Hello')).not.toBeInTheDocument();
  await expect.element(message).toHaveValue('Next');
  expect(before?.draft).toBe('');
});

slow('a message that is too long for the model is reported before it is sent', async () => {
  const limitTokens = 100;
  const { screen, message } = await show({
    measureDraft: async (history) => {
      const written = history.at(-1);
      const promptTokens = written?.role === 'user' ? textOf(written.content).length / 10 : 0;
      return { promptTokens, limitTokens, droppedMessages: 0 };
    },
  });
  const note = screen.getByText('This is longer than Ember can read at once.', { exact: false });
  await message.fill('word '.repeat(300));
  await expect.element(note).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Send' })).toBeEnabled();
  await message.fill('word '.repeat(150));
  await expect.element(note).not.toBeInTheDocument();
});
