/** The page itself never scrolls, only parts of it do, at every width, with scrollbars that take up space. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkedScreens } from '../../src/state/route';
import { everyNth } from '../support/matrix';
import { ask, openSite, type Site, turnEnds } from './site';

let site: Site;

beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e', hasScrollbars: true });
  const { page } = site;
  const call = '<tool_call>{"name": "calculator", "arguments": {"expression": "1+"}}</tool_call>';
  await ask(page, `script\n${call}\n---\nNo.`);
  await turnEnds(page);
  await ask(page, `script\n${Array.from({ length: 80 }, (_, line) => `Line ${line}.\n\n`).join('')}`);
  await turnEnds(page);
});
afterAll(() => site.close());

/** How far the page is scrolled, and how far it extends beyond the window. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const { documentElement: root, body } = document;
    return {
      beyond: Math.max(root.scrollHeight, body.scrollHeight) - innerHeight,
      scrolled: [scrollY, root.scrollTop, body.scrollTop, document.querySelector('#app')?.scrollTop],
    };
  });
const still = { beyond: 0, scrolled: [0, 0, 0, 0] };

const sizes = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];

describe.for(everyNth(2, sizes))('the page at $width × $height', (size) => {
  test('invariant: the page itself never scrolls, only areas within it do', async () => {
    const { page } = site;
    await page.setViewportSize(size);
    expect(await measure(page)).toEqual(still);
    const parts = [
      page.locator('header'),
      page.getByRole('textbox', { name: 'Message' }),
      page.locator('main'),
    ];
    for (const part of parts) {
      await part.hover({ position: { x: 8, y: 8 } });
      await page.mouse.wheel(0, 1500);
      await page.mouse.wheel(0, -400);
      await part.click({ position: { x: 4, y: 4 } });
      for (const key of ['PageDown', 'End', 'PageUp']) await page.keyboard.press(key);
      expect(await measure(page)).toEqual(still);
    }
    // Ways in which a script, a link or a screen reader may scroll.
    await page.evaluate(() => {
      for (const node of document.querySelectorAll('h1, p, [role="status"], textarea, button')) {
        node.scrollIntoView();
        if (node instanceof HTMLElement) node.focus();
      }
      scrollTo(0, 2000);
    });
    expect(await measure(page)).toEqual(still);
  });

  test('shows the answer above the message box', async () => {
    const { page } = site;
    await page.setViewportSize(size);
    const middle = (selector: string) =>
      page.locator(selector).evaluate((node) => {
        const { left, right } = node.getBoundingClientRect();
        return (left + right) / 2;
      });
    expect(await middle('main .scroll > .column')).toBeCloseTo(await middle('main .bottom > .column'), 0);
  });
});

test.for(everyNth(2, [...linkedScreens, 'prompts']))(
  'a screen is exactly as high as the window: %s',
  async (screen) => {
    const { page } = site;
    for (const size of sizes) {
      await page.setViewportSize(size);
      await page.goto(`${site.url}#/${screen}`);
      await page.getByRole('link', { name: 'Back to the chat' }).waitFor();
      expect(await measure(page)).toEqual(still);
    }
  },
);
