/** Every screen of the built site, in each state that a person can bring it to; in any language. */
import type { Locator, Page } from 'playwright';
import type { Words } from '../../src/ui/i18n/en';
import type { LateWords } from '../../src/ui/i18n/en-late';
import { turnEnds } from './site';

export interface Tour {
  page: Page;
  words: Words;
  late: LateWords;
  /** Is called in each state; `open` brings it about anew where it does not outlive another width. */
  look: (name: string, open?: () => Promise<void>) => Promise<void>;
  /** Puts a newer version of the app on the host. */
  release: () => Promise<void>;
}

const call = (name: string, input: object) =>
  `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`;

const answer = `# A heading

Some *text* with \`code\`, a [page](https://pages.example.com/story) and [www.example.com](https://other.example).

> A quotation

- [x] done
- [ ] to do

\`\`\`js
const long = ['a line of code that is wider than a phone', 'and also wider than the column of a chat on a desktop'];
\`\`\`

| Name | Height in metres | Built in | Keeper | Remarks |
| --- | ---: | :---: | --- | --- |
| The lighthouse of Ar | 42 | 1887 | Maren Holt | ${'Out of use. '.repeat(8)}|
`;

export async function seeEverything(tour: Tour): Promise<void> {
  await seeEmptyChat(tour);
  await seeAnswer(tour);
  await seeQuestions(tour);
  await seeEndings(tour);
  await seeList(tour);
  await seeSettings(tour);
  await seeModels(tour);
  await seeTools(tour);
  await seeNewVersion(tour);
}

const button = (inside: Page | Locator, name: string | RegExp) =>
  inside.getByRole('button', { name, exact: true });
const main = (page: Page) => page.getByRole('main');
const dialog = (page: Page) => page.getByRole('dialog');

/** Opens something that Escape closes, and which only stands right in the width it was opened in. */
const reopens = (page: Page, press: () => Locator) => async () => {
  await page.keyboard.press('Escape');
  await press().click();
  await page.locator(':popover-open :is(button, input, a)').first().waitFor();
};

/** What is pressed is among them no longer. */
async function pressAll(buttons: Locator): Promise<void> {
  while ((await buttons.count()) > 0) await buttons.first().click();
}

const folded = 'details:not([open]) > summary:visible';

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('dialog[open], :popover-open').waitFor({ state: 'hidden' });
}

async function write(tour: Tour, text: string): Promise<void> {
  const { page, words } = tour;
  await page.getByRole('textbox', { name: words.composer.label, exact: true }).fill(text);
}

async function ask(tour: Tour, text: string): Promise<void> {
  await write(tour, text);
  await button(tour.page, tour.words.composer.send).click();
}

async function askAndWait(tour: Tour, text: string): Promise<void> {
  await ask(tour, text);
  await turnEnds(tour.page, tour.words.composer.stop);
}

async function newChat({ page, words }: Tour): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(page, words.navigation.newChat).click();
  await page.getByRole('heading', { name: words.empty.title }).waitFor();
}

async function seeEmptyChat(tour: Tour): Promise<void> {
  const { page, words, look } = tour;
  await page.getByRole('heading', { name: words.empty.title }).waitFor();
  await look('an empty chat');
  await page.keyboard.press('Tab');
  await look('the link to the message box', () => page.locator('.skip').focus());
  const tools = () => main(page).locator('form').getByRole('button').first();
  await look('the tools of a chat', reopens(page, tools));
  await look(
    'the models of a chat',
    reopens(page, () => main(page).locator('header .pill button').first()),
  );
  await close(page);
  await look('the shortcuts', async () => {
    if (!(await dialog(page).isVisible())) await page.keyboard.press('Control+Slash');
    await dialog(page).waitFor();
  });
  await close(page);
  await page.context().setOffline(true);
  await look('offline');
  await page.context().setOffline(false);
}

async function seeAnswer(tour: Tour): Promise<void> {
  const { page, words, late, look } = tour;
  const calls = [
    call('calculator', { expression: '17*23' }),
    call('clock', { place: 'Tokyo' }),
    call('calculator', { expression: '1+' }),
    '<tool_call>{"name": "calculator", "arguments": {"expression": </tool_call>',
  ].join('\n');
  await askAndWait(tour, `script\n<think>A thought.</think>\n${calls}\n---\n${answer}`);
  await look('an answer with its calls folded');
  await pressAll(main(page).locator('[aria-expanded="false"]:not([popovertarget])'));
  await pressAll(main(page).locator(folded));
  await look('an answer with its calls open');

  await button(main(page), late.turn.details).last().click();
  await dialog(page).getByText(late.details.rawText).first().waitFor();
  await pressAll(dialog(page).locator(folded));
  await look('the details of an answer');
  await close(page);
  await button(main(page), late.turn.delete).last().click();
  await dialog(page).waitFor();
  await look('whether to delete an answer');
  await close(page);
  await main(page).getByRole('link', { name: /^www/ }).click();
  await dialog(page).waitFor();
  await look('whether to follow a link');
  await close(page);
  await button(main(page), late.turn.edit).first().click();
  await look('a question that is edited');
  await button(main(page), words.actions.cancel).click();
}

