/** The app on paper, in forced colours, and in a window without a system title bar. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, openSite, type Site, turnEnds } from './site';

let site: Site;

beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e' });
});
afterAll(() => site.close());

test('invariant: a printed chat is complete, in light colours and without buttons', async () => {
  const { page } = site;
  await page.setViewportSize({ width: 800, height: 600 });
  await ask(page, `script\n${Array.from({ length: 80 }, (_, line) => `Line ${line}.\n\n`).join('')}`);
  await turnEnds(page);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const last = page.getByText('Line 79.', { exact: true });
  await last.waitFor();
  const paper = await page.evaluate(() => ({
    height: document.documentElement.scrollHeight,
    ground: getComputedStyle(document.body).backgroundColor,
  }));
  expect(paper.height).toBeGreaterThan(2000);
  expect(paper.ground).toBe('rgb(250, 248, 245)');
  // Nothing above it is cut.
  const box = await last.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(paper.height);
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await page.getByRole('textbox', { name: 'Message' }).isVisible()).toBe(false);
  expect(await page.getByRole('main').getByRole('button', { name: 'Details' }).last().isVisible()).toBe(
    false,
  );
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
});

test('the dot of an enabled switch is visible in forced-colours mode', async () => {
  const { page } = site;
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${site.url}#/tools`);
  const dots = async () => {
    const toggle = page.getByRole('switch', { name: 'calculator' });
    return toggle.evaluate((input) => ({
      dot: getComputedStyle(input, '::before').backgroundColor,
      ground: getComputedStyle(input).backgroundColor,
    }));
  };
  const { dot, ground } = await dots();
  expect(dot).not.toBe(ground);
  await page.getByRole('switch', { name: 'calculator' }).click();
  expect((await dots()).dot).toBe(dot);
  await page.emulateMedia({ forcedColors: null });
});

test('the focused message box and the glowing logo are visible in forced-colours mode', async () => {
  const { page } = site;
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${site.url}#/`);
  await page.reload();
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('a');
  const outline = () => box.evaluate(({ parentElement }) => getComputedStyle(parentElement!).outlineStyle);
  await expect.poll(outline).toBe('solid');
  const ember = page.locator('.ember').first();
  const colours = await ember.evaluate((one) => [
    getComputedStyle(one).backgroundColor,
    getComputedStyle(document.body).backgroundColor,
  ]);
  expect(colours[0]).not.toBe(colours[1]);
  await box.fill('');
  await page.emulateMedia({ forcedColors: null });
});

/** Simulates the title bar area that a browser leaves to the app, because a headless one leaves none. Re-reads all our rules with it. */
async function giveTitleBar(page: Page, { x, width, height }: Record<'x' | 'width' | 'height', string>) {
  await page.evaluate(
    ({ x, width, height }) => {
      const told = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
      const ours = told.filter(({ cssText }) => /--controls-|app-region/.test(cssText));
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        ours
          .map(({ cssText }) => cssText)
          .join('\n')
          .replace(/env\(titlebar-area-(x|width|height),[^)]*\)/g, (_, name: string) =>
            String({ x, width, height }[name]),
          )
          .replaceAll('(display-mode: window-controls-overlay)', 'all'),
      );
      document.adoptedStyleSheets = [sheet];
    },
    { x, width, height },
  );
}

describe.for([
  { system: 'Windows', x: '0px', taken: 138, height: '33px' },
  { system: 'a Mac', x: '85px', taken: 85, height: '40px' },
])('the app window with its title bar on $system', ({ system, x, taken, height }) => {
  const wide = { width: 1280, height: 800 };
  const small = { width: 500, height: 700 };
  // In each case the list of chats stays as the one before left it.
  const shapes = [
    { name: 'hidden sidebar', size: wide, press: 'Hide the list of chats' },
    { name: 'sidebar next to the chat', size: wide, press: 'Show the list of chats' },
    { name: 'small window', size: small, press: undefined },
    { name: 'sidebar over the chat', size: small, press: 'Show the list of chats' },
  ];
  test.for(shapes)('shows no content under the window buttons: $name', async ({ size, press }) => {
    const { page } = site;
    await page.setViewportSize(size);
    await page.goto(`${site.url}#/tools`);
    await page.locator('nav .brand').waitFor({ state: 'attached' });
    await giveTitleBar(page, { x, width: `calc(100vw - ${taken}px)`, height });
    if (press !== undefined) await page.getByRole('button', { name: press }).click();
    const left = system === 'Windows' ? size.width - taken : 0;
    const covered = await page.evaluate(
      ({ left, taken, height }) =>
        [...document.querySelectorAll<HTMLElement>('a, button, input, h1, .brand')]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
          .map((element) => ({ element, box: element.getBoundingClientRect() }))
          .filter(
            ({ box }) => box.left < left + taken && box.right > left && box.top < height && box.bottom > 0,
          )
          .filter(({ element }) => !element.matches('.shade, .skip'))
          .map(({ element }) => element.outerHTML.slice(0, 80)),
      { left, taken, height: Number.parseInt(height, 10) },
    );
    expect(covered).toEqual([]);
  });
});

test('dragging the top row of a screen moves the window, but dragging its buttons does not', async () => {
  const { page } = site;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(site.url);
  await page.locator('main > header button').last().waitFor();
  await giveTitleBar(page, { x: '85px', width: 'calc(100vw - 85px)', height: '40px' });
  const region = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).getPropertyValue('app-region'));
  expect(await region('main > header')).toBe('drag');
  expect(await region('nav > .brand')).toBe('drag');
  expect(await region('main > header button')).toBe('no-drag');
  expect(await region('nav > .brand button')).toBe('no-drag');
});
