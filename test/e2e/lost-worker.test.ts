/**
 * llama.cpp runs in a worker that its library starts. Whatever becomes of that one while nobody asks, the next question is
 * answered, and the loss is said: in the built app, with real weights, by both engines.
 */
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

/** Runs in the worker of llama.cpp. */
async function inInnerWorker(page: Page, end: 'closes' | 'breaks down'): Promise<void> {
  const found = await Promise.all(
    page.workers().map(async (worker) => {
      const isInner = () =>
        String((globalThis as { onmessage?: unknown }).onmessage).includes('wllama.action');
      if (!(await worker.evaluate(isInner).catch(() => false))) return false;
      await worker.evaluate((how) => {
        if (how === 'closes') (globalThis as unknown as { close: () => void }).close();
        else
          setTimeout(() => {
            throw new Error('The worker broke down.');
          });
      }, end);
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

describe.for(everyNth(2, ['Ember', 'twin'] as const))('of %s', (model) => {
  beforeAll(() => choose(site.page, model));

  thorough('one that is gone without a word is found out by the next question', async () => {
    const { page } = site;
    expect(await answers(page, '17 * 23', '391')).not.toContain('started again');
    await inInnerWorker(page, 'closes');
    expect(await answers(page, '18 * 23', '414')).toContain(
      `${model} broke down. It was started again and goes on.`,
    );
    expect(await answers(page, '19 * 23', '437')).not.toContain('started again');
  });

  thorough('one that breaks down is seen at once', async () => {
    const { page } = site;
    await answers(page, '20 * 23', '460');
    await inInnerWorker(page, 'breaks down');
    await expect.poll(() => pill(page)).toContain('stopped');
    expect(await answers(page, '21 * 23', '483')).not.toContain('could not');
    await expect.poll(() => pill(page)).not.toContain('stopped');
  });
});
