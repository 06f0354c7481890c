/** The worker that runs llama.cpp crashes while idle: the page reports it and answers the next question. With real weights. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { pill } from './fault-steps';
import { everyNth, thorough } from '../support/matrix';
import { addFromDisk, isWhole, loadModel, openModels } from './model-steps';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

const folder = process.env['HEARTH_DIST'] ?? 'dist';

let site: Site;
let disk: string;
beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'hearth-disk-'));
  await cp('public/models/ember.gguf', join(disk, 'twin.gguf'));
  site = await openSite({ folder });
  site.expectErrors(/The worker broke down/);
});
afterAll(async () => {
  await site.close();
  await rm(disk, { recursive: true, force: true });
});

/** Ends the worker that runs llama.cpp with an error. */
async function breakModelWorker(page: Page): Promise<void> {
  const found = await Promise.all(
    page.workers().map(async (worker) => {
      const runsModel = () =>
        performance
          .getEntriesByType('resource')
          .some(({ name }) => /\/llama-(?:relaxed|threads)-/.test(name));
      if (!(await worker.evaluate(runsModel).catch(() => false))) return false;
      await worker.evaluate(() => {
        setTimeout(() => {
          throw new Error('The worker broke down.');
        });
      });
      return true;
    }),
  );
  expect(found.filter(Boolean)).toHaveLength(1);
}

async function answers(page: Page, sum: string, result: string): Promise<string> {
  await ask(page, `What is ${sum}?`);
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain(result);
  return lastReply(page).innerText();
}

async function choose(page: Page, model: 'Ember' | 'twin'): Promise<void> {
  if (model === 'twin') {
    await openModels(page);
    await addFromDisk(page, 'GGUF file', join(disk, 'twin.gguf'));
    await isWhole(page, 'twin');
    await loadModel(page, 'twin');
  }
  await page.getByRole('button', { name: 'New chat' }).click();
}

describe.for(everyNth(2, ['Ember', 'twin'] as const))(
  'a crash of the inference worker: model %s',
  (model) => {
    beforeAll(() => choose(site.page, model));

    thorough('is detected at once, and the next question is answered', async () => {
      const { page } = site;
      await answers(page, '20 * 23', '460');
      await breakModelWorker(page);
      await expect.poll(() => pill(page)).toContain('stopped');
      expect(await answers(page, '21 * 23', '483')).not.toContain('could not');
      await expect.poll(() => pill(page)).not.toContain('stopped');
    });
  },
);
