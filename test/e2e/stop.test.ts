/**
 * Stop, in every phase in which a model on the GPU may hear nothing: web-llm's own worker in the built app, over a stand-in for
 * the runtime that reaches the GPU. It is made deaf for a minute; the turn has to end while it still is.
 */
import type { Page, Worker } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { choose, direct, keep, large, pill, reply, type Script, softwareGpu } from './fault-steps';
import { ask, openSite, type Site, turnEnds } from './site';

const folder = process.env['HEARTH_E2E'] ?? 'dist-e2e';

let site: Site;
beforeAll(async () => {
  site = await openSite({ folder, args: softwareGpu });
  await keep(site.page, large);
});
afterAll(() => site.close());

/** Those that can be asked, among them the one with the model. */
async function modelWorker(page: Page): Promise<Worker> {
  for (const worker of page.workers()) {
    if (await worker.evaluate(() => 'loseGpu' in globalThis).catch(() => false)) return worker;
  }
  throw new Error('No worker has a model.');
}

/** Resolves once a worker says that it hears nothing from now on. */
const isDeaf = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => (new BroadcastChannel('deaf').onmessage = () => resolve())),
  );

const half = '<tool_call>{"name": "calculator", "arguments": {"expression": "17 * 23"</tool_call>';
const phases: Record<string, Script[string][number]> = {
  'while a prompt is read': { replies: [{ text: 'Never said.', deafIn: 'prompt' }] },
  'while a grammar is compiled, for the second chance': {
    replies: [{ text: half }, { text: 'Never said.', deafIn: 'grammar' }],
  },
  'while an answer is written': { replies: [{ text: 'It was a dark night.', deafIn: 'token' }] },
};

describe('Stop is heard by the person though the model hears nothing', () => {
  test.for(Object.keys(phases))('%s', async (name) => {
    const { page } = site;
    await direct(page, { [large]: [phases[name]!] });
    await page.reload();
    await choose(page, large);
    const worker = await modelWorker(page);
    const deaf = isDeaf(page);
    await ask(page, 'What is 17 * 23?');
    await deaf;
    let heard = false;
    worker
      .evaluate(() => true)
      .then(
        () => (heard = true),
        () => undefined,
      );
    await page.getByRole('button', { name: 'Stop' }).click();
    await turnEnds(page);
    expect(heard).toBe(false);
    await expect.poll(() => reply(site)).toContain('You stopped');
    expect(await reply(site)).not.toContain('Never said');
  });

  test('while the model is loaded', async () => {
    const { page } = site;
    await direct(page, { [large]: [{}] });
    await page.reload();
    await choose(page, large);
    await direct(page, { [large]: [{ load: 'deaf' }] });
    await page.reload();
    await page.getByRole('button', { name: 'New chat' }).click();
    const deaf = isDeaf(page);
    await ask(page, 'What is 17 * 23?');
    await deaf;
    await page.getByRole('button', { name: 'Stop' }).click();
    await turnEnds(page);
    await expect.poll(() => pill(page)).not.toContain('ready');
    await expect.poll(() => reply(site)).toContain('You stopped');
  });
});
