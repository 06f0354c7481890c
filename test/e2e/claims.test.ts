/** In the built site, numbers and actions without a source are listed below the answer unless the user switches that off. */
import axe from 'axe-core';
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { thorough } from '../support/matrix';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
beforeEach(async () => {
  site = await openSite({ folder: 'dist-e2e' });
});
afterEach(() => site.close());

const sum = '<tool_call>{"name": "calculator", "arguments": {"expression": "6*7"}}</tool_call>';
/** A question that contains a script also contains its replies, so a number that must not occur in it is composed. */
const script = `script\n${sum}\n---\nIt is 42, and the postage is\n9{{repeat 4}} euros.`;

const note = (page: Page) => lastReply(page).getByRole('note');

async function breaches(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: typeof axe };
    const { violations } = await checker.run({ iframes: false });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  });
}

thorough('a number without a source is marked in an answer unless the setting is off', async () => {
  const { page } = site;
  await ask(page, script);
  await turnEnds(page);
  await expect.poll(() => note(page).innerText()).toContain('Not from a result: 9999');
  expect(await note(page).innerText()).not.toContain('42');
  expect(await breaches(page)).toEqual([]);

  await page.reload();
  await expect.poll(() => note(page).innerText()).toContain('9999');

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('switch', { name: 'Check answers against results' }).click();
  expect(await breaches(page)).toEqual([]);
  await page.goBack();
  await expect.poll(() => lastReply(page).innerText()).toContain('9999');
  await expect.poll(() => note(page).count()).toBe(0);
});

test('an answer that claims to have done something is marked if no tool did it', async () => {
  const { page } = site;
  await ask(page, "script\nAll right. I've added eggs to your shopping list.");
  await turnEnds(page);
  await expect
    .poll(() => note(page).innerText())
    .toContain("No tool did this, so it has most likely not happened: I've added eggs to your shopping list");
});
