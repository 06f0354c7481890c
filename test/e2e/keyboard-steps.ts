/** What a user with only a keyboard does, moving to something and pressing it, and what must always hold for the focus. */
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** More than any screen here has. */
const maxStops = 150;

export const hasFocus = (target: Locator) =>
  target.evaluateAll((nodes) => nodes.some((node) => node === document.activeElement));

/** Moves from the current focus, around the page if necessary. */
export async function reach(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.first().waitFor();
  for (let stop = 0; stop < maxStops; stop++) {
    if (await hasFocus(target)) return;
    await target.page().keyboard.press(key);
  }
  throw new Error(`Not reached: ${String(target)}`);
}

export async function press(target: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void> {
  await reach(target, key);
  await target.page().keyboard.press('Enter');
}

/** If the focused element disappears, the next Tab would start at the top of the page. */
export async function keepsFocus(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).not.toBe('body');
}

/** Whether the focused element is fully visible, as far as it fits the window, and not covered. */
export const focusFault = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return 'nothing has the focus';
    // A link may continue on the next line.
    const { left, top, right, bottom, width, height } = focused.getClientRects()[0] ?? new DOMRect();
    const name = focused.outerHTML.slice(0, 120);
    if (top < 0 || bottom > innerHeight || left < 0 || right > innerWidth) return `out of view: ${name}`;
    const over = document.elementFromPoint(left + width / 2, top + height / 2);
    return focused.contains(over) ? 'seen' : `${name} covered by ${over?.outerHTML.slice(0, 120)}`;
  });

export async function seesFocus(page: Page): Promise<void> {
  await expect.poll(() => focusFault(page)).toBe('seen');
}
