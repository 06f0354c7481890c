/** Personas, from an empty editor to a chat with one: created, saved, copied, exported and deleted. Offline. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { takesAll, thorough } from '../support/matrix';
import { dumpDatabase, isOfflineReady, openSite, turnEnds } from './site';
import { button, dialog, goTo, main } from './tour';

const choice = (page: Page) => page.getByRole('combobox', { name: 'Persona', exact: true });
const field = (page: Page, name: string) => main(page).getByRole('textbox', { name, exact: true });
const toggle = (page: Page, name: string) => main(page).getByRole('switch', { name, exact: true });
const tools = (page: Page) => main(page).getByRole('group', { name: 'Tools', exact: true });
const own = (page: Page) => page.getByRole('list', { name: 'Your personas' }).getByRole('heading');

interface StoredRow {
  content: { name: string; tools: unknown; isTool: boolean };
}
const stored = async (page: Page) => {
  const { personas = '[]' } = await dumpDatabase(page);
  return (JSON.parse(personas) as StoredRow[]).map(({ content: { name, tools: allowed, isTool } }) => ({
    name,
    tools: allowed,
    isTool,
  }));
};

const drafts = async (page: Page) =>
  JSON.parse((await dumpDatabase(page))['personaDrafts'] ?? '[]') as unknown[];

async function openList(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Personas' }).click();
  await page.getByRole('heading', { level: 1, name: 'Personas' }).waitFor();
}

async function make(page: Page, name: string, instructions: string): Promise<void> {
  await openList(page);
  await button(page, 'New persona').click();
  await field(page, 'Name').fill(name);
  await field(page, 'Instructions').fill(instructions);
}

async function save(page: Page): Promise<void> {
  await button(main(page), 'Save').click();
  await main(page).getByText('Saved.', { exact: true }).waitFor();
}

async function importFile(page: Page, name: string, text: string): Promise<void> {
  const buffer = Buffer.from(text);
  await page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'application/json', buffer });
}

thorough(
  'an unfinished persona survives a reload, and later answers with only its chosen tools',
  async () => {
    const site = await openSite({ folder: 'dist-e2e', hasServiceWorker: takesAll });
    try {
      const { page } = site;
      if (takesAll) {
        await isOfflineReady(page);
        await site.cutNetwork();
      }
      await make(page, 'Timekeeper', 'You only tell the time.');
      await field(page, 'Description').fill('Tells what time it is, anywhere.');
      await tools(page).getByRole('switch').first().waitFor();
      const names = await tools(page).locator('code').allInnerTexts();
      expect(names).toContain('clock');
      for (const name of names)
        if (name !== 'clock') await tools(page).getByRole('switch', { name }).uncheck();
      await expect.poll(() => toggle(page, 'All tools').isChecked()).toBe(false);
      await main(page).getByText('Not saved yet.', { exact: false }).waitFor();
      await expect.poll(async () => (await drafts(page)).length).toBe(1);
      await page.reload();
      await expect.poll(() => field(page, 'Name').inputValue()).toBe('Timekeeper');
      await save(page);
      expect(await stored(page)).toEqual([{ name: 'Timekeeper', tools: ['clock'], isTool: false }]);
      await expect.poll(async () => (await drafts(page)).length).toBe(0);
      await page.reload();
      await expect.poll(() => field(page, 'Instructions').inputValue()).toBe('You only tell the time.');

      // On the empty screen, then in the header, and after a reload.
      await goTo(page, '');
      await choice(page).selectOption({ label: 'Timekeeper' });
      await button(main(page), '1 tool').waitFor();
      await page.getByRole('textbox', { name: 'Message' }).fill('script\nIt is late.');
      await page.keyboard.press('Enter');
      await turnEnds(page);
      expect(await choice(page).count()).toBe(1);
      await page.reload();
      await expect.poll(() => choice(page).locator('option:checked').innerText()).toBe('Timekeeper');
      await button(main(page), '1 tool').waitFor();
      // A tool switched off in the chat stays off, whoever answers.
      await button(main(page), '1 tool').click();
      await page.locator(':popover-open').getByRole('switch', { name: 'clock' }).uncheck();
      await page.keyboard.press('Escape');
      await choice(page).selectOption({ label: 'No persona' });
      await button(main(page), `${names.length - 1} tools`).waitFor();
      await choice(page).selectOption({ label: 'Timekeeper' });
      await button(main(page), 'No tools').waitFor();
      await button(page.getByRole('navigation'), 'New chat').click();
      await expect.poll(() => choice(page).locator('option:checked').innerText()).toBe('No persona');
    } finally {
      await site.close();
    }
  },
);

thorough('a persona can be copied, exported, imported and deleted, and its chat continues', async () => {
  const site = await openSite({ folder: 'dist-e2e' });
  try {
    const { page } = site;
    await make(page, 'Writer', 'You write.');
    await toggle(page, 'Offer as a tool').check();
    await button(main(page), 'Save').click();
    await main(page).getByRole('alert').getByText('Say what it does', { exact: false }).waitFor();
    await button(main(page), 'Description:').click();
    await page.keyboard.type('Writes an article to a topic.');
    await main(page).getByText('writer', { exact: true }).waitFor();
    await main(page)
      .getByRole('textbox', { name: 'Input (JSON Schema)' })
      .fill('{"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]}');
    await save(page);

    await button(main(page), 'Duplicate').click();
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Writer 2');
    // A sub-agent is a tool for the others, but not for itself.
    await tools(page).getByRole('switch', { name: 'writer', exact: true }).waitFor();
    expect(await tools(page).getByRole('switch', { name: 'writer_2' }).count()).toBe(0);
    const download = page.waitForEvent('download');
    await button(main(page), 'Export').click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Writer-2.hearth-persona.json');
    const text = await readFile(await file.path(), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      kind: 'hearth-persona',
      version: 1,
      persona: { tools: 'all' },
    });

    await openList(page);
    await importFile(page, 'bad.json', text.replace('hearth-persona', 'hearth-tool'));
    await main(page)
      .getByRole('alert')
      .getByText('It is not a persona of Hearth.', { exact: false })
      .waitFor();
    await importFile(page, 'good.json', text.replace('"Writer 2"', '"Guest"'));
    await dialog(page).getByRole('figure', { name: 'Instructions' }).getByText('You write.').waitFor();
    await dialog(page).getByRole('figure', { name: 'Input (JSON Schema)' }).waitFor();
    expect((await stored(page)).length).toBe(2);
    await button(page, 'Save').click();
    await main(page)
      .getByText('It came with these tools switched off: All tools.', { exact: false })
      .waitFor();
    expect(await stored(page)).toContainEqual({ name: 'Guest', tools: [], isTool: false });
    expect(await toggle(page, 'Offer as a tool').isChecked()).toBe(false);

    await goTo(page, '');
    await choice(page).selectOption({ label: 'Guest' });
    await page.getByRole('textbox', { name: 'Message' }).fill('script\nGood evening.');
    await page.keyboard.press('Enter');
    await turnEnds(page);
    await openList(page);
    await page.getByRole('link', { name: 'Edit Guest' }).click();
    await button(main(page), 'Delete').click();
    await expect.poll(() => own(page).allInnerTexts()).toEqual(['Writer', 'Writer 2']);
    await page.getByRole('link', { name: 'Back to the chat' }).click();
    await expect.poll(() => choice(page).locator('option:checked').innerText()).toBe('No persona');
    await goTo(page, 'tools');
    const offered = page.getByRole('list', { name: 'Personas' });
    await expect.poll(() => offered.getByRole('switch').count()).toBe(2);
    await offered.getByRole('link', { name: 'Edit writer', exact: true }).click();
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Writer');
  } finally {
    await site.close();
  }
});

thorough('a persona from the gallery can be added, edited and chosen by keyboard alone', async () => {
  const site = await openSite({ folder: 'dist-e2e' });
  try {
    const { page } = site;
    await goTo(page, 'personas');
    await button(main(page), 'Add: Translator').focus();
    await page.keyboard.press('Enter');
    // The link to the added persona gets the focus.
    await main(page).getByRole('link', { name: 'Open: Translator' }).waitFor();
    await page.keyboard.press('Enter');
    await field(page, 'Name').focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' of letters');
    await button(main(page), 'Save').focus();
    await page.keyboard.press('Enter');
    await main(page).getByText('Saved.', { exact: true }).waitFor();
    await goTo(page, '');
    await choice(page).focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => choice(page).locator('option:checked').innerText()).toBe('Translator of letters');
    await button(main(page), 'No tools').waitFor();
    // Skips the link to the screen, then opens it with Enter.
    await page.keyboard.press('ArrowDown');
    expect(new URL(page.url()).hash).toBe('#/');
    await page.keyboard.press('Enter');
    await expect.poll(() => own(page).allInnerTexts()).toEqual(['Translator of letters']);
    await goTo(page, '');
    await expect.poll(() => choice(page).locator('option:checked').innerText()).toBe('Translator of letters');
  } finally {
    await site.close();
  }
});

thorough('a notice says that Ember cannot follow a persona and links to a larger model', async () => {
  const site = await openSite({ viewport: { width: 390, height: 844 } });
  try {
    const { page } = site;
    await goTo(page, 'personas');
    await button(main(page), 'Add: Pip').click();
    await main(page).getByRole('link', { name: 'Open: Pip' }).waitFor();
    await goTo(page, '');
    await choice(page).selectOption({ label: 'Pip' });
    const notice = main(page).getByRole('status').filter({ hasText: 'Ember cannot follow' });
    await notice.getByRole('link', { name: 'larger model' }).waitFor();
    await choice(page).selectOption({ label: 'No persona' });
    await notice.waitFor({ state: 'hidden' });
  } finally {
    await site.close();
  }
});
