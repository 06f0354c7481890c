/**
 * A result that is too long for the model is stored whole: the user opens and copies all of it by keyboard, and the model reads more of it, also
 * after a reload.
 */
import { afterAll, beforeAll, expect } from 'vitest';
import { thorough, slow } from '../support/matrix';
import { openOutside, type Outside } from './outside';
import { sendText } from './outside-answers';
import { ask, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';

const url = 'https://archive.example.com/logbook.txt';
/** 20,000 lines with a million characters. The model gets a few thousand. */
const lines = Array.from(
  { length: 20_000 },
  (_, at) => `Day ${at + 1}: the wind came from the west, and the sea was calm.`,
);
lines[4_242] = 'Day 4243: a whale was seen off the northern cape.';
lines[13_337] = 'Day 13338: the keeper painted the door of the lighthouse turquoise.';
const logbook = lines.join('\n');

const call = (name: string, input: object) =>
  `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`;
const script = (...rounds: string[]) => `script\n${rounds.join('\n---\n')}`;

let outside: Outside;
let site: Site;
beforeAll(async () => {
  outside = await openOutside();
  outside.serve('archive.example.com', (_request, response) => sendText(response, 'text/plain', logbook));
  site = await openSite({ folder: 'dist-e2e', outside });
  await site.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
  await site.close();
  outside.close();
});

const cards = (name: RegExp) => lastReply(site.page).getByRole('group', { name });
const rows = async () => JSON.parse((await dumpDatabase(site.page))['results'] ?? '[]') as { text: string }[];

slow('the user sees how much of a tool result the model got and can open the rest', async () => {
  const { page } = site;
  // The page itself has no code that searches a result (`npm run layers`), so a worker did it and has ended.
  const looks = () => site.sent.filter((name) => /relevant-part\.worker/.test(name)).length;
  expect(looks()).toBe(0);
  await ask(page, script(call('fetch_page', { url }), 'Was there a whale? {{result}}'));
  await turnEnds(page);
  expect(looks()).toBe(1);
  await expect.poll(() => lastReply(page).textContent()).toContain('a whale was seen off the northern cape');

  const card = cards(/^fetch_page/);
  await card.getByText('Read a page').press('Enter');
  await expect.poll(() => card.innerText()).toMatch(/The model was given [\d,]+ of 1,[\d,]+ characters/);
  const open = card.getByRole('button', { name: 'Show all of it' });
  await open.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Whole result of “Read a page”' });
  const whole = dialog.getByRole('figure', { name: 'Result' });
  await expect.poll(() => whole.textContent()).toContain(lines[13_337]);
  expect(await whole.textContent()).toContain(lines.at(-1));

  // Tab alone reaches the text, which then scrolls by keyboard.
  for (let tabs = 0; tabs < 5 && !(await whole.evaluate((it) => it === document.activeElement)); tabs++) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('End');
  await expect.poll(() => whole.evaluate((it) => it.scrollTop)).toBeGreaterThan(10_000);

  await dialog.getByRole('button', { name: 'Copy all of it' }).press('Enter');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(async () => (await copied()).includes(logbook)).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => open.evaluate((button) => button === document.activeElement)).toBe(true);
});

slow('the model can read more of a stored tool result without a new network request', async () => {
  const { page } = site;
  await page.reload();
  outside.forget();
  const query = 'colour of the door of the lighthouse';
  await ask(page, script(call('read_result', { handle: 'r1', query }), 'It says: {{result}}'));
  await turnEnds(page);
  await expect
    .poll(() => lastReply(page).textContent())
    .toContain('painted the door of the lighthouse turquoise');
  expect(outside.requests).toEqual([]);
});

thorough('an unknown handle of a tool result is answered with a list of the known handles', async () => {
  const { page } = site;
  await ask(page, script(call('read_result', { handle: 'r9', query: 'door' }), 'It says: {{result}}'));
  await turnEnds(page);
  await expect
    .poll(() => lastReply(page).textContent())
    .toMatch(/There is no result "r9".*r1 \(fetch_page\)/s);
});

thorough('permanently deleting a chat also deletes its stored tool results', async () => {
  const { page } = site;
  expect((await rows()).map(({ text }) => text.includes(logbook))).toEqual([true]);
  await page.getByRole('button', { name: 'Rename or delete' }).first().click();
  await page
    .getByRole('list', { name: 'Chats' })
    .getByRole('button', { name: 'Delete', exact: true })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete chat' }).click();
  await page.getByRole('link', { name: 'Bin' }).click();
  expect(await rows()).toHaveLength(1);
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
  await expect.poll(rows).toEqual([]);
  await page.getByRole('button', { name: 'New chat' }).click();
});

thorough(
  'the model gets the beginning of a long page if the code for searching it fails to load',
  async () => {
    const { page, context } = site;
    site.expectErrors(/relevant-part\.worker|Failed to load resource/);
    await context.route(/relevant-part\.worker/, (route) => route.abort());
    await ask(page, script(call('fetch_page', { url: `${url}?again` }), 'Was there a whale? {{result}}'));
    await turnEnds(page);
    await expect.poll(() => lastReply(page).textContent()).toContain('Day 1: the wind came from the west');
    expect(await lastReply(page).textContent()).not.toContain('a whale was seen');
    await expect.poll(async () => (await rows()).map(({ text }) => text.includes(logbook))).toEqual([true]);
  },
);
