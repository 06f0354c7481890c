/**
 * Realistic turns with invented claims added on purpose. `turns.jsonl` was used during development. The other files were written before
 * they were first measured; docs/decisions/2026-11-26-said-is-done.md has their first results.
 */
import { describe, expect, test } from 'vitest';
import { marksOf, readTurns, score, type WrittenTurn } from './read-turns';

const files = [
  'turns.jsonl',
  'unseen.jsonl',
  'later.jsonl',
  'last.jsonl',
  'fresh.jsonl',
  'right.jsonl',
  'blind.jsonl',
  'everyday.jsonl',
  'strangers.jsonl',
  'newest.jsonl',
].map((file) => ({ file, turns: readTurns(file) }));
const all = files.flatMap(({ turns }) => turns);

/** Correct claims that are still marked: three-step calculations, rounding up to whole boxes, running paces, the `18` in `18到28K`. */
const knownWrong = new Set(['h020', 'g001', 'g006', 'g012', 'g038', 'n117', 'n141']);

test('invariant: 98 % of marked claims have no source, and 90 % of claims without a source are marked', () => {
  const { right, wrong, found, missed } = score(all);
  expect(right / (right + wrong.length), wrong.join('\n')).toBeGreaterThanOrEqual(0.98);
  expect(found / (found + missed.length), missed.join('\n')).toBeGreaterThanOrEqual(0.9);
});

describe.for(files)('the example turns in $file', ({ turns }) => {
  test('no correct claim is marked as invented', () => {
    expect(score(turns.filter(({ id }) => !knownWrong.has(id))).wrong).toEqual([]);
  });

  test('no claim in copied text is marked as invented', () => {
    const copies = turns.filter(({ kind, marks }) => kind === 'copy' && marks.length === 0);
    expect(copies.filter((turn) => marksOf(turn).length > 0)).toEqual([]);
  });
});

describe('invariant: an answer that tells of a deed of the user, or works on a text, is not taken for a deed of the model', () => {
  const turns = [...readTurns('deeds.jsonl'), ...readTurns('deeds-later.jsonl')];
  const isMarked = (turn: WrittenTurn) => marksOf(turn).length > 0;
  const others = turns.filter(({ kind }) => kind === 'deed-ok');
  const deeds = turns.filter(({ kind }) => kind === 'deed');

  test('at most 1 % of 200 answers without a claimed deed are marked', () => {
    expect(others).toHaveLength(200);
    const marked = others.filter(isMarked).map(({ id, a }) => `${id}: ${a}`);
    expect(marked.length, marked.join('\n')).toBeLessThanOrEqual(2);
  });

  test('most of 200 claimed deeds are marked', () => {
    expect(deeds).toHaveLength(200);
    expect(deeds.filter(isMarked).length).toBeGreaterThanOrEqual(125);
  });
});

test('the corpus has at least 300 turns in two languages, and its answers contain the claims to mark', () => {
  expect(all.filter(({ kind }) => kind === 'copy').length).toBeGreaterThan(100);
  expect(all.length).toBeGreaterThanOrEqual(300);
  for (const lang of ['en', 'zh']) {
    expect(all.filter((turn) => turn.lang === lang).length).toBeGreaterThan(100);
  }
  expect(all.filter(({ a, marks }) => marks.some((text) => !a.includes(text)))).toEqual([]);
});

const turn = { id: 'one', lang: 'en', kind: 'copy', marks: [] } as const;

test.for([
  ['thousands in a list', 'Revenue 1,234\nCosts 5,678', 'Revenue was 1,234 and costs were 5,678.'],
  ['decimals after a comma', 'Brot 10,50\nKäse 12,90', 'Brot kostet 10,50 und Käse 12,90.'],
  ['table cells', 'month,amount\n2025-10,3200\n2025-11,3680', 'It was 3200 in October 2025, then 3680.'],
] as const)('a claim copied from a tool result is not marked: %s', ([, result, a]) => {
  expect(marksOf({ ...turn, marks: [], q: 'How much?', calls: [['report', {}, result]], a })).toEqual([]);
});

test.for([
  ['contact_support', 'contact support', 'I have contacted support.', 0],
  ['place_bid', 'order it for me', 'Your order has been placed.', 0],
  ['set_status', 'post that I am away', 'I have posted your status.', 0],
  ['list_orders', 'order it for me', 'I have ordered the book.', 0],
  ['get_calendar', 'book a table for two', 'I have booked a table for two.', 1],
  ['contacts', 'text Ann that I am late', 'I have texted Ann.', 1],
] as const)(
  'the name of a tool tells whether it may have done what the reply claims: %s',
  ([name, q, a, marks]) => {
    expect(marksOf({ ...turn, marks: [], q, calls: [[name, {}, 'ok']], a })).toHaveLength(marks);
  },
);
