/** A walk through the app by keyboard alone, in one language, width and theme. It collects faults instead of throwing. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import type { ShellWords } from '../../src/ui/i18n/words';
import type { RestWords } from '../../src/ui/i18n/words';
import { languages } from '../../src/ui/i18n/registry';
import { breaches, isDrawn } from './axe-check';
import { focusFault, hasFocus, reach } from './keyboard-steps';
import { layoutFaults } from './layout-check';
import { turnEnds } from './site';
import { main } from './tour';

export interface View {
  code: 'en' | 'zh';
  width: number;
  colorScheme: 'light' | 'dark';
}

export const isPhone = ({ width }: View) => width < 600;

export interface Walk {
  page: Page;
  words: ShellWords;
  rest: RestWords;
  /** The message box. */
  box: Locator;
  /** Call it in each new state: records the focus, what axe and the layout check find, and the accessibility tree. */
  see: (name: string) => Promise<void>;
  /** Checks that live regions have announced these texts since the start or the last check. */
  hears: (...texts: string[]) => Promise<void>;
  /** Asks for a scripted reply and waits for its end. */
  ask: (question: string) => Promise<void>;
  /** Call it when the pressed control is gone: the focus is in the message box. On a touch screen, a control that remains keeps it. */
  writesOn: () => Promise<void>;
  /** Reloads the page. */
  reload: () => Promise<void>;
  /** Call it after the page has reloaded by itself, to listen from its start. */
  takeUp: () => Promise<void>;
  /** The faults by state. */
  faults: readonly string[];
}

type Told = typeof globalThis & { told: string[] };

/** An init script: records what live regions announce. */
function listen(): void {
  const told: string[] = [];
  const last = new WeakMap<Element, string>();
  Object.assign(globalThis, { told });
  const live = ':is([role=status], [role=alert], [role=log]):not([aria-live=off]), [aria-live=polite]';
  new MutationObserver((changes) => {
    const regions = new Set<Element>();
    for (const { target, addedNodes } of changes) {
      const own = (target instanceof Element ? target : target.parentElement)?.closest(live);
      if (own) regions.add(own);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        for (const one of [node, ...node.querySelectorAll('*')]) if (one.matches(live)) regions.add(one);
      }
    }
    for (const region of regions) {
      const text = region.textContent.replace(/\s+/g, ' ').trim();
      const isNew = last.get(region) !== text && region.checkVisibility();
      last.set(region, text);
      if (isNew && text !== '') told.push(text);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

const controls = new Set(['button', 'link', 'textbox', 'combobox', 'checkbox', 'switch', 'searchbox']);

/** Returns controls of the same name under one heading, which a listener cannot tell apart. */
function namedTwice(tree: string): string[] {
  const levels = [{ indent: -1, seen: new Set<string>() }];
  return tree.split('\n').flatMap((line) => {
    const [, blanks = '', role = '', name = ''] = /^( *)- '?(\w+)(?: "((?:[^"\\]|\\.)*)")?/.exec(line) ?? [];
    while (levels.length > 1 && levels.at(-1)!.indent >= blanks.length) levels.pop();
    const { seen } = levels.at(-1)!;
    levels.push({ indent: blanks.length, seen: new Set() });
    if (role === 'heading') seen.clear();
    if (!controls.has(role)) return [];
    const control = `${role} “${name}”`;
    const isNew = !seen.has(control);
    seen.add(control);
    return isNew ? [] : [`named twice: ${control}`];
  });
}

/** Reloads the page, to listen from its start. */
export async function beginWalk(page: Page, view: View, row: string): Promise<Walk> {
  const language = languages.find(({ code }) => code === view.code)!;
  const words = await language.load();
  const faults: string[] = [];
  const shots = process.env['LOOK_SHOTS'];
  let count = 0;
  /** Number of announcements already checked. */
  let heard = 0;
  const box = page.getByRole('textbox', { name: words.composer.label, exact: true });
  await page.addInitScript(listen);
  await reload();

  async function reload(): Promise<void> {
    await page.reload();
    await takeUp();
  }

  async function takeUp(): Promise<void> {
    await box.waitFor();
    // On a touch screen nothing has the focus at first.
    if (isPhone(view)) await page.keyboard.press('Tab');
    heard = 0;
    await page.evaluate(axe.source);
  }

  /** Returns what a screen reader gets: the open dialog, or otherwise the whole page. */
  async function treeOf(): Promise<string> {
    const open = page.locator('dialog[open]').last();
    return ((await open.count()) > 0 ? open : page.locator('body')).ariaSnapshot();
  }

  async function keep(name: string, tree: string): Promise<void> {
    if (shots === undefined) return;
    const folder = join(shots, `${view.code}-${view.width}-${view.colorScheme}`);
    await mkdir(folder, { recursive: true });
    const file = join(folder, `${row}-${String(++count).padStart(2, '0')}-${name.replace(/\W+/g, '-')}`);
    const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300));
    const told = await page.evaluate(() => (globalThis as Told).told.join('\n'));
    await writeFile(`${file}.txt`, `${tree}\n\nFOCUS ${focused}\n\nTOLD\n${told}\n`);
    await page.screenshot({ path: `${file}.png` });
  }

  return {
    page,
    words,
    rest: await language.loadRest(),
    box,
    faults,
    reload,
    takeUp,
    async see(name) {
      await isDrawn(page);
      const sideways = await page.evaluate(() =>
        [...document.querySelectorAll('.scroll, dialog[open], :popover-open, nav')].flatMap((node) =>
          node.scrollWidth > node.clientWidth + 1 ? [`scrolls sideways: ${node.className}`] : [],
        ),
      );
      const focus = await expect
        .poll(() => focusFault(page))
        .toBe('seen')
        .then(
          () => [],
          () => focusFault(page),
        );
      const found = [focus, sideways].flat();
      const tree = await treeOf();
      found.push(...(await breaches(page)), ...(await layoutFaults(page)), ...namedTwice(tree));
      faults.push(...found.map((fault) => `${name}: ${fault}`));
      await keep(name, tree);
    },
    async hears(...texts) {
      const unheard = async () => {
        const told = await page.evaluate((from) => (globalThis as Told).told.slice(from), heard);
        return texts.filter((text) => !told.some((one) => one.includes(text)));
      };
      await expect.poll(unheard).toEqual([]);
      heard = await page.evaluate(() => (globalThis as Told).told.length);
    },
    async writesOn() {
      await expect.poll(() => focusFault(page)).toBe('seen');
      if (!isPhone(view)) await expect.poll(() => hasFocus(box)).toBe(true);
    },
    async ask(question) {
      await reach(box, 'Shift+Tab');
      await page.keyboard.insertText(question);
      await page.keyboard.press('Enter');
      await main(page).getByRole('article').first().waitFor();
      await turnEnds(page, words.composer.stop);
    },
  };
}
