/** The exam of a model, in the built site with Ember's real weights: stopped, reloaded, resumed and compared. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ExamRecord } from '../../src/contracts/exam';
import { z } from '../../src/contracts/schema';
import { takesAll, thorough } from '../support/matrix';
import { addFromDisk, articleOf, isWhole, loadModel, openModels, press } from './model-steps';
import { ask, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';

/** In this build, the exam is the first request of each kind, alternating between the languages. */
const folder = 'dist-e2e';
const patience = { timeout: 60_000 };

// The exam takes longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let site: Site;
let disk: string;

beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'hearth-exam-'));
  site = await openSite({ folder });
});
afterAll(async () => {
  await site.close();
  await rm(disk, { recursive: true, force: true });
});

const records = async (page: Page) =>
  z.array(ExamRecord).parse(JSON.parse((await dumpDatabase(page))['exams'] ?? '[]'));
const recordOf = async (page: Page, id: string) =>
  (await records(page)).find(({ modelId }) => modelId === id);
const begin = (page: Page, id: string) => press(page, id, 'Test this model');
const table = (page: Page) => page.getByRole('table', { name: 'Exam', exact: true });
const heads = () => table(site.page).getByRole('columnheader').allInnerTexts();
const isOver = (page: Page, id: string) =>
  articleOf(page, id).getByRole('button', { name: 'Test this model' }).waitFor(patience);
const says = (page: Page, id: string, text: RegExp) =>
  articleOf(page, id).getByRole('status').getByText(text).waitFor(patience);

thorough("a model's exam can be stopped and resumed, and ends with a table of results", async () => {
  const { page } = site;
  await openModels(page);
  await begin(page, 'ember');
  await says(page, 'ember', /^[2-8] of 9 asked/);
  await press(page, 'ember', 'Stop the test');
  await says(page, 'ember', /^Stopped after \d+ of 9\./);
  const { begun, finished } = (await recordOf(page, 'ember'))!;
  expect(finished).toBeUndefined();
  expect(begun!.answers.length).toBeGreaterThanOrEqual(2);
  expect(begun!.answers.length).toBeLessThan(9);

  await page.reload();
  await openModels(page);
  await says(page, 'ember', new RegExp(`^Stopped after ${begun!.answers.length} of 9\\.`));
  expect(await table(page).count()).toBe(0);

  // Interrupted again without notice: the tab closes.
  await begin(page, 'ember');
  await says(page, 'ember', /^\d+ of 9 asked/);
  await page.reload();
  await openModels(page);
  await begin(page, 'ember');
  await table(page).waitFor(patience);

  const whole = (await recordOf(page, 'ember'))!;
  expect(whole.begun).toBeUndefined();
  expect(new Set(whole.finished!.answers.map(({ id }) => id)).size).toBe(9);
  // Requests answered before were not asked again.
  expect(whole.finished!.answers.slice(0, begun!.answers.length)).toEqual(begun!.answers);
  const right = whole.finished!.answers.filter(({ mistake }) => !mistake).length;
  const row = (name: string) => table(page).getByRole('row', { name: new RegExp(`^${name} `) });
  expect(await row('All').getByRole('cell').innerText()).toBe(`${right} of 9`);
  expect(await row('Sums').getByRole('cell').innerText()).toMatch(/^\d of 1$/);
  expect(Number(await row('Tokens a second').getByRole('cell').innerText())).toBeGreaterThan(0);
  // Each mistake is explained.
  if (right < 9) {
    await articleOf(page, 'ember')
      .getByText(`What went wrong: ${9 - right}`)
      .click();
    expect(await articleOf(page, 'ember').getByRole('listitem').count()).toBe(9 - right);
  }
  // Nothing left the device, and no chat was created.
  const { requests, chats, toolStatistics } = await dumpDatabase(page);
  expect([requests, chats, toolStatistics]).toEqual(['[]', '[]', '[]']);
});

const askedMeanwhile = [
  { model: 'scripted', reply: 'You said: What is 17 * 23?' },
  { model: 'ember', reply: '391' },
] as const;
test.runIf(takesAll).for(askedMeanwhile)(
  "a model's exam pauses for a question in a chat and continues after the answer: $model",
  async ({ model, reply }) => {
    const { page } = site;
    const before = (await recordOf(page, 'ember'))!.finished!.updatedAt;
    await loadModel(page, model);
    await begin(page, 'ember');
    await says(page, 'ember', /^\d+ of 9 asked/);
    await page.getByRole('button', { name: 'New chat' }).click();
    const answered = async () => (await recordOf(page, 'ember'))!.begun!.answers.length;
    const soFar = await answered();
    // Typing starts loading the chat's model, but the exam continues until the question is sent.
    await page.getByRole('textbox', { name: 'Message' }).pressSequentially('What');
    await expect.poll(answered, { timeout: 60_000 }).toBeGreaterThan(soFar + 1);
    await ask(page, 'What is 17 * 23?');
    await turnEnds(page);
    await expect.poll(() => lastReply(page).innerText()).toContain(reply);
    expect((await recordOf(page, 'ember'))!.begun).toBeDefined();
    await openModels(page);
    await isOver(page, 'ember');
    const { finished } = (await recordOf(page, 'ember'))!;
    expect(finished!.updatedAt).toBeGreaterThan(before);
    expect(finished!.answers).toHaveLength(9);
    expect(finished!.answers.filter(({ mistake }) => mistake?.came.error !== undefined)).toEqual([]);
  },
);

thorough("a model's exam stops with a notice when another model is loaded", async () => {
  const { page } = site;
  await openModels(page);
  await begin(page, 'ember');
  await says(page, 'ember', /^\d+ of 9 asked/);
  await press(page, 'scripted', 'Use');
  await articleOf(page, 'ember').getByRole('alert').getByText('Another model was loaded').waitFor(patience);
  await says(page, 'ember', /^Stopped after \d+ of 9\./);
  await articleOf(page, 'scripted').getByRole('status').getByText('Running').waitFor(patience);
});

thorough(
  "exam results of two GGUF models are listed next to Ember's and deleted with the model",
  async () => {
    const { page } = site;
    const ember = await readFile('public/models/ember.gguf');
    await writeFile(join(disk, 'Twin.gguf'), ember);
    // The same file except for the last bit of some weights.
    const worn = Buffer.from(ember);
    for (let at = Math.floor(worn.length * 0.9); at < worn.length; at += 5)
      worn.writeUInt8(worn.readUInt8(at) ^ 1, at);
    await writeFile(join(disk, 'Worn.gguf'), worn);
    await openModels(page);
    for (const name of ['Twin', 'Worn']) {
      await addFromDisk(page, 'GGUF file', join(disk, `${name}.gguf`));
      await isWhole(page, name);
    }
    await begin(page, 'Twin');
    await says(page, 'Twin', /^\d+ of 9 asked/);
    // Only one exam runs at a time, and the screen says so.
    await begin(page, 'Worn');
    await articleOf(page, 'Worn').getByRole('alert').getByText('Twin is being tested').waitFor();
    await isOver(page, 'Twin');
    expect(await heads()).toEqual(['Requests', 'Twin', 'Ember']);
    await begin(page, 'Worn');
    await expect.poll(heads, patience).toEqual(['Requests', 'Worn', 'Twin', 'Ember']);

    await press(page, 'Worn', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete its files' }).click();
    await articleOf(page, 'Worn').waitFor({ state: 'detached' });
    await expect.poll(heads).toEqual(['Requests', 'Twin', 'Ember']);
    expect((await records(page)).map(({ modelId }) => modelId).sort()).toEqual(['Twin', 'ember']);
  },
);
