/** The screens other than the chat, in each state. */
import type { Locator } from 'playwright';
import { expect } from 'vitest';
import type { RestWords } from '../../src/ui/i18n/words';
import { type FakePromptApi, installPromptApi } from '../support/fake-prompt-api';
import { seeBackup } from './every-backup';
import { button, close, dialog, folded, goTo, main, pressAll, type Tour } from './tour';

export async function seeSettings(tour: Tour): Promise<void> {
  const { page, rest, look } = tour;
  const { settings } = rest;
  await goTo(page, 'settings');
  await page.getByRole('table').first().waitFor();
  await look('the settings');
  await seeBackup(tour);
  await pressAll(main(page).getByRole('switch', { checked: false }));
  const field = (name: string) => main(page).getByLabel(name, { exact: true }).last();
  for (const name of [settings.search.url, settings.proxy, rest.common.address]) {
    await field(name).fill('no address');
    await field(name).press('Enter');
  }
  await field(settings.rounds).fill('99');
  await field(settings.rounds).press('Tab');
  await main(page).getByText(settings.addresses.problems.scheme).waitFor();
  await look('settings that are wrong');
  await button(main(page), settings.deleteAll).click();
  await dialog(page).waitFor();
  await look('whether to delete everything');
  await close(page);
}

/** Browsers block this port, so an allowed request to it still fails. */
const nowhere = 'http://127.0.0.1:9';

async function seeEndpoints({ page, rest, words, look }: Tour): Promise<void> {
  const { endpoints, common } = rest;
  await button(main(page), endpoints.add).click();
  const form = main(page).getByRole('form', { name: endpoints.add, exact: true });
  await form.getByLabel(common.address, { exact: true }).fill(nowhere);
  await form.getByLabel(common.model, { exact: true }).fill('Afar');
  await button(form, common.tryIt).click();
  await button(form, endpoints.allow(nowhere)).click();
  await form.getByText('OLLAMA_ORIGINS').waitFor();
  await look('a server that cannot be reached');
  await button(form, common.save).click();
  const article = main(page).getByRole('article', { name: 'Afar', exact: true });
  await button(article, common.edit).click();
  const editor = article.getByRole('form');
  await editor.waitFor();
  await look('a model on a server, edited');
  await button(editor, words.actions.close).click();
  await button(article, common.remove).click();
}

export async function seeModels(tour: Tour): Promise<void> {
  const { page, rest, look, models, loseModel } = tour;
  // Like a browser that has its own model.
  await page.evaluate(installPromptApi, { availability: 'downloadable' as const, needsNoPress: true });
  await goTo(page, 'models');
  await main(page).getByRole('article').first().waitFor();
  await look('the models');
  await seeBrowserModel(tour);
  const tested = main(page).getByRole('article', { name: 'scripted', exact: true });
  await button(tested, rest.exam.begin).click();
  await tested.getByRole('table', { name: rest.exam.table, exact: true }).waitFor();
  await look('a model that was tested');
  await seeEndpoints(tour);
  await pressAll(main(page).locator(folded));
  await button(main(page), rest.common.add).click();
  await main(page).getByRole('alert').last().waitFor();
  await look('every model, and one that cannot be added');

  const { add, download, pause, resume } = rest.models;
  await main(page).getByLabel(add.modelUrl, { exact: true }).fill(models.url);
  await main(page).getByLabel(add.id, { exact: true }).fill('Added');
  await button(main(page), rest.common.add).click();
  const added = main(page).getByRole('article', { name: 'Added', exact: true });
  await button(added, download).click();
  await added.getByRole('progressbar').waitFor();
  await look('a model that is on its way');
  await button(added, pause).click();
  await button(added, resume).waitFor();
  await look('a download that is paused');
  loseModel();
  await button(added, resume).click();
  await added.getByRole('alert').waitFor();
  await look('a download that failed');
}

async function seeBrowserModel({ page, rest, look }: Tour): Promise<void> {
  const article = main(page).getByRole('article', { name: 'browser-model', exact: true });
  await button(article, rest.models.download).click();
  const share = (given: number) =>
    page.evaluate(
      (now) =>
        (globalThis as typeof globalThis & { fakePromptApi: FakePromptApi }).fakePromptApi.progress(now),
      given,
    );
  await expect.poll(() => share(0.4)).toBe(true);
  await article.getByText('40').waitFor();
  await look('a model that the browser fetches');
  await share(1);
  await button(article, rest.models.use).waitFor();
  await look('a model that the browser has');
}

