/** Asks axe-core what is wrong with a page. */
import axe from 'axe-core';
import type { Page } from 'playwright';

/** Axe reports these as undecided. Both mean that a label names another field than the one beside it. */
const undecided = ['duplicate-id-aria', 'form-field-multiple-labels'];

/** The rules that a theme can break. All others are the same in both. */
export const aboutColours = ['color-contrast', 'link-in-text-block'];

/** Resolves once the layout of the new width or theme is drawn. */
export const isDrawn = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });

/** Returns each broken rule with the element that breaks it. */
export const breaches = (page: Page, rules?: readonly string[]) =>
  page.evaluate(
    async ([alsoWrong, only]) => {
      const { axe: checker } = window as unknown as { axe: typeof axe };
      const { violations, incomplete } = await checker.run({
        iframes: false,
        ...(only && { runOnly: { type: 'rule', values: [...only] } }),
      });
      const broken = [...violations, ...incomplete.filter(({ id }) => alsoWrong.includes(id))];
      return broken.flatMap(({ id, nodes }) =>
        nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`),
      );
    },
    [undecided, rules] as const,
  );

/** Checks a page that has not been checked before, in both themes. */
export async function breachesInBoth(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await isDrawn(page);
    found.push(...(await breaches(page, colorScheme === 'dark' ? aboutColours : undefined)));
  }
  return found;
}
