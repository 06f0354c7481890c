/**
 * Stop, in every phase in which a model on the GPU may not react: web-llm's own worker in the built app, with a double of the runtime that reaches
 * the GPU. The double blocks for a minute, and the turn must end before that.
 */
import type { Page, Worker } from 'playwright';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { choose, direct, keep, large, pill, reply, type Script, softwareGpu } from './fault-steps';
import { everyNth, thorough, slow } from '../support/matrix';
import { ask, openSite, type Site, turnEnds } from './site';

const folder = process.env['HEARTH_E2E'] ?? 'dist-e2e';

let site: Site;
beforeAll(async () => {
  site = await openSite({ folder, args: softwareGpu });
  // From the start of the page, because a chosen model loads automatically.
  await site.context.addInitScript(() => {
    const deaf = new Promise<void>((resolve) => (new BroadcastChannel('deaf').onmessage = () => resolve()));
    Object.assign(window, { deaf });
  });
  await keep(site.page, large);
  await direct(site.page, { [large]: [{}] });
  await choose(site.page, large);
});
afterAll(() => site.close());

/** The workers that can be called, among them the one with the model. */
async function modelWorker(page: Page): Promise<Worker> {
  for (const worker of page.workers()) {
    if (await worker.evaluate(() => 'loseGpu' in globalThis).catch(() => false)) return worker;
  }
  throw new Error('No worker has a model.');
}

/** Resolves once a worker has announced that it no longer reacts. */
const isDeaf = (page: Page) => page.evaluate(() => (window as unknown as { deaf: Promise<void> }).deaf);

/** Restarts with a model of this script, and waits until it is loaded. */
async function begin(page: Page, life: Script[string][number]): Promise<void> {
  await direct(page, { [large]: [life] });
  await page.reload();
  await expect.poll(() => pill(page)).toContain('ready');
  await page.getByRole('button', { name: 'New chat' }).click();
}

const unreadable = '<tool_call>{"name": "calculator", "arguments": {"expression": </tool_call>';
const phases: Record<string, Script[string][number]> = {
  'while a prompt is read': { replies: [{ text: 'Never said.', deafIn: 'prompt' }] },
  'while a grammar is compiled, for the second chance': {
    replies: [{ text: unreadable }, { text: 'Never said.', deafIn: 'grammar' }],
  },
  'while an answer is written': { replies: [{ text: 'It was a dark night.', deafIn: 'token' }] },
};

describe('the Stop button while the model does not react', () => {
  slow.for(everyNth(3, Object.keys(phases)))('ends the reply %s', async (name) => {
    const { page } = site;
    await begin(page, phases[name]!);
    const worker = await modelWorker(page);
    await ask(page, 'What is 17 * 23?');
    await isDeaf(page);
    let heard = false;
    worker
      .evaluate(() => true)
      .then(
        () => (heard = true),
        () => undefined,
      );
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await turnEnds(page);
    expect(heard).toBe(false);
    await expect.poll(() => reply(site)).toContain('You stopped');
    expect(await reply(site)).not.toContain('Never said');
  });

  thorough('cancels the loading of the model', async () => {
    const { page } = site;
    await direct(page, { [large]: [{ load: 'deaf' }] });
    await page.reload();
    await page.getByRole('button', { name: 'New chat' }).click();
    await ask(page, 'What is 17 * 23?');
    await isDeaf(page);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await turnEnds(page);
    await expect.poll(() => pill(page)).not.toContain('ready');
    await expect.poll(() => reply(site)).toContain('You stopped');
  });
});