export async function seeNotes({ page, rest, look }: Tour): Promise<void> {
  const { notes } = rest;
  await goTo(page, 'notes');
  await main(page).getByText(notes.none).waitFor();
  await look('no notes');
  const box = main(page).getByLabel(notes.new, { exact: true });
  await box.fill('A heron stands in the pond.\n池塘里有一只苍鹭。');
  await button(main(page), notes.add).click();
  await main(page).getByRole('listitem').waitFor();
  await box.fill('x'.repeat(2001));
  await main(page).getByRole('alert').waitFor();
  await look('a note, and one that is too long');
  await box.fill('');
  await button(main(page), new RegExp(`^${notes.edit('A heron')}`)).click();
  await main(page).getByLabel(notes.editing, { exact: true }).waitFor();
  await look('a note that is edited');
  await page.keyboard.press('Escape');
  await main(page).getByRole('searchbox').fill('stork');
  await main(page).getByText(notes.found(0)).waitFor();
  await look('a search that finds no note');
  await main(page).getByRole('searchbox').fill('');
  await button(main(page), new RegExp(`^${notes.delete('A heron')}`)).click();
  await main(page).getByText(notes.none).waitFor();
  await look('a note that was deleted, and can be brought back');
}

export async function seeTools({ page, rest, look }: Tour): Promise<void> {
  const { editor, common } = rest;
  await goTo(page, 'tools');
  const taking = main(page).getByRole('button', { name: new RegExp(`^${editor.take}`) });
  await taking.first().waitFor();
  await look('the tools');
  await taking.first().click();
  await dialog(page).waitFor();
  await look('a tool of the gallery');
  await button(dialog(page), common.add).click();
  const edit = main(page).getByRole('link', { name: new RegExp(`^${common.edit}`) });
  await edit.waitFor();
  await look('the tools with one of the gallery');
  await page.locator('input[type="file"]').setInputFiles({
    name: 'wrong.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{}'),
  });
  await main(page).getByRole('alert').last().waitFor();
  await look('a file that is no tool');

  await edit.click();
  await button(main(page), editor.test.run).click();
  await main(page).getByLabel(common.result, { exact: true }).waitFor();
  await look('a tool that was saved, and its test');
  await seeReachingTool(main(page), rest);
  await look('a tool that reaches out, beside an earlier version');
  await button(main(page), common.delete).click();
  await taking.first().waitFor();
  await look('a tool that was deleted, and can be brought back');
  await goTo(page, 'tools/new');
  await button(main(page), common.save).waitFor();
  await look('a new tool');
  await button(main(page), common.save).click();
  await look('a tool that cannot be saved');
  await button(main(page), editor.howTo).click();
  await dialog(page).getByRole('heading', { level: 2 }).nth(1).waitFor();
  await look('how to write a tool');
  await close(page);
}

async function seeReachingTool(
  form: Locator,
  { editor: words, common, editorPage }: RestWords,
): Promise<void> {
  await form.getByLabel(words.fields.code, { exact: true }).fill('return 1;');
  await button(form, common.save).click();
  await form.getByText(editorPage.saved, { exact: true }).waitFor();
  await button(form, words.versions.compare).click();
  await form.getByRole('radio', { name: words.classes['net-read'] }).check();
  await form.getByLabel(words.fields.hosts, { exact: true }).fill('api.example.org');
  await button(form, words.secrets.add).click();
}

/** Causes a bug, wherever that may be. */
export async function seeFault({ page, rest, look }: Tour): Promise<void> {
  await page.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('broken on purpose');
      }),
  );
  await page.getByText(rest.notices.fault, { exact: true }).waitFor();
  await look('a bug that reached the last handler');
}

export async function seeNewVersion({ page, rest, look, release }: Tour): Promise<void> {
  await goTo(page, '');
  await release();
  await button(page, rest.notices.updateNow).waitFor();
  await look('a new version');
}
