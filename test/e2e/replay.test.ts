/** Details of an answer: what happened in it, and running it again, with real weights in the built site. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { thorough } from '../support/matrix';
import { breachesInBoth } from './axe-check';
import { addFromDisk, isWhole, openModels } from './model-steps';
import { ask, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
let disk: string;
beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'hearth-replay-'));
  site = await openSite();
});
afterAll(async () => {
  await site.close();
  await rm(disk, { recursive: true, force: true });
});

const openDetails = async () => {
  await lastReply(site.page).getByRole('button', { name: 'Details' }).click();
  return site.page.getByRole('dialog', { name: 'Details of this answer' });
};

thorough('replaying a turn unchanged gives the same answer, and both versions survive a reload', async () => {
  const { page } = site;
  await ask(page, 'What is 17 * 23?');
  await turnEnds(page);
  const said = await lastReply(page).innerText();
  const dialog = await openDetails();
  const timeline = dialog.getByRole('list', { name: 'Timeline' });
  await expect
    .poll(() => timeline.innerText())
    .toMatch(/reading and waiting .*\n[\s\S]*No question was needed/);
  await dialog.getByRole('button', { name: 'Other result: calculator, step 2' }).click();
  await expect.poll(() => dialog.innerText()).toContain('always the likeliest ones');
  await dialog.getByRole('button', { name: 'Start from here' }).click();
  await page.getByText('2 / 2').waitFor();
  await turnEnds(page);
  await expect.poll(() => lastReply(page).locator('.markdown').innerText()).toContain('391');
  expect(said).toContain(await lastReply(page).locator('.markdown').innerText());
});

thorough('a replayed turn answers from an edited tool result and marks that result as changed', async () => {
  const { page } = site;
  const dialog = await openDetails();
  await dialog.getByRole('button', { name: 'Other result: calculator, step 2' }).click();
  await dialog.getByRole('textbox', { name: 'What it gives' }).fill('392');
  await expect.poll(async () => (await dumpDatabase(page))['drafts']).toContain('392');
  await page.reload();
  await openDetails();
  await dialog.getByRole('button', { name: 'Other result: calculator, step 2' }).click();
  await expect.poll(() => dialog.getByRole('textbox', { name: 'What it gives' }).inputValue()).toBe('392');
  await dialog.getByRole('button', { name: 'Start from here' }).click();
  await page.getByText('3 / 3').waitFor();
  await turnEnds(page);
  await expect.poll(() => lastReply(page).locator('.markdown').innerText()).toContain('392');
  await page.reload();
  await page.getByText('3 / 3').waitFor();
  await lastReply(page).getByText('You changed the result.').waitFor();
  const again = await openDetails();
  await expect
    .poll(() => again.getByRole('list', { name: 'Timeline' }).innerText())
    .toMatch(/Taken from the record[\s\S]*You changed the result\./);
  await again.getByRole('button', { name: 'Close' }).click();
  await lastReply(page).getByRole('button', { name: 'Compare answers' }).click();
  const two = page.getByRole('dialog', { name: 'Two answers to one question' });
  await expect.poll(() => two.locator('del').allTextContents()).toEqual(['only here: 391', 'only here: 391']);
  expect(await two.locator('ins').allTextContents()).toEqual(['only here: 392', 'only here: 392']);
  expect(await breachesInBoth(page)).toEqual([]);
  await two.getByRole('button', { name: 'Close' }).click();
});

thorough("replaying a turn with another model shows that model's load time in the timeline", async () => {
  const { page } = site;
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, 'What is 19 * 21?');
  await turnEnds(page);
  const file = join(disk, 'second.gguf');
  await cp('public/models/ember.gguf', file);
  await openModels(page);
  await addFromDisk(page, 'GGUF file', file);
  await isWhole(page, 'second');
  await page.goBack();
  const dialog = await openDetails();
  await dialog.getByRole('button', { name: 'Other result: calculator, step 2' }).click();
  await dialog.getByRole('textbox', { name: 'What it gives' }).fill('400');
  await dialog.getByRole('combobox', { name: 'Answered by' }).selectOption({ label: 'second' });
  await dialog.getByText('The chat goes on with second from here.').waitFor();
  await dialog.getByRole('button', { name: 'Start from here' }).click();
  await page.getByText('2 / 2').waitFor();
  await turnEnds(page);
  await expect.poll(() => lastReply(page).locator('.markdown').innerText()).toContain('400');
  const again = await openDetails();
  const timeline = again.getByRole('list', { name: 'Timeline' });
  await expect.poll(() => timeline.innerText()).toMatch(/loading the model [\s\S]*Prompt of/);
  expect(await again.innerText()).toMatch(/\bsecond\b/);
});
