/** Schemas, examples and results that once blocked the page for minutes: it now responds and explains what is wrong. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generate } from '../../bench/schemas/generate';
import { freezeMs, watchTasks } from '../../scripts/page-tasks.js';
import { at, call, openNew, openTools, run, save, write } from './custom-tool-steps';
import { everyNth, thorough, slow } from '../support/matrix';
import { ask, lastReply, turnEnds } from './site';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'hostile-'))));
afterAll(() => rm(folder, { recursive: true }));

const texts = { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } };

/** Writes the tool to a file on the disk. If it were passed as bytes, the page itself would have to decode it. */
async function writeTool(changed: object): Promise<string> {
  const tool = {
    name: 'hostile',
    title: 'Hostile',
    description: 'Does nothing of any use to anyone.',
    inputSchema: texts,
    code: 'return 1',
    class: 'pure',
    hosts: [],
    secrets: [],
    limits: { timeMs: 5000, outputCharacters: 200_000, hostCalls: 5 },
    examples: [],
    ...changed,
  };
  const file = join(folder, 'hostile.json');
  await writeFile(file, JSON.stringify({ kind: 'hearth-tool', version: 1, tool }));
  return file;
}

async function importTool(page: Page, changed: object): Promise<void> {
  await openTools(page);
  await page.locator('input[type=file]').setInputFiles(await writeTool(changed));
}
const exampleOf = (input: object) => [{ request: '', arguments: input }];
const wrong = (count: number) => exampleOf({ list: Array<number>(count).fill(0) });

slow('a tool file of one megabyte is refused with a reason', () =>
  at(async ({ page }) => {
    await importTool(page, { examples: wrong(490_000) });
    await page.getByRole('alert').getByText('It is too large').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  }),
);

test.for(
  everyNth(2, [
    { what: '45,000 wrong items', changed: { examples: wrong(45_000) }, says: '… and more' },
    {
      what: 'a pattern that goes back for ever',
      changed: {
        inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } },
        examples: exampleOf({ text: `${'a'.repeat(50)}!` }),
      },
      says: 'took longer than 1 s and was ended',
    },
  ]),
)('a tool file with errors cannot be imported, and its errors are shown: $what', ({ changed, says }) =>
  at(async ({ page }) => {
    await importTool(page, changed);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').getByText(says).waitFor();
    expect(await dialog.getByRole('button', { name: 'Keep, switched off' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  }),
);

thorough('a tool result with 60,000 invalid items is reported in the tool editor and in a chat', () =>
  at(async ({ page }) => {
    await openNew(page);
    await write(page, { name: 'liar', code: 'return Array(60000).fill(0)' });
    await page.getByText('Result schema').click();
    await page.getByLabel('Result schema').fill('{"type":"array","items":{"type":"string"}}');
    await page.getByLabel('Longest answer (characters)').fill('200000');
    const said = /The result is not what the tool says.*… and more/s;
    expect(await run(page)).toMatch(/^BAD_JSON/);
    expect(await run(page)).toMatch(said);
    await save(page);
    await page.getByRole('button', { name: 'New chat' }).click();
    await ask(page, `script\n${call('liar', {})}\n---\nDone.`);
    await turnEnds(page);
    expect(await lastReply(page).getByLabel('Result').textContent()).toMatch(said);
    expect(await lastReply(page).textContent()).toContain('Done.');
  }),
);

/** A few of the thousands that `bench/schemas/run.js` checks. */
thorough('checking random tool schemas and values never blocks the page', { timeout: 120_000 }, () =>
  at(async ({ page, context }) => {
    const dialog = page.getByRole('dialog');
    // Loads the code that is needed first, so that it is not measured.
    await importTool(page, {});
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const longest: Record<number, number> = {};
    for (let seed = 1; seed <= 8; seed++) {
      const { schema, values } = generate(seed, 20);
      const file = await writeTool({
        inputSchema: schema,
        examples: values.map((json) => ({ request: '', arguments: JSON.parse(json) as unknown })),
      });
      const stop = await watchTasks(context.browser());
      await page.locator('input[type=file]').setInputFiles(file);
      const said = dialog.or(page.getByRole('main')).getByRole('alert');
      const keep = dialog.getByRole('button', { name: 'Keep, switched off' });
      await expect
        .poll(async () => (await said.count()) > 0 || ((await keep.count()) > 0 && (await keep.isEnabled())))
        .toBe(true);
      longest[seed] = await stop();
      if ((await dialog.count()) > 0) {
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await dialog.waitFor({ state: 'detached' });
      }
    }
    expect(Math.max(...Object.values(longest))).toBeLessThan(freezeMs);
  }),
);
