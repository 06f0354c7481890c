/** Row 4, installing: shares from another program, the notification of a long answer, and a new version. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { headlinesOf } from '../../scripts/changelog-headlines.js';
import { press, reach } from './keyboard-steps';
import type { Walk } from './row-walk';
import { turnEnds } from './site';
import { button, main } from './tour';

interface Away {
  isHidden: boolean;
  /** Milliseconds by which the page's clock is ahead. */
  ahead: number;
}
type Staged = typeof globalThis & { away: Away };

/** An init script: the user leaves when a test says so, and notifications are allowed. */
export function installAway(): void {
  const away: Away = { isHidden: false, ahead: 0 };
  Object.assign(globalThis, { away });
  const plain = performance.now.bind(performance);
  performance.now = () => plain() + away.ahead;
  Object.defineProperty(document, 'hidden', { get: () => away.isHidden });
  Object.defineProperty(Notification, 'permission', { get: () => 'default' });
  Notification.requestPermission = async () => 'granted';
}

const go = (page: Page, isHidden: boolean, ms = 0) =>
  page.evaluate(
    ({ isHidden, ms }) => {
      const { away } = globalThis as Staged;
      away.isHidden = isHidden;
      away.ahead += ms;
      document.dispatchEvent(new Event('visibilitychange'));
    },
    { isHidden, ms },
  );

/** Shares as the system does, through the service worker. */
const share = (page: Page, text: string) =>
  page.evaluate(async (text) => {
    const form = new FormData();
    form.set('text', text);
    form.append('files', new File(['name,height\nAr,42\n'], 'heights.csv', { type: 'text/csv' }));
    form.append('files', new File([new Uint8Array([0, 1, 2, 255, 254, 0])], 'odd.bin'));
    // eslint-disable-next-line no-restricted-globals -- the service worker takes it: it reaches no network.
    await fetch('share', { method: 'POST', body: form, redirect: 'manual' });
  }, text);

/** `folder` contains the site. */
export async function walkInstalling(walk: Walk, folder: string): Promise<void> {
  const { page, words, rest, box, see, hears, writesOn } = walk;
  const { files, servers, notices } = rest;
  const { news } = rest.command;
  await share(page, 'Read it: https://pages.example.com/story');
  await walk.reload();
  await expect.poll(() => box.inputValue()).toContain('Read it:');
  await main(page)
    .getByRole('button', { name: files.open('heights.csv') })
    .waitFor();
  await main(page)
    .getByText(/odd\.bin/)
    .first()
    .waitFor();
  await see('what another program shared');
  await press(button(main(page), servers.slash.remove(servers.slash.sharedText)));
  await expect.poll(() => box.inputValue()).toBe('');
  await writesOn();
  await see('what was shared is left out');
  await press(button(main(page), servers.slash.remove('heights.csv')));
  await press(button(main(page), files.dismiss('odd.bin')));

  await reach(box, 'Shift+Tab');
  await page.keyboard.insertText('script 20\nword {{repeat 60}}END');
  await page.keyboard.press('Enter');
  await main(page).getByRole('article').getByText('word word').first().waitFor();
  await go(page, true, 9000);
  await turnEnds(page, words.composer.stop);
  await go(page, false);
  await button(main(page), news.yes).waitFor();
  await hears(news.offer);
  await see('news of a long answer, offered');
  await press(button(main(page), news.yes), 'Shift+Tab');
  await button(main(page), news.yes).waitFor({ state: 'detached' });
  await writesOn();
  await see('news of a long answer, wanted');

  const worker = join(folder, 'service-worker.js');
  const headlines = headlinesOf(await readFile('CHANGELOG.md', 'utf8'));
  const known = headlines.find((headline) => /^[\w ]+$/.test(headline)) ?? '';
  const written = await readFile(worker, 'utf8');
  await writeFile(worker, written.replace(known, 'Lamps are lit by themselves'));
  await walk.reload();
  const update = button(main(page), notices.updateNow);
  await update.waitFor();
  await hears(notices.updatePhases.ready);
  await see('a new version');
  await reach(box, 'Shift+Tab');
  await page.keyboard.insertText('script 10\nword {{repeat 300}}END');
  await page.keyboard.press('Enter');
  await button(main(page), words.composer.stop).waitFor();
  await see('a new version beside an answer that is being written');
  await page.keyboard.press('Escape');
  await turnEnds(page, words.composer.stop);
  await press(update, 'Shift+Tab');
  await update.waitFor({ state: 'detached', timeout: 60_000 });
  await box.waitFor();
  await walk.takeUp();
  await see('the new version');
}
