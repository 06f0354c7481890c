/** Brings every screen of the built site to each of its states, in any language. */
import { seeFault, seeModels, seeNewVersion, seeNotes, seeSettings, seeTools } from './every-screen';
import { seeFollowUps, seePalette, seePrompts } from './every-command';
import { seeDictation } from './every-dictation';
import { seeFiles } from './every-file';
import { seeOrder } from './every-order';
import { seePersonas } from './every-persona';
import { seeServers } from './every-server';
import { turnEnds } from './site';
import { button, close, dialog, folded, goTo, main, pressAll, reopens, type Tour } from './tour';

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

/** A failure in one part does not hide those in the parts after it. */
export async function seeEverything(tour: Tour): Promise<void> {
  const parts = [
    seeEmptyChat,
    seeAnswer,
    seeClaims,
    seeQuestions,
    seeEndings,
    seeFollowUps,
    seeFiles,
    seePalette,
    seePrompts,
    seeDictation,
    seeGreeting,
    seeLongChat,
    seeSummary,
    seeList,
    seeSearch,
    seeOrder,
    seeSettings,
    seeModels,
    seeTools,
    seeNotes,
    seePersonas,
    seeServers,
    seeNewVersion,
    seeFault,
  ];
  const ends: string[] = [];
  for (const see of parts) {
    await tour.page.setViewportSize({ width: 1440, height: 900 });
    try {
      await see(tour);
    } catch (error) {
      ends.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      await tour.look(`where ${see.name} ended`);
      for (let open = 0; open < 3; open++) await tour.page.keyboard.press('Escape');
      await goTo(tour.page, '');
    }
  }
  if (ends.length > 0) throw new Error(ends.join('\n\n'));
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
  await button(page.getByRole('navigation'), words.navigation.newChat).click();
  await page.getByRole('heading', { name: words.empty.title }).waitFor();
}

