/**
 * Tasks of more than one request for a real model, in this order. Each receives the page and `ask`, which asks, judges the answer by a rule of
 * `judge.js` and keeps both. The last two leave tools behind, so no other task follows them.
 */
import { readFile } from 'node:fs/promises';
import { ownTools, toRow, toTool } from '../many-tools/tools.js';
import { button, composerOf, continueAnswer, goTo, putRows } from './screen.js';

export const tasks = {
  persona: askPersona,
  table: askTable,
  text: askLongText,
  chat: askTwelveTurns,
  note: askNote,
  stop: stopAndContinue,
  agents: askAgents,
  tools: askSixtyTools,
};

const product = { request: 'What is 17 * 23?', says: ['391'], tool: 'calculator' };

/** For a base model, which has no other task. */
export async function askBase({ ask }) {
  // So small a model soon repeats itself.
  await ask({
    request: 'The capital of France is',
    says: ['Paris'],
    ends: ['answered', 'cut-off', 'looped'],
  });
}

async function askPersona({ page, ask }) {
  await goTo(page, 'personas');
  await button(page.getByRole('main'), 'Add: Pip').click();
  await page.getByRole('main').getByRole('link', { name: 'Open: Pip' }).waitFor();
  await goTo(page, '');
  const choose = () =>
    page.getByRole('combobox', { name: 'Persona', exact: true }).selectOption({ label: 'Pip' });
  await ask({ request: 'Who are you?', says: ['\\bPip\\b|\\bfox\\b'], calls: 0 }, { prepare: choose });
  await ask({ request: 'What is the capital of Italy?', says: ['\\bRome\\b'] }, { isSameChat: true });
  await ask(product, { isSameChat: true });
}

/** A table of 40 towns, 13 of them in Norway. Bergen has the most people. */
function writeTowns() {
  const countries = ['Norway', 'Sweden', 'Denmark'];
  const rows = Array.from({ length: 40 }, (_, at) => {
    const name = at === 24 ? 'Bergen' : `Town ${at + 1}`;
    const country = at === 39 ? 'Finland' : countries[at % 3];
    return `${name},${country},${at === 24 ? 285_900 : 1000 + ((at * 7919) % 90_000)}`;
  });
  return ['town,country,people', ...rows].join('\n');
}

async function askTable({ page, ask }) {
  const file = { name: 'towns.csv', mimeType: 'text/csv', buffer: Buffer.from(writeTowns()) };
  const attach = async () => {
    await button(page, 'Attach').waitFor();
    await page.locator('input[type=file]').setInputFiles([file]);
    await page.getByRole('button', { name: 'Look into towns.csv' }).waitFor();
  };
  await ask(
    { request: 'How many towns in the table are in Norway?', says: ['(?<!\\d)13(?!\\d)|thirteen'] },
    { prepare: attach },
  );
  await ask({ request: 'Which town has the most people?', says: ['Bergen'] }, { isSameChat: true });
}

async function askLongText({ page, ask }) {
  const text = await readFile(new URL('long-text.txt', import.meta.url), 'utf8');
  const paste = async () => {
    await composerOf(page).focus();
    await page.evaluate((pasted) => {
      const { DataTransfer, ClipboardEvent, document } = globalThis;
      const data = new DataTransfer();
      data.setData('text/plain', pasted);
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(event);
    }, text);
    await page.getByRole('button', { name: /^Look into pasted/ }).waitFor();
  };
  const isShort = `^[\\s\\S]{40,${Math.round(text.length / 2)}}$`;
  await ask(
    {
      request: 'Sum up this text in three sentences.',
      says: [isShort, 'librar|books', 'ferry|ship|Marit|Ingrid|islands'],
    },
    { prepare: paste },
  );
  const next = { isSameChat: true };
  await ask({ request: 'Who built the shelves?', says: ['Jonas|Berg|carpenter'] }, next);
  await ask({ request: 'How many books did the ferry lend in 2006?', says: ['31[,.\\s]?000'] }, next);
  await ask({ request: 'What happened in January 2003?', says: ['storm|rocks|wet'] }, next);
}

