/** The app on paper, and in the colours of a system that forces its own. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, openSite, type Site, turnEnds } from './site';

let site: Site;

beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e' });
});
afterAll(() => site.close());

test('a long chat is printed whole, in light colours and without what is pressed', async () => {
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
  // Nothing above it is cut off.
  const box = await last.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(paper.height);
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await page.getByRole('textbox', { name: 'Message' }).isVisible()).toBe(false);
  expect(await page.getByRole('main').getByRole('button', { name: 'Details' }).last().isVisible()).toBe(
    false,
  );
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
});

test('a switch that is on shows its dot in forced colours', async () => {
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