async function seeEmptyChat(tour: Tour): Promise<void> {
  const { page, words, look } = tour;
  await page.getByRole('heading', { name: words.empty.title }).waitFor();
  await look('an empty chat');
  await page.keyboard.press('Tab');
  await look('the link to the message box', () => page.locator('.skip').focus());
  const tools = () => main(page).locator('form [popovertarget]').first();
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

/** Claims without a source: a number that is not in the question either, and an action. */
async function seeClaims(tour: Tour): Promise<void> {
  const { page, look } = tour;
  await newChat(tour);
  const sum = call('calculator', { expression: '6*7' });
  const said = "It is 42, and the postage is\n9{{repeat 4}} euros. I've added it to your shopping list.";
  await askAndWait(tour, `script\n${sum}\n---\n${said}`);
  await page.getByRole('note').waitFor();
  await look('an answer with a number and a deed from nowhere');
}

async function seeAnswer(tour: Tour): Promise<void> {
  const { page, words, rest, look } = tour;
  const calls = [
    call('calculator', { expression: '17*23' }),
    call('clock', { place: 'Tokyo' }),
    call('calculator', { expression: '1+' }),
    '<tool_call>{"name": "calculator", "arguments": {"expression": </tool_call>',
  ].join('\n');
  await askAndWait(tour, `script\n<think>A thought.</think>\n${calls}\n---\n${answer}`);
  await look('an answer with its calls folded');
  await pressAll(main(page).locator('article [aria-expanded="false"]:not([popovertarget])'));
  await pressAll(main(page).locator(folded));
  await look('an answer with its calls open');

  await button(main(page), rest.turn.details).last().click();
  await dialog(page).getByText(rest.details.rawText).first().waitFor();
  await pressAll(dialog(page).locator(folded));
  await look('the details of an answer');
  const { replay } = rest.trace;
  await button(dialog(page), replay.otherQuestion).click();
  await button(dialog(page), replay.start).waitFor();
  await look('a question to be asked otherwise');
  await button(dialog(page), replay.back).click();
  await dialog(page).getByRole('button', { name: replay.otherResult }).first().click();
  await button(dialog(page), replay.start).waitFor();
  await look('a result to be changed');
  await close(page);
  await button(main(page), rest.common.delete).last().click();
  await dialog(page).waitFor();
  await look('whether to delete an answer');
  await close(page);
  await main(page).getByRole('link', { name: /^www/ }).click();
  await dialog(page).waitFor();
  await look('whether to follow a link');
  await close(page);
  await button(main(page), rest.common.edit).first().click();
  await look('a question that is edited');
  await button(main(page), words.actions.cancel).click();
}

/** The questions asked before anything leaves the device, and the messages if it may not. */
async function seeQuestions(tour: Tour): Promise<void> {
  const { page, rest, look } = tour;
  await newChat(tour);
  const search = call('web_search', { query: 'lighthouse of Ar' });
  await ask(tour, `script\n${search}\n---\nNo.`);
  await dialog(page).waitFor();
  await look('whether to search');
  await button(dialog(page), rest.approval.deny).click();
  await turnEnds(page, tour.words.composer.stop);
  await look('a call that was refused');
  // The search result makes the model request a page.
  await ask(tour, `script\n${search}\n---\n{{obey}}\n---\nRead: {{result}}`);
  await button(dialog(page), rest.approval.chat).click();
  const always = button(dialog(page), rest.approval.always('pages.example.com'));
  await always.waitFor();
  await look('whether to ask an address');
  await always.click();
  await turnEnds(page, tour.words.composer.stop);
  await look('a page that was read');
}

async function seeEndings(tour: Tour): Promise<void> {
  const { page, words, rest, look } = tour;
  await newChat(tour);
  await ask(tour, 'script 250\nword {{repeat 400}}');
  await button(page, words.composer.stop).waitFor();
  await look('an answer that is being written');
  await button(page, words.composer.stop).click();
  await turnEnds(page, words.composer.stop);
  await look('an answer that was stopped');
  await askAndWait(tour, 'script\nIt goes on {{crash}}after a crash.');
  await look('an answer after a crash');
  await askAndWait(tour, 'script\nha {{repeat 3000}}');
  await main(page).getByText(rest.ends.looped('Scripted')).waitFor();
  await look('an answer that repeated itself');
  await write(tour, 'word '.repeat(20_000));
  await main(page).locator('form p[role="status"]').waitFor();
  await look('a message that is too long');
  await button(page, words.composer.send).click();
  await main(page).getByRole('article').getByText(rest.errors['message-too-long']('Scripted')).waitFor();
  await look('a message that was too long');
}

/** The page's replies in place of a very small model, to which only this chat is switched. */
async function seeGreeting(tour: Tour): Promise<void> {
  const { page, rest, look } = tour;
  await newChat(tour);
  await askAndWait(tour, 'script\nA first answer.');
  await main(page).locator('header .pill button').first().click();
  await page
    .locator(':popover-open')
    .getByRole('button', { name: /^Ember/ })
    .click();
  await askAndWait(tour, 'hi');
  await main(page).getByRole('list', { name: rest.turn.suggestions }).waitFor();
  await look('a greeting, with questions to press');
  await askAndWait(tour, 'tell me a joke');
  await button(main(page), /^(?:Get|获取) /).waitFor();
  await look('what leads on from what is beyond the model');
}

/** A chat that no longer fits its model: the scripted one has a context of 16,000 characters. */
async function seeSummary(tour: Tour): Promise<void> {
  const { page, rest, look } = tour;
  await newChat(tour);
  const lines = Array.from({ length: 80 }, (_, at) => `Line ${at} of an answer.`).join(' ');
  await askAndWait(tour, 'script\nNOTES The person is Ada. END');
  for (let turn = 0; turn < 6; turn++) await askAndWait(tour, `script\nAnswer ${turn}. ${lines}`);
  const note = main(page).getByRole('group', { name: rest.summary.name });
  await note.waitFor();
  await note.scrollIntoViewIfNeeded();
  await look('what is summed up');
  await note.locator('summary').click();
  await look('the summary itself');
}

async function seeLongChat(tour: Tour): Promise<void> {
  const { page, words, look } = tour;
  await newChat(tour);
  await askAndWait(tour, `script\n${'A line.\n\n'.repeat(80)}`);
  await look('a long chat, read from its beginning', async () => {
    await page.locator('main .scroll').evaluate((node) => (node.scrollTop = 0));
    await button(main(page), words.navigation.latest).waitFor();
  });
}

/** The list of chats: at the side, over the screen on a phone, or hidden. */
async function seeSearch({ page, words, rest, look }: Tour): Promise<void> {
  const box = page.getByRole('searchbox', { name: words.navigation.search, exact: true });
  const lookFor = (query: string) => async () => {
    if (!(await box.isVisible())) await page.keyboard.press('Alt+Shift+s');
    await box.fill(query);
  };
  await lookFor('script')();
  const results = page.getByRole('list', { name: rest.search.results, exact: true });
  await results.getByRole('link').first().waitFor();
  await look('what was found in all chats', lookFor('script'));
  await lookFor('zebra')();
  await page.getByText(rest.search.none).waitFor();
  await look('that nothing was found', lookFor('zebra'));
  await box.fill('');
  await close(page);
  await page.keyboard.press('Control+f');
  const find = page.getByRole('search', { name: rest.command.names.find, exact: true });
  await find.getByRole('searchbox').fill('script');
  await find.getByRole('button', { name: rest.find.next, disabled: false }).waitFor();
  await look('what was found in the chat');
  await page.keyboard.press('Escape');
}

async function seeList(tour: Tour): Promise<void> {
  const { page, words, rest, look } = tour;
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
  // Renaming ends when the list is hidden.
  await look('a chat that is renamed', () => choose(rest.common.rename));
  await list.getByRole('textbox').press('Escape');
  await choose(rest.common.delete);
  await dialog(page).waitFor();
  await look('whether to delete a chat');
  await close(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(list, words.navigation.fold).click();
  await look('without the list of chats');
  await page.setViewportSize({ width: 1440, height: 900 });
  await button(main(page), words.navigation.open).click();
}
