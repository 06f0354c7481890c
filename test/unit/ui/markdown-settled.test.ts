import type { Tokens } from 'marked';
import { describe, expect, test } from 'vitest';
import { createDialect } from '../../../src/ui/markdown/dialect';
import {
  areItemsLoose,
  findSettledBlocks,
  findSettledItems,
  findSettledRows,
} from '../../../src/ui/markdown/settled';

const dialect = createDialect();

describe('the function findSettledBlocks', () => {
  test.for([
    { name: 'a paragraph may continue', text: 'a\nb\n', settled: '' },
    { name: 'a blank line alone settles nothing', text: 'a\n\n', settled: '' },
    { name: 'an incomplete line after a blank line settles nothing', text: '- a\n\n- ', settled: '' },
    { name: 'a complete line after a blank line settles a paragraph', text: 'a\n\nb\n', settled: 'a\n\n' },
    { name: 'a complete line after a blank line settles a list', text: '- a\n\nb\n', settled: '- a\n\n' },
    { name: 'an indented line belongs to the list', text: '- a\n\n  b\n', settled: '' },
    { name: 'indented code may continue after blank lines', text: '    a\n\n    b\n', settled: '' },
    { name: 'a list settles the line before it', text: 'a\n- b\n', settled: 'a\n' },
    { name: 'a fence settles the line before it', text: 'a\n```\n', settled: 'a\n' },
    { name: 'a heading settles the list before it', text: '- a\n# b\n', settled: '- a\n' },
    { name: 'a table without a complete second line settles nothing', text: 'a\n| b |\n|---|', settled: '' },
    { name: 'a table settles the line before it', text: 'a\n| b |\n|---|\n', settled: 'a\n' },
    { name: 'a paragraph may become a heading by an underline', text: 'a\n---\n', settled: '' },
    {
      name: 'the last line that surely begins a block counts',
      text: 'a\n\nb\n\nc\n\nd',
      settled: 'a\n\nb\n\n',
    },
    { name: 'an open comment settles nothing', text: '<!-- a\n\nb\n\nc\n', settled: '' },
    { name: 'an open fence settles nothing', text: '```\na\n\nb\n\n', settled: '' },
  ])('returns only Markdown blocks that later text cannot change: $name', ({ text, settled }) => {
    const { tokens } = dialect.readBlocks(text);
    const { count, length } = findSettledBlocks(tokens, text);
    expect(text.slice(0, length)).toBe(settled);
    expect(
      tokens
        .slice(0, count)
        .map(({ raw }) => raw)
        .join(''),
    ).toBe(settled);
  });
});

test.for([
  { name: 'a single item may continue', text: '- a\n  b\n', settled: '' },
  { name: 'an incomplete next item may be a rule', text: '- a\n- b', settled: '' },
  {
    name: 'a complete item line settles the items before it',
    text: '- a\n  b\n- c\n- d\n- e',
    settled: '- a\n  b\n- c\n',
  },
  { name: 'blank lines belong to the item before them', text: '1. a\n\n2. b\n', settled: '1. a\n\n' },
])(
  'the function findSettledItems returns only list items that later text cannot change: $name',
  ({ text, settled }) => {
    const [list] = dialect.readBlocks(text).tokens;
    expect(text.slice(0, findSettledItems(list as Tokens.List, text).length)).toBe(settled);
  },
);

test.for([
  { name: 'items without blank lines', text: '- a\n- b\n- c', loose: false },
  { name: 'a blank line before the next item', text: '- a\n\n- b\n- c', loose: true },
  { name: 'a blank line inside an item', text: '- a\n\n  b\n- c\n- d', loose: true },
  { name: 'a blank line inside a nested list', text: '- a\n  - b\n\n  - c\n- d\n- e', loose: false },
  { name: 'a blank line inside code', text: '- ```\n  a\n\n  b\n  ```\n- c\n- d', loose: false },
])(
  'a list counts as loose in the same cases as in the library marked: $name (loose: $loose)',
  ({ text, loose }) => {
    const list = dialect.readBlocks(text).tokens[0] as Tokens.List;
    expect(list.loose).toBe(loose);
    expect(areItemsLoose(list.items.slice(0, -1))).toBe(loose);
  },
);

test.for([
  { name: 'a single row is left out, as it may become a heading', text: '| 1 |\n', rows: 1, settled: '' },
  {
    name: 'complete rows settle the rows before them',
    text: '| 1 |\n| 2 |\n| 3 |',
    rows: 3,
    settled: '| 1 |\n',
  },
  { name: 'blank rows are not settled', text: '| 1 |\n| 2 |\n\t\n\t\n', rows: 4, settled: '| 1 |\n' },
])(
  'the function findSettledRows returns only table rows that later text cannot change: $name',
  ({ text, rows, settled }) => {
    const head = '| a |\n|---|\n';
    const { length } = findSettledRows(rows, head + text, head.length);
    expect(text.slice(0, length)).toBe(settled);
  },
);