/** A name, a date and a number are told in turns 1 to 3 and asked in turns 10 to 12. */
const twelveTurns = [
  { request: 'Hi! My name is Nadja.', says: ['.'] },
  { request: 'My sister gets married on 14 March.', says: ['.'] },
  { request: 'The number of my locker is 4711.', says: ['.'] },
  { request: 'What should I cook tonight?', says: ['.'], calls: 0 },
  { request: 'I have rice, eggs and a carrot.', says: ['.'] },
  { request: 'What is 12 * 12?', says: ['144'], tool: 'calculator' },
  { request: 'And which colour goes well with blue?', says: ['.'], calls: 0 },
  { request: 'What is the capital of France?', says: ['Paris'] },
  { request: 'Thank you!', says: ['.'], calls: 0 },
  { request: 'What is my name?', says: ['Nadja'] },
  { request: 'When does my sister get married?', says: ['14|fourteen', 'March|3'] },
  { request: 'What is the number of my locker?', says: ['4711'] },
];

async function askTwelveTurns({ ask }) {
  for (const [at, rule] of twelveTurns.entries()) await ask(rule, { isSameChat: at > 0 });
}

async function askNote({ ask }) {
  await ask({
    request: 'Remember that the key of the shed hangs behind the blue door.',
    says: ['.'],
    tool: 'remember',
  });
  await ask({ request: 'Search my notes: where does the key of the shed hang?', says: ['blue door'] });
  await ask({ request: 'What did I ask you to remember about the shed?', says: ['blue door'] });
}

async function stopAndContinue({ page, ask }) {
  const request = 'Explain step by step how to bake bread.';
  const stopped = await ask({ request, says: ['.'], ends: ['stopped'] }, { stopAt: 80 });
  await ask(
    { request: 'Continue', says: [`^[\\s\\S]{${stopped.text.length + 10}}`], begins: stopped.text.trim() },
    { run: () => continueAnswer(page) },
  );
  await page.reload();
  await composerOf(page).waitFor();
  await ask(product, { isSameChat: true });
}

async function makePersona(page, name, description, instructions) {
  await goTo(page, 'personas');
  const main = page.getByRole('main');
  await button(main, 'New persona').click();
  for (const [field, text] of Object.entries({
    Name: name,
    Description: description,
    Instructions: instructions,
  }))
    await main.getByRole('textbox', { name: field, exact: true }).fill(text);
  await main.getByRole('switch', { name: 'Offer as a tool', exact: true }).check();
  await button(main, 'Save').click();
  await main.getByText('Saved.', { exact: true }).waitFor();
}

async function askAgents({ page, ask }) {
  await makePersona(
    page,
    'Poet',
    'Writes a short poem to order.',
    'You write short poems. Answer with the poem alone.',
  );
  await makePersona(
    page,
    'Translator',
    'Translates a text. Ask it with the text and the language.',
    'You translate the text that you get into the language that is named. Answer with the translation alone.',
  );
  await goTo(page, '');
  await ask({
    request: 'Ask the poet to write two lines about rain, then let the translator put them into German.',
    tool: 'translator',
    says: ['rain|Regen', 'der|die|das|und|Regen'],
  });
}

/** Three tools that requests need. Their results are in no model's memory. */
const wantedTools = [
  toTool({
    name: 'bin_day',
    title: 'Bin day',
    description: 'Tells on which day the bins of a street are emptied.',
    properties: { street: { type: 'string', description: 'Name of the street' } },
    required: ['street'],
    example: { request: 'When are the bins in Mill Lane emptied?', arguments: { street: 'Mill Lane' } },
    code: 'return `The bins in ${args.street} are emptied on Thursday.`;',
  }),
  toTool({
    name: 'bus_times',
    title: 'Bus times',
    description: 'Tells when the next bus of a line leaves.',
    properties: { line: { type: 'integer', description: 'Number of the line' } },
    required: ['line'],
    example: { request: 'When does bus 7 leave?', arguments: { line: 7 } },
    code: 'return `Bus ${args.line} leaves at 16:42.`;',
  }),
  toTool({
    name: 'lunch_menu',
    title: 'Lunch menu',
    description: 'Tells what the canteen has for lunch today.',
    properties: {},
    required: [],
    example: { request: 'What is there for lunch in the canteen?', arguments: {} },
    code: 'return "Lunch today: lentil soup and plum cake.";',
  }),
];

async function askSixtyTools({ page, ask }) {
  await putRows(page, 'customTools', [
    ...ownTools(60 - wantedTools.length),
    ...wantedTools.map((tool, at) => toRow(tool, 60 - wantedTools.length + at)),
  ]);
  await ask({
    request: 'When are the bins in Harbour Street emptied?',
    tool: 'bin_day',
    says: ['Thursday'],
  });
  await ask({ request: 'When does bus 12 leave?', tool: 'bus_times', says: ['16:42|4:42'] });
  await ask({
    request: 'What is there for lunch in the canteen today?',
    tool: 'lunch_menu',
    says: ['lentil|plum'],
  });
}
