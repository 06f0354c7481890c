/** Switching models in the middle of a chat, in the build for tests, which has a scripted model next to real weights. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { pill } from './fault-steps';
import { thorough } from '../support/matrix';
import { addFromDisk, articleOf, loadModel, openModels } from './model-steps';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

const folder = process.env['HEARTH_DIST'] ?? 'dist-e2e';
/** In a dialect of its own, because Ember's calls are JSON. */
const call = '<function=calculator><parameter=expression>17*23</parameter></function>';

let site: Site;
let disk: string;
let modelWorkers: () => Promise<string[]>;
beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'hearth-disk-'));
  const path = join(disk, 'Twin.gguf');
  await cp('public/models/ember.gguf', path);
  site = await openSite({ folder });
  modelWorkers = await logModelWorkers(site);
  await openModels(site.page);
  await addFromDisk(site.page, 'GGUF file', path);
  await articleOf(site.page, 'Twin').getByRole('button', { name: 'Use', exact: true }).waitFor();
  await site.page.getByRole('button', { name: 'New chat' }).click();
});
afterAll(async () => {
  await site.close();
  await rm(disk, { recursive: true, force: true });
});

/**
 * From the next page load on, logs the start and end of each worker that loads a model, in order. As the page orders it, because a computing worker
 * takes a moment to end.
 */
async function logModelWorkers(site: Site): Promise<() => Promise<string[]>> {
  await site.context.addInitScript(() => {
    const log: string[] = [];
    let workers = 0;
    class Logged extends Worker {
      readonly #id = workers++;
      #isModel = false;
      override postMessage(message: unknown, options?: StructuredSerializeOptions | Transferable[]): void {
        const { path } = message as { path?: string[] };
        if (path?.[0] === 'load') {
          this.#isModel = true;
          log.push(`load ${this.#id}`);
        }
        super.postMessage(message, options as StructuredSerializeOptions);
      }
      override terminate(): void {
        if (this.#isModel) log.push(`end ${this.#id}`);
        super.terminate();
      }
    }
    Object.assign(window, { Worker: Logged, modelWorkers: log });
  });
  await site.page.reload();
  return () => site.page.evaluate(() => (window as unknown as { modelWorkers: string[] }).modelWorkers);
}

async function promptOf(page: Page): Promise<string> {
  await lastReply(page).getByRole('button', { name: 'Details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Details of this answer' });
  const prompt = await dialog.getByRole('figure', { name: 'Prompt as it was sent' }).last().textContent();
  await dialog.getByRole('button', { name: 'Close' }).click();
  return prompt ?? '';
}

/** Switches in the header, so the open chat keeps being asked. */
async function switchTo(page: Page, name: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: /·/ }).click();
  const list = page.getByRole('list', { name: 'Model in this chat' });
  await list.getByRole('button', { name }).click();
  await expect.poll(() => pill(page)).toMatch(new RegExp(`^${name} .* ready$`));
}

thorough('a chat can switch to a model with another prompt format and back', async () => {
  const { page } = site;
  await ask(page, `script\n${call}\n---\nIt is 391.`);
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('It is 391.');
  await switchTo(page, 'Twin');
  await ask(page, 'What is 6 * 7?');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('42');
  const told = await promptOf(page);
  expect(told).toContain(
    '<|assistant|><tool_call>{"name":"calculator","arguments":{"expression":"17*23"}}</tool_call><|end|>',
  );
  expect(told).toContain(
    '<|tool|>calculator: 391<|end|><|assistant|>It is 391.<|end|><|user|>What is 6 * 7?',
  );

  await switchTo(page, 'Scripted');
  await ask(page, 'script\nBack again.');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('Back again.');
  const back = await promptOf(page);
  expect(back).toContain('What is 6 * 7?');
  // Its own text letter by letter, and that of the other model in its dialect.
  expect(back).toContain(call);
  expect(back).toContain(
    '<|assistant|><tool_call>\n{"name": "calculator", "arguments": {"expression":"6*7"}}\n</tool_call><|end|>',
  );

  // The old worker ends before the next one starts, because two would not fit into memory.
  const log = (await modelWorkers()).map((line) => line.split(' '));
  expect(log.map(([what]) => what)).toEqual(['load', 'end', 'load', 'end', 'load']);
  expect(log.map(([, id]) => id).filter((id, index, ids) => ids.indexOf(id) === index)).toHaveLength(3);
});

thorough('sampling settings under "Advanced" take effect', async () => {
  const { page } = site;
  const sampledAt = async (temperature: string) => {
    await openModels(page);
    const field = page.getByLabel('Temperature');
    if (!(await field.isVisible())) await page.getByText('Advanced').click();
    await field.fill(temperature);
    await field.press('Tab');
    await page.getByRole('button', { name: 'New chat' }).click();
    await ask(page, 'What is 17 * 23?');
    await turnEnds(page);
    await lastReply(page).getByRole('button', { name: 'Details' }).click();
    const dialog = page.getByRole('dialog', { name: 'Details of this answer' });
    const told = await dialog
      .getByText(/^(?:always the likeliest|random)/)
      .first()
      .innerText();
    await dialog.getByRole('button', { name: 'Close' }).click();
    return told;
  };
  await loadModel(page, 'Twin');
  expect(await sampledAt('0')).toBe('always the likeliest');
  expect(await sampledAt('1.5')).toContain('temperature 1.5');
});
