/** What a person does who has a keyboard alone: goes on to something, presses it; and what must be so of the focus all the while. */
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** More than there are on any screen here. */
const mostStops = 150;

export const hasFocus = (target: Locator) =>
  target.evaluateAll((nodes) => nodes.some((node) => node === document.activeElement));

/** Goes on from where the focus is, round the page where need be. */
export async function reach(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.first().waitFor();
  for (let stop = 0; stop < mostStops; stop++) {
    if (await hasFocus(target)) return;
    await target.page().keyboard.press(key);
  }
  throw new Error(`Not reached: ${String(target)}`);
}

export async function press(target: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void> {
  await reach(target, key);
  await target.page().keyboard.press('Enter');
}

/** Where what was pressed is gone, the next Tab would begin at the top of the page. */
export async function keepsFocus(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).not.toBe('body');
}

/** Whether what has the focus is seen: whole, as far as the window is high enough for it, and nothing lies over it. */
export const focusFault = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return 'nothing has the focus';
    // A link may go on in the next line.
    const { left, top, right, bottom, width, height } = focused.getClientRects()[0] ?? new DOMRect();
    const name = focused.outerHTML.slice(0, 120);
    if (top < 0 || bottom > innerHeight || left < 0 || right > innerWidth) return `out of view: ${name}`;
    const over = document.elementFromPoint(left + width / 2, top + height / 2);
    return focused.contains(over) ? 'seen' : `${name} covered by ${over?.outerHTML.slice(0, 120)}`;
  });

export async function seesFocus(page: Page): Promise<void> {
  await expect.poll(() => focusFault(page)).toBe('seen');
}
