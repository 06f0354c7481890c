/** Everything outside a chat is deleted at once, in the built app, and restored with one press or from the bin, in every tab. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personaContent } from '../support/persona';
import { slugify } from '../unit/tools/custom/definition';
import { writeRows } from './chat-steps';
import { everyNth, thorough } from '../support/matrix';
import { articleOf } from './model-steps';
import { databaseIsMade, dumpDatabase, openSite, type Site } from './site';

const dates = { createdAt: 1, updatedAt: 1 };
const secret = { toolId: 't', name: 'KEY', host: 'api.example.org', value: 'sk-1' };
const model = {
  id: 'large',
  engine: 'endpoint',
  modelUrl: 'https://models.example.com/v1',
  overrides: {},
  endpoint: { model: 'large', key: 'sk-2', isNative: true },
};
const rows = {
  personas: [{ id: 'p', content: personaContent('Tutor'), ...dates }],
  notes: [{ id: 'n', text: 'The wifi is called Heron.', ...dates }],
  customTools: [{ id: 't', content: slugify, isOn: true, versions: [], ...dates }],
  toolSecrets: [{ id: JSON.stringify(['t', secret.name, secret.host]), ...secret }],
  settings: [{ key: 'ownModels', value: [model] }],
};

/** Where each item is deleted and listed, and the notice after its deletion. */
const things = [
  {
    kind: 'a persona',
    at: '#/personas/p',
    list: '#/personas',
    button: (page: Page) => page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }),
    shown: (page: Page) => page.getByRole('link', { name: 'Edit Tutor' }),
    said: 'The persona “Tutor” was deleted.',
  },
  {
    kind: 'a tool',
    at: '#/tools/t',
    list: '#/tools',
    button: (page: Page) => page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }),
    shown: (page: Page) => page.getByRole('link', { name: `Edit ${slugify.name}` }),
    said: `The tool “${slugify.title}” was deleted.`,
  },
  {
    kind: 'a note',
    at: '#/notes',
    list: '#/notes',
    button: (page: Page) => page.getByRole('button', { name: `Delete: ${rows.notes[0]?.text}` }),
    shown: (page: Page) => page.getByRole('list', { name: 'Your notes' }).getByText('Heron'),
    said: 'The note was deleted.',
  },
  {
    kind: 'a model on a server',
    at: '#/models',
    list: '#/models',
    button: (page: Page) => articleOf(page, 'large').getByRole('button', { name: 'Remove' }),
    shown: (page: Page) => articleOf(page, 'large'),
    said: 'The model “large” was removed.',
  },
];

let site: Site;
let other: Page;
beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e' });
  await databaseIsMade(site.page);
  await writeRows(site.page, rows);
  await site.page.reload();
  other = await site.openTab();
});
afterAll(() => site.close());

/** Returns the stored data. What was deleted and restored is unchanged. Only the list of the bin is new, and empty. */
async function kept(): Promise<Record<string, string>> {
  const tables = await dumpDatabase(site.page);
  const settings = JSON.parse(tables['settings'] ?? '') as { key: string; value: unknown[] }[];
  const isOfBin = ({ key, value }: (typeof settings)[number]) => key === 'binnedModels' && value.length === 0;
  return { ...tables, settings: JSON.stringify(settings.filter((row) => !isOfBin(row))) };
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName);

test.for(everyNth(4, things))(
  'a deletion appears in both tabs at once, and Ctrl+Z undoes it in both: $kind',
  async ({ at, list, button, shown, said }) => {
    const { page } = site;
    const before = await kept();
    await page.goto(`${site.url}${at}`);
    await other.goto(`${site.url}${list}`);
    await shown(other).waitFor();
    await button(page).focus();
    await page.keyboard.press('Enter');
    const notice = page.getByRole('group', { name: 'Deleted' });
    await notice.getByText(said).waitFor();
    await shown(page).waitFor({ state: 'detached' });
    await shown(other).waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => focused(page)).not.toBe('BODY');

    await page.keyboard.press('Control+z');
    await shown(page).waitFor();
    await shown(other).waitFor();
    await notice.waitFor({ state: 'detached' });
    expect(await focused(page)).not.toBe('BODY');
    expect(await kept()).toEqual(before);
  },
);

thorough('the bin restores deleted items after a reload, unless they were deleted permanently', async () => {
  const { page } = site;
  const before = await kept();
  for (const { at, button, said } of things) {
    await page.goto(`${site.url}${at}`);
    await button(page).click();
    await page.getByText(said).waitFor();
  }
  await page.goto(`${site.url}#/bin`);
  await page.reload();
  const entries = page.getByRole('list', { name: 'Bin' }).getByRole('listitem');
  await expect.poll(() => entries.count()).toBe(things.length);
  expect(await entries.allInnerTexts()).toEqual([
    expect.stringContaining('large'),
    expect.stringContaining('The wifi is called Heron.'),
    expect.stringContaining(slugify.title),
    expect.stringContaining('Tutor'),
  ]);
  await entries.first().getByRole('button', { name: 'Restore' }).focus();
  for (let left = things.length; left > 0; left--) {
    await page.keyboard.press('Enter');
    await expect.poll(() => entries.count()).toBe(left - 1);
    // The focus is on the next item.
    expect(await focused(page)).not.toBe('BODY');
  }
  expect(await kept()).toEqual(before);

  await page.goto(`${site.url}#/notes`);
  await things[2]?.button(page).click();
  await page.goto(`${site.url}#/bin`);
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('The bin is empty.').waitFor();
  expect((await kept())['notes']).toBe('[]');
});
