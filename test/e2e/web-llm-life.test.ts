/**
 * WebLLM's own worker in the built app, from the download of a model to its answer offline. Only the runtime that reaches the GPU is a fake
 * (test/doubles/scripted-web-llm.ts), and the model's text is scripted.
 */
import type { Page } from 'playwright';
import { afterEach, expect } from 'vitest';
import { direct, notices, pill, reply, softwareGpu } from './fault-steps';
import { type ModelRepository, openModelRepository } from './model-repository';
import { articleOf, isWhole, loadModel, openModels, press } from './model-steps';
import { ask, isOfflineReady, lastReply, openSite, type Site, turnEnds } from './site';
import { slow } from '../support/matrix';

const folder = process.env['HEARTH_E2E'] ?? 'dist-e2e';
const id = 'Local';

let site: Site | undefined;
let repository: ModelRepository | undefined;
afterEach(async () => {
  await site?.close();
  await repository?.close();
  site = undefined;
  repository = undefined;
});

async function addByAddress(page: Page, { modelUrl, libraryUrl }: ModelRepository): Promise<void> {
  const form = page.getByRole('region', { name: 'Add a model' });
  await form.getByLabel('Model URL').fill(modelUrl);
  await form.getByLabel('Model library URL').fill(libraryUrl);
  await form.getByLabel('Model id').fill(id);
  await form.getByRole('button', { name: 'Add', exact: true }).click();
}

/** As after sleep, or a reset of the driver. */
async function loseGpu(page: Page): Promise<void> {
  const lost = await Promise.all(
    page.workers().map((worker) =>
      worker
        .evaluate(async () => {
          const { loseGpu } = globalThis as { loseGpu?: () => Promise<void> };
          await loseGpu?.();
          return loseGpu !== undefined;
        })
        .catch(() => false),
    ),
  );
  expect(lost.filter(Boolean)).toHaveLength(1);
}

slow('a WebLLM model downloads, calls a tool, restarts after a lost GPU and answers offline', async () => {
  repository = await openModelRepository();
  site = await openSite({ folder, args: softwareGpu, hasServiceWorker: true });
  const { page } = site;
  const call = '<tool_call>\n{"name": "calculator", "arguments": {"expression": "17 * 23"}}\n</tool_call>';
  await direct(page, {
    [id]: [
      { replies: [{ text: call }, { text: 'It is 391.' }] },
      { replies: [{ text: 'Here again.' }] },
      { replies: [{ text: 'Without a network.' }] },
    ],
  });

  await openModels(page);
  await addByAddress(page, repository);
  await press(page, id, 'Download');
  await isWhole(page, id);
  expect([...repository.sent.values()].reduce((sum, bytes) => sum + bytes, 0)).toBe(repository.totalBytes);
  await loadModel(page, id);
  // Without this, Ember would call the tools for so small a model.
  await articleOf(page, id).getByText('More about it').click();
  await articleOf(page, id).getByLabel('Let Ember choose the tools').uncheck();

  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, 'What is 17 * 23?');
  await turnEnds(page);
  await expect.poll(() => reply(site!)).toContain('It is 391.');
  expect(await lastReply(page).getByLabel('Result').textContent()).toContain('391');
  await lastReply(page).getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('dialog', { name: 'Details of this answer' });
  await expect.poll(() => details.innerText()).toContain('<|im_start|>');
  // Nothing was read twice, which "Details" would report with a reason.
  expect(await details.innerText()).not.toMatch(/[Rr]ead anew/);
  await details.getByRole('button', { name: 'Close' }).click();

  await loseGpu(page);
  await expect.poll(() => pill(page)).toBe(`${id} · on this GPU · stopped`);
  await expect.poll(() => notices(page)).toContain('took the graphics chip away');
  await openModels(page);
  await expect
    .poll(() => articleOf(page, id).getByRole('button', { name: 'Use', exact: true }).isEnabled())
    .toBe(true);
  await page.goBack();
  await ask(page, 'Are you there?');
  await turnEnds(page);
  await expect.poll(() => reply(site!)).toBe('Here again.');
  await expect.poll(() => pill(page)).toMatch(/tokens\/s|ready/);
  expect(await notices(page)).toBe('');

  await isOfflineReady(page);
  await site.cutNetwork();
  await repository.cut();
  await page.reload();
  const asked: string[] = [];
  site.context.on('request', (request) => asked.push(request.url()));
  await ask(page, 'And now?');
  await turnEnds(page);
  await expect.poll(() => reply(site!)).toContain('Without a network.');
  expect(asked.filter((url) => !url.startsWith(site!.url) && !url.startsWith('blob:'))).toEqual([]);
});
