/** GGUF models on several processor cores, if the host sends the headers that allow it. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { thorough } from '../support/matrix';
import { addFromDisk, answers, isWhole, loadModel, openModels } from './model-steps';
import { openSite } from './site';

const diagnostics = (page: Page) => page.getByRole('region', { name: 'Diagnostics' });
const option = (page: Page) =>
  page.getByRole('checkbox', { name: 'GGUF models use several processor cores' });

/** Reports five cores to the page, however many there are. */
async function openWithCores(isIsolated: boolean) {
  const site = await openSite({ isIsolated });
  await site.page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => 5 }),
  );
  await site.page.reload();
  await openModels(site.page);
  await site.page.getByText('Advanced', { exact: true }).click();
  return site;
}

thorough('a GGUF model answers on a device with several cores', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'hearth-cores-'));
  const path = join(disk, 'from-disk.gguf');
  await cp('public/models/ember.gguf', path);
  const site = await openWithCores(true);
  const { page } = site;
  await diagnostics(page).getByText('Processor cores: 5. GGUF models use up to 5 of them.').waitFor();
  expect(await option(page).isChecked()).toBe(true);
  await addFromDisk(page, 'GGUF file', path);
  await isWhole(page, 'from-disk');
  await loadModel(page, 'from-disk');
  await answers(page);
  await site.close();
  await rm(disk, { recursive: true });
});

test("the user is informed if the site's host does not send the headers needed for several cores", async () => {
  const site = await openWithCores(false);
  const { page } = site;
  await diagnostics(page)
    .getByText('GGUF models could use 5 cores if the host of this page sent two headers')
    .waitFor();
  expect(await option(page).isDisabled()).toBe(true);
  await page.getByText('The host of this page does not let it use several cores.').waitFor();
  await site.close();
});
