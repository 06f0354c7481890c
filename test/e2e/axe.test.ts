/**
 * No rule of axe-core is broken. `npm test` looks at every screen in both languages and themes; `npm run test:all` brings each screen to
 * every state it has, in both languages, both themes and three widths.
 */
import axe from 'axe-core';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { screens } from '../../src/state/route';
import { languages } from '../../src/ui/i18n/registry';
import { aboutColours, breaches, breachesInBoth, isDrawn } from './axe-check';
import { everyNth, takesAll } from '../support/matrix';
import { openSite } from './site';
import { takeTour } from './take-tour';

const desktop = { width: 1440, height: 900 };
const tablet = { width: 820, height: 1180 };
const phone = { width: 390, height: 844 };
type Theme = 'light' | 'dark';
type Looks = readonly (readonly [{ width: number; height: number }, ...Theme[]])[];

const looks: Looks = [desktop, tablet, phone].map((size) => [size, 'light', 'dark']);

test.runIf(takesAll).concurrent.for(languages)(
  'no state of the app breaks an accessibility rule of axe-core: $name',
  { timeout: 1_200_000 },
  async (language) => {
    /** Where each rule is broken. */
    const found: Record<string, string[]> = {};
    const look = async (page: Page, name: string, open?: () => Promise<void>) => {
      for (const [size, ...themes] of looks) {
        await page.setViewportSize(size);
        await isDrawn(page);
        await open?.();
        for (const [at, colorScheme] of themes.entries()) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await isDrawn(page);
          for (const breach of await breaches(page, at > 0 ? aboutColours : undefined))
            (found[breach] ??= []).push(`${name}, ${size.width}, ${colorScheme}`);
        }
      }
    };
    await takeTour(language, look, (page) => page.evaluate(axe.source));
    expect(found).toEqual({});
  },
);

test.skipIf(takesAll).for(everyNth(2, languages))(
  'invariant: no screen breaks an accessibility rule of axe-core, in light or dark mode: $name',
  async ({ code }) => {
    const site = await openSite({ folder: 'dist-e2e', locale: code, viewport: desktop });
    const { page, url } = site;
    const found: Record<string, string[]> = {};
    for (const screen of Object.keys(screens)) {
      // Loads another document, so that we do not find the heading of the last screen.
      await page.goto('about:blank');
      await page.goto(`${url}#/${screen}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      found[screen] = await breachesInBoth(page);
    }
    await site.close();
    expect(Object.values(found).flat(), JSON.stringify(found)).toEqual([]);
  },
);
