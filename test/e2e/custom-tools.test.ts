/** The user's own tools in the built site: written, tested, saved, and called in a chat, online and offline. */
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import {
  at,
  call,
  openNew,
  openTools,
  ownSwitches,
  run,
  save,
  slugCode,
  tryOut,
  write,
} from './custom-tool-steps';
import { takesAll, thorough, slow } from '../support/matrix';
import { isOfflineReady, lastReply, turnEnds } from './site';

/** Moves the focus to the target by Tab or Shift+Tab. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const isThere = () =>
    target.evaluate((element) => {
      const root = element.getRootNode();
      return (root instanceof ShadowRoot || root instanceof Document) && root.activeElement === element;
    });
  // Keys pressed before the screen has loaded go elsewhere.
  await target.waitFor();
  for (let presses = 0; presses < 80; presses++) {
    if ((await target.count()) > 0 && (await isThere())) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${String(target)} is not reached by ${key}`);
}

async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+A');
  // Each key press checks the whole form, so type a long text's start and insert the rest at once.
  await page.keyboard.type(text.slice(0, 20));
  await page.keyboard.insertText(text.slice(20));
}

slow(
  'a tool can be written, tested and saved by keyboard alone, and works after a reload',
  () =>
    at(
      async (site) => {
        const { page } = site;
        if (takesAll) await isOfflineReady(page);
        await pressOn(page, page.getByRole('link', { name: 'Tools' }).first());
        await pressOn(page, page.getByRole('button', { name: 'New tool' }));
        await page.getByRole('textbox', { name: 'Code', exact: true }).waitFor();
        await typeInto(page, page.getByLabel('Name', { exact: true }), 'slugify');
        await typeInto(page, page.getByLabel('Title', { exact: true }), 'Slugs');
        const description = 'Makes the address of a post from its title. Use it for slugs.';
        await typeInto(page, page.getByLabel('Description', { exact: true }), description);
        await typeInto(page, page.getByLabel('Key', { exact: true }), 'title');
        await tabTo(page, page.getByRole('combobox', { name: 'Type' }));
        await page.keyboard.type('text');
        await typeInto(page, page.getByLabel('Code', { exact: true }), slugCode);
        // Tab indents in the editor; after Escape it moves on.
        await page.keyboard.press('Escape');
        await page.keyboard.press('Tab');
        await typeInto(page, tryOut(page).getByLabel('title', { exact: true }), 'My First Post');
        await pressOn(page, tryOut(page).getByRole('button', { name: 'Run' }));
        const result = tryOut(page).getByLabel('Result', { exact: true });
        await result.waitFor();
        expect(await result.textContent()).toBe('"my-first-post"');
        const log = tryOut(page).getByRole('log');
        await expect.poll(() => log.textContent()).toBe('slug of My First Post');
        const save = page.getByRole('button', { name: 'Save' });
        await pressOn(page, save);
        await page.getByText('Saved.').waitFor();
        expect(await save.evaluate((button) => button === document.activeElement)).toBe(true);

        const chat = async () => {
          await pressOn(page, page.getByRole('button', { name: 'New chat' }).first());
          await tabTo(page, page.getByRole('textbox', { name: 'Message' }));
          await page.keyboard.insertText(
            `script\n${call('slugify', { title: 'My First Post' })}\n---\nIt is {{result}}`,
          );
          await page.keyboard.press('Enter');
          await turnEnds(page);
          const card = lastReply(page).getByRole('group', { name: /slugify/ });
          expect(await card.getByLabel('Result').textContent()).toBe('my-first-post');
          expect(await lastReply(page).textContent()).toContain('It is');
        };
        await chat();
        await page.reload();
        await openTools(page);
        expect(await page.getByRole('switch', { name: 'slugify' }).isChecked()).toBe(true);
        if (takesAll) await site.cutNetwork();
        await page.reload();
        await chat();

        await openTools(page);
        await page.getByRole('link', { name: 'Edit slugify' }).click();
        await expect
          .poll(() => page.getByLabel('Code', { exact: true }).innerText())
          .toContain('toLowerCase');
        await page.getByRole('button', { name: 'How to write a tool' }).click();
        await page.getByRole('dialog').getByText('Define its parameters').waitFor();
      },
      { hasServiceWorker: takesAll },
    ),
  120_000,
);

thorough('a new tool starts as a working example, and "Delete" and "Export" appear once it is saved', () =>
  at(async ({ page }) => {
    await openNew(page);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    expect(await run(page)).toMatch(/^"[1-6] of 6"$/);
    expect(await tryOut(page).getByRole('log', { name: 'Log' }).textContent()).toBe('sides: 6');
    expect(await button('Delete').count()).toBe(0);
    expect(await button('Export').count()).toBe(0);
    expect(await page.getByLabel('Hosts', { exact: true }).count()).toBe(0);
    expect(await page.getByLabel('Requests per run').count()).toBe(0);
    await page.getByRole('radio', { name: 'Reads the web' }).check();
    await page.getByLabel('Hosts', { exact: true }).waitFor();
    await button('Discard changes').click();
    await save(page);
    await page.getByRole('heading', { level: 1, name: 'Roll a die' }).waitFor();
    await button('Delete').waitFor();
    await button('Export').waitFor();
  }),
);

thorough('each error in the tool editor links to the field that causes it', () =>
  at(async ({ page }) => {
    await openNew(page);
    await write(page, { name: 'Not a name', title: 'Herons', schema: '{"type":"strin"}', code: '' });
    await page.getByRole('heading', { level: 1, name: 'Herons' }).waitFor();
    await page.getByRole('radio', { name: 'Reads the web' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    for (const field of ['Name', 'Parameters (JSON Schema)', 'Code', 'Hosts']) {
      await alert.getByRole('button', { name: field }).first().click();
      const isThere = await page.getByLabel(field, { exact: true }).evaluate((element) => {
        const root = element.getRootNode();
        return (root instanceof ShadowRoot || root instanceof Document) && root.activeElement === element;
      });
      expect([field, isThere]).toEqual([field, true]);
    }
    expect(await alert.textContent()).toContain('Write what it does.');
  }),
);

thorough('unsaved changes to a tool survive a reload', () =>
  at(async ({ page }) => {
    await openNew(page);
    await write(page, {
      name: 'calculator',
      schema: '{"type":"object","properties":{"a":{"type":"strin"}}}',
      code: 'return 1;\nreturn (;',
    });
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    const text = (await alert.textContent()) ?? '';
    expect(text).toContain('Another tool has this name.');
    expect(text).toContain('properties.a.type');
    expect(text).toMatch(/Code, line 2/);

    await page.reload();
    await page.getByLabel('Code', { exact: true }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('calculator');
    await expect.poll(() => page.getByLabel('Code', { exact: true }).innerText()).toContain('return (;');
    expect(await run(page)).toMatch(/^BAD_ARGS/);
    await openTools(page);
    expect(await ownSwitches(page).count()).toBe(0);
  }),
);

thorough('every save of a tool creates a version that can be compared and restored', () =>
  at(async ({ page }) => {
    await openNew(page);
    await write(page, { name: 'one', code: 'return 1' });
    await save(page);
    await page.getByLabel('Code', { exact: true }).fill('return 2');
    await save(page);
    await page.getByRole('button', { name: 'Compare' }).click();
    const diff = page.getByRole('figure', { name: 'What is different now' });
    expect(await diff.locator('del').allTextContents()).toEqual(['- return 1']);
    expect(await diff.locator('ins').allTextContents()).toEqual(['+ return 2']);
    await page.getByRole('button', { name: 'Restore' }).click();
    expect(await run(page)).toBe('1');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor();
    expect(await ownSwitches(page).count()).toBe(0);
  }),
);
