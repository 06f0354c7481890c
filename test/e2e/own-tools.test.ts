/** A person's own tools in the built site: written, tried, saved, and called in a chat, online and off. */
import { expect, test } from 'vitest';
import {
  at,
  call,
  openNew,
  openTools,
  ownSwitches,
  run,
  save,
  slugCode,
  slugSchema,
  tryOut,
  write,
} from './own-tool-steps';
import { ask, isOfflineReady, lastReply, turnEnds } from './site';

test(
  'a tool written on the screen is tried, saved, called in a chat, and works after a reload and offline',
  () =>
    at(async (site) => {
      const { page } = site;
      await isOfflineReady(page);
      await openNew(page);
      await write(page, { name: 'slugify', title: 'Slugs', schema: slugSchema, code: slugCode });
      await tryOut(page).getByLabel('title', { exact: true }).fill('My First Post');
      expect(await run(page)).toBe('"my-first-post"');
      expect(await tryOut(page).getByRole('log').textContent()).toBe('slug of My First Post');
      await save(page);

      const chat = async () => {
        await page
          .getByRole('link', { name: 'New chat' })
          .or(page.getByRole('button', { name: 'New chat' }))
          .first()
          .click();
        await ask(page, `script\n${call('slugify', { title: 'My First Post' })}\n---\nIt is {{result}}`);
        await turnEnds(page);
        const card = lastReply(page).getByRole('group', { name: /slugify/ });
        expect(await card.getByLabel('Result').textContent()).toBe('my-first-post');
        expect(await lastReply(page).textContent()).toContain('It is');
      };
      await chat();
      await page.reload();
      await openTools(page);
      expect(await page.getByRole('switch', { name: 'slugify' }).isChecked()).toBe(true);
      await site.cutNetwork();
      await page.reload();
      await chat();

      await openTools(page);
      await page.getByRole('link', { name: 'Edit slugify' }).click();
      expect(await page.getByLabel('Code', { exact: true }).innerText()).toContain('toLowerCase');
      await page.getByRole('button', { name: 'How to write a tool' }).click();
      await page.getByRole('dialog').getByText('From nothing to a tool').waitFor();
    }),
  120_000,
);

test('what is not saved survives a reload, and what cannot be saved is refused with its place', () =>
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
    expect(await page.getByLabel('Code', { exact: true }).innerText()).toContain('return (;');
    expect(await run(page)).toMatch(/^BAD_ARGS/);
    await openTools(page);
    expect(await ownSwitches(page).count()).toBe(0);
  }));

test('a version is kept with every save, compared and restored', () =>
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
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor();
    expect(await ownSwitches(page).count()).toBe(0);
  }));
