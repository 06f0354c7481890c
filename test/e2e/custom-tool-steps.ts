/** What users do with their own tools in the built site. */
import type { Page } from 'playwright';
import { openSite, type Site } from './site';

const folder = 'dist-e2e';
export const slugCode = `const slug = args.title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
console.log('slug of', args.title);
return slug;`;
export const call = (name: string, input: object) =>
  `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`;

export async function openTools(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Tools' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor();
}

/** Returns the switches of the user's own tools. */
export const ownSwitches = (page: Page) => page.getByRole('list', { name: 'Your own' }).getByRole('switch');

export async function openNew(page: Page): Promise<void> {
  await openTools(page);
  await page.getByRole('button', { name: 'New tool' }).click();
  await page.getByRole('textbox', { name: 'Code', exact: true }).waitFor();
}

interface Written {
  name: string;
  title?: string;
  schema?: string;
  code: string;
}

export async function write(page: Page, { name, title = name, schema, code }: Written): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Title', { exact: true }).fill(title);
  await page
    .getByLabel('Description', { exact: true })
    .fill('Makes the address of a post. Use it for slugs.');
  if (schema !== undefined) await page.getByLabel('Parameters (JSON Schema)').fill(schema);
  await page.getByLabel('Code', { exact: true }).fill(code);
}

export const tryOut = (page: Page) => page.getByRole('region', { name: 'Test' });

export async function run(page: Page): Promise<string> {
  const region = tryOut(page);
  await region.getByRole('button', { name: 'Run' }).click();
  const result = region.getByLabel('Result', { exact: true });
  await result.waitFor({ timeout: 40_000 });
  return (await result.textContent()) ?? '';
}

export async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
}

export const at = async (
  work: (site: Site) => Promise<void>,
  options: Parameters<typeof openSite>[0] = {},
) => {
  const site = await openSite({ folder, ...options });
  try {
    await work(site);
  } finally {
    await site.close();
  }
};