/** What is asked before something leaves the device, and what is said when it may not. */
async function seeQuestions(tour: Tour): Promise<void> {
  const { page, late, look } = tour;
  await newChat(tour);
  const search = call('web_search', { query: 'lighthouse of Ar' });
  await ask(tour, `script\n${search}\n---\nNo.`);
  await dialog(page).waitFor();
  await look('whether to search');
  await button(dialog(page), late.approval.deny).click();
  await turnEnds(page, tour.words.composer.stop);
  await look('a call that was refused');
  // What is found has the model ask for a page.
  await ask(tour, `script\n${search}\n---\n{{obey}}\n---\nRead: {{result}}`);
  await button(dialog(page), late.approval.chat).click();
  const always = button(dialog(page), late.approval.always('pages.example.com'));
  await always.waitFor();
  await look('whether to ask an address');
  await always.click();
  await turnEnds(page, tour.words.composer.stop);
  await look('a page that was read');
}

async function seeEndings(tour: Tour): Promise<void> {
  const { page, words, late, look } = tour;
  await newChat(tour);
  await ask(tour, 'script 250\nword {{repeat 400}}');
  await button(page, words.composer.stop).waitFor();
  await look('an answer that is being written');
  await button(page, words.composer.stop).click();
  await turnEnds(page, words.composer.stop);
  await look('an answer that was stopped');
  await askAndWait(tour, 'script\nIt goes on {{crash}}after a crash.');
  await look('an answer after a crash');
  await write(tour, 'word '.repeat(20_000));
  await main(page).locator('form p[role="status"]').waitFor();
  await look('a message that is too long');
  await button(page, words.composer.send).click();
  await main(page).getByRole('article').getByText(late.errors['message-too-long']('Scripted')).waitFor();
  await look('a message that was too long');
}

/** The chats at the side, over the screen on a phone, or out of the way. */
async function seeList(tour: Tour): Promise<void> {
  const { page, words, look } = tour;
  const list = page.getByRole('navigation');
  const showList = async () => {
    if (!(await list.isVisible())) await button(main(page), words.navigation.open).click();
  };
  await look('the list of chats', showList);
  const choose = async (choice: string) => {
    await showList();
    await list.getByRole('button', { name: words.chats.actions }).first().click();
    await button(list, choice).click();
  };
  // It is left when the list goes.
  await look('a chat that is renamed', () => choose(words.chats.rename));
  await list.getByRole('textbox').press('Escape');
  await choose(words.chats.delete);
  await dialog(page).waitFor();
  await look('whether to delete a chat');
  await close(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(list, words.navigation.fold).click();
  await look('without the list of chats');
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(main(page), words.navigation.open).click();
}

const goTo = (page: Page, screen: string) => page.evaluate((hash) => (location.hash = hash), `#/${screen}`);

async function seeSettings({ page, late, look }: Tour): Promise<void> {
  const { settings } = late;
  await goTo(page, 'settings');
  await page.getByRole('table').waitFor();
  await look('the settings');
  await pressAll(main(page).getByRole('switch', { checked: false }));
  const field = (name: string) => main(page).getByLabel(name, { exact: true }).last();
  for (const name of [settings.search.url, settings.proxy, settings.addresses.address]) {
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

async function seeModels({ page, late, look }: Tour): Promise<void> {
  await goTo(page, 'models');
  await main(page).getByRole('article').first().waitFor();
  await look('the models');
  await pressAll(main(page).locator(folded));
  await button(main(page), late.models.add.add).click();
  await main(page).getByRole('alert').last().waitFor();
  await look('every model, and one that cannot be added');
}

async function seeTools({ page, late, look }: Tour): Promise<void> {
  const { editor } = late;
  await goTo(page, 'tools');
  const taking = main(page).getByRole('button', { name: new RegExp(`^${editor.take}`) });
  await taking.first().waitFor();
  await look('the tools');
  await taking.first().click();
  await dialog(page).waitFor();
  await look('a tool of the gallery');
  await button(dialog(page), editor.preview.add).click();
  const edit = main(page).getByRole('link', { name: new RegExp(`^${editor.edit}`) });
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
  await main(page).getByLabel(editor.test.result, { exact: true }).waitFor();
  await look('a tool that was saved, and its test');
  await button(main(page), editor.delete).click();
  await dialog(page).waitFor();
  await look('whether to delete a tool');
  await close(page);
  await goTo(page, 'tools/new');
  await button(main(page), editor.save).waitFor();
  await look('a new tool');
  await button(main(page), editor.save).click();
  await look('a tool that cannot be saved');
  await button(main(page), editor.howTo).click();
  await dialog(page).getByRole('heading', { level: 2 }).nth(1).waitFor();
  await look('how to write a tool');
  await close(page);
}

async function seeNewVersion({ page, late, look, release }: Tour): Promise<void> {
  await goTo(page, '');
  await release();
  await button(page, late.notices.updateNow).waitFor();
  await look('a new version');
}
