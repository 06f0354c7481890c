/**
 * In no state of any screen is a label cut, or a control unreachable or too small: at three widths, with the largest letters on a phone, and with
 * words as long as German ones. Takes a quarter of an hour, for reviews of changes to many screens. `LOOK_SHOTS` names the folder for screenshots of
 * all states.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { languages } from '../../src/ui/i18n/registry';
import { isDrawn } from './axe-check';
import { layoutFaults } from './layout-check';
import { takeTour } from './take-tour';

interface View {
  name: string;
  width: number;
  height: number;
  /** Letter size in percent of the normal one. */
  letters?: number;
  /** One word of each text is as long as a German one. */
  hasLongWords?: boolean;
  colorScheme?: 'dark';
  /** Other colours of the same layout, only for screenshots. */
  looks?: readonly Look[];
}

interface Look {
  name: string;
  colorScheme: 'light' | 'dark';
  isHighContrast?: boolean;
  forcedColors?: 'active';
}

const dark: Look = { name: 'dark', colorScheme: 'dark' };
const highContrast: Look = { name: 'high contrast', colorScheme: 'light', isHighContrast: true };
const forced: Look = { name: 'forced colours', colorScheme: 'dark', forcedColors: 'active' };

const views: readonly View[] = [
  { name: 'desktop', width: 1440, height: 900, looks: [dark, highContrast, forced] },
  { name: 'tablet', width: 820, height: 1180, colorScheme: 'dark' },
  {
    name: 'phone',
    width: 390,
    height: 844,
    looks: [dark, { ...highContrast, ...dark, name: 'dark, high contrast' }],
  },
  { name: 'phone, largest letters', width: 390, height: 844, letters: 150 },
  { name: 'tablet, long words', width: 820, height: 1180, hasLongWords: true },
  { name: 'phone, long words', width: 390, height: 844, hasLongWords: true },
];

/** Turns the first long word of each text into a compound. The page keeps the function that undoes it. */
const lengthenWords = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const changed: [Text, string][] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (
        !(node instanceof Text) ||
        node.parentElement?.closest('.markdown, script, style, pre, code, textarea')
      )
        continue;
      changed.push([node, node.data]);
      node.data = node.data.replace(/\p{L}{5,}/u, (word) => `${word}sverzeichnisse`);
    }
    Object.assign(window, { undoWords: () => changed.forEach(([node, text]) => (node.data = text)) });
  });
const shortenWords = (page: Page) =>
  page.evaluate(() => (window as unknown as { undoWords: () => void }).undoWords());

const shots = process.env['LOOK_SHOTS'];
let taken = 0;

async function picture(page: Page, code: string, name: string): Promise<void> {
  if (shots === undefined) return;
  await mkdir(shots, { recursive: true });
  const place = String(taken++).padStart(4, '0');
  const file = `${place} ${code} ${name}.png`.replaceAll('/', '-');
  await page.screenshot({ path: join(shots, file), animations: 'disabled' });
}

async function setLetters(page: Page, percent: number | undefined): Promise<void> {
  await page.evaluate((letters) => {
    document.documentElement.style.fontSize = letters === undefined ? '' : `${letters}%`;
    // As the setting does.
    document.querySelector('.pill')?.classList.toggle('large', letters !== undefined);
  }, percent);
}

async function setColours(page: Page, { colorScheme, isHighContrast, forcedColors }: Look) {
  await page.emulateMedia({ colorScheme, forcedColors: forcedColors ?? 'none', reducedMotion: 'reduce' });
  // The page has loaded this file at its start.
  await page.evaluate(
    (isHigh) => {
      document.documentElement.toggleAttribute('data-high-contrast', isHigh);
    },
    isHighContrast === true || forcedColors === 'active',
  );
  await isDrawn(page);
}

/** The high-contrast colours load on request. */
async function fetchHighContrast(page: Page): Promise<void> {
  await page.emulateMedia({ contrast: 'more' });
  await page.reload();
  await page.waitForFunction(() =>
    Array.from(document.styleSheets).some(({ href }) => href?.includes('high-contrast')),
  );
  await page.emulateMedia({ contrast: 'no-preference' });
}

test.runIf(shots).for(languages)(
  'no text is cut off on any screen in the language $name',
  { timeout: 1_500_000 },
  async (language) => {
    /** Where each fault was found. */
    const found: Record<string, string[]> = {};
    let seen: Page | undefined;
    await takeTour(
      language,
      async (page, name, open) => {
        seen = page;
        for (const view of views) {
          const { width, height, letters, hasLongWords, colorScheme = 'light' } = view;
          if (hasLongWords && language.code !== 'en') continue;
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await setLetters(page, letters);
          await isDrawn(page);
          await open?.();
          if (hasLongWords) await lengthenWords(page);
          await isDrawn(page);
          for (const fault of await layoutFaults(page)) (found[fault] ??= []).push(`${name}, ${view.name}`);
          await picture(page, language.code, `${name} - ${view.name}`);
          if (hasLongWords) await shortenWords(page);
          for (const colours of view.looks ?? []) {
            await setColours(page, colours);
            await picture(page, language.code, `${name} - ${view.name}, ${colours.name}`);
          }
          if (view.looks) await setColours(page, { name: 'light', colorScheme: 'light' });
        }
        await setLetters(page, undefined);
      },
      fetchHighContrast,
    ).catch(async (error: unknown) => {
      if (seen) await picture(seen, language.code, 'where the tour ended');
      // Reports the faults found so far too.
      throw new Error(JSON.stringify(found, undefined, 2), { cause: error });
    });
    expect(found).toEqual({});
  },
);
