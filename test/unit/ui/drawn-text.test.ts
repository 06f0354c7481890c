import { expect, test } from 'vitest';
import { findMatches } from '../../../src/ui/chat/find/drawn-text';

test.for([
  { text: 'A zebra, a Zebra', query: 'zebra', found: ['zebra', 'Zebra'] },
  { text: 'aaaa', query: 'aa', found: ['aa', 'aa'] },
  { text: 'CAFÉ, cafe\u0301 and cafe', query: 'café', found: ['CAFÉ', 'cafe\u0301', 'cafe'] },
  { text: 'ＡＢＣ abc', query: 'Abc', found: ['ＡＢＣ', 'abc'] },
  { text: '🙂 x 🙂', query: 'x', found: ['x'] },
  { text: '这张显卡便宜', query: '显卡', found: ['显卡'] },
  { text: '한국', query: '하', found: [] },
  { text: 'ﬁne', query: 'fine', found: ['ﬁne'] },
  { text: 'anything', query: '  ', found: [] },
])('every match of the query “$query” in “$text” is found', ({ text, query, found }) => {
  expect(findMatches(text, query).map(([start, end]) => text.slice(start, end))).toEqual(found);
});
