/** Notes, from the request for one to its deletion on the screen: offline, in both languages. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import en from '../../src/ui/i18n/en.json?shell';
import enRest from '../../src/ui/i18n/en.json?rest';
import type { RestWords, ShellWords } from '../../src/ui/i18n/words';
import zh from '../../src/ui/i18n/zh.json?shell';
import zhRest from '../../src/ui/i18n/zh.json?rest';
import { takesAll, thorough } from '../support/matrix';
import { dumpDatabase, isOfflineReady, openSite } from './site';
import { button, dialog, goTo, main } from './tour';

interface Case {
  language: string;
  locale: string;
  words: ShellWords;
  late: RestWords;
  note: string;
  edited: string;
  query: string;
}
const cases: Case[] = [
  {
    language: 'English',
    locale: 'en-US',
    words: en,
    late: enRest,
    note: 'My wifi is called Heron',
    edited: 'My wifi is called Stork',
    query: 'wifi name',
  },
  {
    language: 'Chinese',
    locale: 'zh-CN',
    words: zh,
    late: zhRest,
    note: '我的车停在B2层',
    edited: '我的车停在B3层',
    query: '停车',
  },
];

const call = (name: string, input: object) =>
  `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`;

/** What users do, in the words of their language. */
function person(page: Page, { words, late }: Pick<Case, 'words' | 'late'>) {
  const ask = async (text: string) => {
    await page.getByRole('textbox', { name: words.composer.label }).fill(text);
    await button(page, words.composer.send).click();
  };
  const ends = () => button(page, words.composer.stop).waitFor({ state: 'hidden', timeout: 30_000 });
  const reply = () => page.getByRole('article', { name: 'Hearth' }).last();
  return {
    ask,
    ends,
    reply,
    question: dialog(page),
    newChat: () => page.getByRole('button', { name: words.navigation.newChat }).click(),
    allow: async () => {
      await expect.poll(() => button(dialog(page), late.approval.once).isEnabled()).toBe(true);
      await button(dialog(page), late.approval.once).click();
    },
    notes: async () => JSON.parse((await dumpDatabase(page))['notes'] ?? '[]') as { text: string }[],
  };
}

thorough.for(cases)(
  'a note can be saved, listed, edited, recalled and deleted: $language',
  { timeout: 120_000 },
  async ({ locale, words, late, note, edited, query }) => {
    const site = await openSite({ folder: 'dist-e2e', locale, hasServiceWorker: takesAll });
    try {
      const { page } = site;
      if (takesAll) {
        await isOfflineReady(page);
        await page.reload();
        await site.cutNetwork();
      }
      const { ask, ends, reply, question, newChat, allow, notes } = person(page, { words, late });
      const recall = async () => {
        await newChat();
        await ask(`script\n${call('recall', { query })}\n---\n{{result}}`);
        await ends();
      };
      const remember = `script\n${call('remember', { note })}\n---\nDone.`;

      await ask(remember);
      await question.getByText(note).waitFor();
      await expect.poll(() => question.innerText()).toContain(late.approval.reasons.note);
      expect(await question.getByRole('button').allTextContents()).not.toContain(late.approval.chat);
      await button(question, late.approval.deny).click();
      await ends();
      expect(await notes()).toEqual([]);
      await reply().getByText(late.failures.refused).first().waitFor();

      await ask(remember);
      await allow();
      await reply().getByText(late.call.noteKept, { exact: true }).waitFor();
      await ends();
      expect(await notes()).toMatchObject([{ text: note }]);

      await recall();
      await reply().getByRole('group').getByText(note).first().waitFor();
      await expect.poll(() => reply().innerText()).toContain(note);

      await goTo(page, 'notes');
      await button(main(page), late.notes.edit(note)).click();
      await main(page).getByLabel(late.notes.editing, { exact: true }).fill(edited);
      await button(main(page), late.common.save).click();
      await main(page).getByRole('listitem').getByText(edited).waitFor();
      await page.reload();
      await main(page).getByRole('searchbox', { name: late.notes.search }).fill(query);
      await main(page).getByText(late.notes.found(1)).waitFor();

      await recall();
      await expect.poll(() => reply().innerText()).toContain(edited);

      await goTo(page, 'notes');
      await button(main(page), late.notes.delete(edited)).click();
      await main(page).getByText(late.notes.none).waitFor();
      // In the bin, where no model finds it.
      expect(await notes()).toMatchObject([{ text: edited, deletedAt: expect.any(Number) }]);
      await recall();
      await reply().getByText(late.call.notesFound(0)).waitFor();
    } finally {
      await site.close();
    }
  },
);

const plainly: [string, Case, ask: string, find: string, kept: string][] = [
  [
    'English',
    cases[0]!,
    'Remember that my wifi is called Heron',
    'What did I tell you about my wifi?',
    'my wifi is called Heron',
  ],
  ['Chinese', cases[1]!, '记住我的车停在B2层', '我的笔记里关于停车写了什么？', '我的车停在B2层'],
];
test.runIf(takesAll).for(plainly)(
  'the built-in model Ember saves and finds a note when asked in everyday language: %s',
  async ([, given, wish, find, kept]) => {
    const site = await openSite({ locale: given.locale });
    try {
      const { page } = site;
      const { ask, ends, reply, newChat, allow, notes } = person(page, given);
      await ask(wish);
      await allow();
      await ends();
      expect(await notes()).toMatchObject([{ text: kept }]);
      await newChat();
      await ask(find);
      await ends();
      // The whole answer, letter by letter, next to the card of the call.
      await expect.poll(() => reply().locator('p').allInnerTexts()).toContain(kept);
    } finally {
      await site.close();
    }
  },
);
