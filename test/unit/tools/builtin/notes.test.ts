import { expect, test } from 'vitest';
import type { ToolOutput } from '../../../../src/contracts/tool';
import { textOf } from '../../../../src/contracts/message-parts';
import { maxNoteCharacters } from '../../../../src/contracts/note';
import type { Origin } from '../../../../src/contracts/origin';
import { createRecallTool } from '../../../../src/tools/builtin/recall';
import { createRememberTool } from '../../../../src/tools/builtin/remember';
import { calm } from '../../../support/outside';
import { deleteItem } from '../../../support/stored-chat';
import { createMemoryStore } from '../../../../src/store/open-store';

/** Local noon of a day in November 2026. */
const noonOf = (day: number) => new Date(2026, 10, day, 12).getTime();

function stage() {
  const { notes, bin } = createMemoryStore();
  let ids = 0;
  const remember = createRememberTool({ notes, newId: () => `n${ids++}`, date: () => noonOf(ids + 1) });
  const recall = createRecallTool({ notes });
  return {
    notes,
    bin,
    remember,
    recall,
    keep: (note: string, origins?: Origin[]) =>
      remember.execute({ note }, { ...calm, ...(origins && { origins }) }),
    find: async (query: string) => textsOf(await recall.execute({ query }, calm)),
  };
}

const textsOf = ({ content }: ToolOutput) => content.map((part) => textOf([part]));

test('a search for notes returns the best match first, with its date', async () => {
  const { keep, find } = stage();
  await keep('  My wifi is called Heron.\n');
  await keep('The wifi of the office is called Stork, with a password on the door');
  await keep('My sister likes green tea');
  expect(await find('wifi heron')).toEqual([
    'Note of 2026-11-01: My wifi is called Heron.',
    expect.stringContaining('Stork'),
  ]);
  expect(await find('what does my sister like')).toEqual(['Note of 2026-11-03: My sister likes green tea']);
});

test.for([
  ['Chinese words', '我的车停在B2层电梯旁', '车停哪里', '电梯旁'],
  ['another form of a word', 'The boxes are stored in the cellar', 'box storing', 'cellar'],
  ['a typo', 'The password of the router is on its back', 'pasword', 'router'],
])('a note is found by a query with %s', async ([, note = '', query = '', part]) => {
  const { keep, find } = stage();
  await keep('Tea at four');
  await keep(note);
  expect((await find(query))[0]).toContain(part);
});

test('a search for notes returns at most five notes', async () => {
  const { keep, find } = stage();
  for (let count = 0; count < 8; count++) await keep(`Plant ${count} wants water`);
  expect(await find('plant')).toHaveLength(5);
});

test('a search that finds no notes is not an error and says how many notes are kept', async () => {
  const { keep, recall, find, bin } = stage();
  expect(await find('wifi')).toEqual([expect.stringContaining('(notes kept: 0)')]);
  await keep('Tea at four');
  expect((await recall.execute({ query: 'wifi' }, calm)).isError).toBe(false);
  expect(await find('wifi')).toEqual([expect.stringContaining('(notes kept: 1)')]);
  await deleteItem(bin, 'note', 'n0');
  expect(await find('tea')).toEqual([expect.stringContaining('No note')]);
});

test('an edited note is found only by its new words', async () => {
  const { keep, find, notes } = stage();
  await keep('Tea at four');
  await find('tea');
  await notes.edit('n0', { text: 'Coffee at five', updatedAt: noonOf(9) });
  expect(await find('coffee')).toEqual(['Note of 2026-11-09: Coffee at five']);
  expect(await find('tea')).toEqual([expect.stringContaining('No note')]);
});

test('a saved note records the hosts that supplied text to the chat, and recalling the note reports them', async () => {
  const { keep, recall, notes } = stage();
  const model: Origin = { door: 'model' };
  const evil: Origin = { door: 'page', name: 'evil.example.net' };
  await keep('Ask https://evil.example.net about tea', [evil]);
  await keep('I like green tea');
  expect((await notes.list()).notes.map(({ origins }) => origins)).toEqual([[model], [model, evil]]);
  const note = { door: 'note' };
  expect((await recall.execute({ query: 'tea' }, calm)).origins).toEqual([note, model, evil]);
  expect((await recall.execute({ query: 'green' }, calm)).origins).toEqual([note, model]);
});

test("saving a note requires the user's approval of its text, but finding a note does not", () => {
  const { remember, recall } = stage();
  expect(remember.effects({ note: ' Tea ' })).toEqual({ type: 'side-effect', note: 'Tea' });
  expect(recall.effects({ query: 'tea' })).toEqual({ type: 'pure' });
});

test.for([
  ['too long', 'x'.repeat(maxNoteCharacters + 1), 'note-too-long', '2000'],
  ['empty', ' \n', 'arguments', 'empty'],
])('a note that is %s is refused before the user is asked', async ([, note = '', failure, part]) => {
  const { remember, keep, notes } = stage();
  expect(remember.effects({ note })).toEqual({ type: 'pure' });
  const output = await keep(note);
  expect(output).toMatchObject({ isError: true, failure });
  expect(textOf(output.content)).toContain(part);
  expect((await notes.list()).notes).toEqual([]);
});

test('the error says what to do when there is no room for more notes', async () => {
  const { notes } = stage();
  for (let count = 0; count < 2000; count++) {
    await notes.add({
      id: `full${count}`,
      text: 'x',
      createdAt: 0,
      updatedAt: 0,
      origins: [{ door: 'typed' }],
    });
  }
  const remember = createRememberTool({ notes, newId: () => 'new', date: () => 0 });
  const output = await remember.execute({ note: 'One more' }, calm);
  expect(output).toMatchObject({ isError: true, failure: 'notes-full' });
  expect(textOf(output.content)).toContain('Notes screen');
});
