/** A tour of the built site, in any language: its parameters, and what it does on every screen. */
import type { Locator, Page } from 'playwright';
import type { ShellWords } from '../../src/ui/i18n/words';
import type { RestWords } from '../../src/ui/i18n/words';
import type { GgufHost } from './model-steps';

export interface Tour {
  page: Page;
  words: ShellWords;
  rest: RestWords;
  /** Called in each state. `open` restores the state if another width closes it. */
  look: (name: string, open?: () => Promise<void>) => Promise<void>;
  /** Puts a newer version of the app on the host. */
  release: () => Promise<void>;
  /** Serves a model, and sends only a part of it. */
  models: GgufHost;
  /** From now on, the host has no such file. */
  loseModel: () => void;
}

export const button = (inside: Page | Locator, name: string | RegExp) =>
  inside.getByRole('button', { name, exact: true });
export const main = (page: Page) => page.getByRole('main');
export const dialog = (page: Page) => page.getByRole('dialog');

/** Opens something that Escape closes, and which is laid out correctly only in the width it was opened in. */
export const reopens = (page: Page, press: () => Locator) => async () => {
  await page.keyboard.press('Escape');
  await press().click();
  await page.locator(':popover-open :is(button, input, a)').first().waitFor();
};

/** A pressed button leaves the list. */
export async function pressAll(buttons: Locator): Promise<void> {
  while ((await buttons.count()) > 0) await buttons.first().click();
}

export const folded = 'details:not([open]) > summary:visible';

export async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  // Not the address of a link, which appears while the keyboard focus is on it.
  await page.locator('dialog[open], [popover=auto]:popover-open').waitFor({ state: 'hidden' });
}

export const goTo = (page: Page, screen: string) =>
  page.evaluate((hash) => (location.hash = hash), `#/${screen}`);
