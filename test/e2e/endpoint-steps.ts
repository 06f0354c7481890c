/** What users do to chat with a model on a server. */
import type { Locator, Page } from 'playwright';
import { articleOf, openModels } from './model-steps';

export interface TypedEndpoint {
  address: string;
  key?: string;
  model?: string;
}

/** Opens the form and fills it in. */
export async function typeEndpoint(page: Page, { address, key, model }: TypedEndpoint): Promise<Locator> {
  await openModels(page);
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const form = page.getByRole('form', { name: 'Add endpoint' });
  await form.getByLabel('Address').fill(address);
  if (key !== undefined) await form.getByLabel('Key').fill(key);
  if (model !== undefined)
    await form
      .getByRole('combobox', { name: 'Model' })
      .or(form.getByRole('textbox', { name: 'Model' }))
      .fill(model);
  return form;
}

/** Makes it the model of the open chat once it is listed. */
export async function useEndpoint(page: Page, name: string): Promise<void> {
  await articleOf(page, name).getByRole('button', { name: 'Use', exact: true }).click();
  await articleOf(page, name).getByRole('status').getByText('Running').waitFor();
}
