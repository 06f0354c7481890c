import { describe, expect, test } from 'vitest';
import { addTerms, maxTermCharacters, splitIntoPieces, readQuery, termsOf } from '../../../src/search/words';
import { markAllWords, findMarks, snippetOf } from '../../../src/search/find';
import { written } from './index-stage';

const termsIn = (text: string) => {
  const terms = new Set<string>();
  addTerms(text, terms);
  return [...terms];
};

describe('the search terms of a text', () => {
  test.for([
    { text: 'Größe, CAFÉ & naïve', terms: ['große', 'cafe', 'naive'] },
    { text: 'ＡＢＣ１２', terms: ['abc12'] },
    { text: 'Ёлка й', terms: ['елка', 'и'] },
    { text: 'getUserName', terms: ['getusername', 'get', 'user', 'name'] },
    { text: 'max_tool_calls', terms: ['max_tool_calls', 'max', 'tool', 'calls'] },
    { text: '显卡的价格', terms: ['显卡', '卡的', '的价', '价格', '格'] },
    { text: '买GPU卡', terms: ['买', 'gpu', '卡'] },
    { text: 'ラーメン', terms: ['ラー', 'ーメ', 'メン', 'ン'] },
    { text: '…—!? 🙂', terms: [] },
    { text: '𠮷野家', terms: ['𠮷野', '野家', '家'] },
  ])('they are extracted correctly: “$text”', ({ text, terms }) => {
    expect(termsIn(text)).toEqual(terms);
  });

  test('they include only the start of a very long word', () => {
    expect(termsIn('x'.repeat(100_000))).toEqual(['x'.repeat(maxTermCharacters)]);
  });

  test('they point to their exact positions in the text', () => {
    const text = 'One_two (Größe) 显卡，ｶﾞｰ, e\u0301te';
    for (const { start, end, written: own } of splitIntoPieces(text))
      expect(text.slice(start, end)).toBe(own);
  });
});

describe('the words of a search query', () => {
  const asked = (query: string) =>
    readQuery(query).map((word) => `${termsOf(word).join('+')}${word.isPrefix ? '*' : ''}`);

  test.for([
    { query: 'grilled sardi', words: ['grilled', 'sardi*'] },
    { query: 'grilled sardines ', words: ['grilled', 'sardines'] },
    { query: '显卡价', words: ['显卡+卡价'] },
    { query: '显 卡', words: ['显*', '卡*'] },
    { query: 'a a A', words: ['a'] },
    { query: '  ', words: [] },
  ])('they are read correctly: “$query”', ({ query, words }) => {
    expect(asked(query)).toEqual(words);
  });

  test('they are limited to 200 characters and 12 words', () => {
    expect(readQuery('word '.repeat(10_000))).toHaveLength(1);
    expect(readQuery(Array.from({ length: 1000 }, (_, at) => `w${at}`).join(' '))).toHaveLength(12);
  });
});

describe('a search snippet', () => {
  const snippet = (text: string, query: string) => {
    const words = readQuery(query);
    return written(snippetOf(text, findMarks(text, words)));
  };

  test('it shows the part of the text with the most words of the query', () => {
    const text = `red first. ${'Nothing here. '.repeat(40)}Then a red and a blue one. ${'Nothing here. '.repeat(40)}`;
    expect(snippet(text, 'blue red')).toMatch(/^….*Then a \[red\] and a \[blue\] one\..*…$/);
  });

  test('it highlights the typed part of a word, or the whole word if its accents differ', () => {
    expect(snippet('Sardines', 'sard')).toBe('[Sard]ines');
    expect(snippet('# Fish\n- **Sardines**, `fried`.', 'sard')).toBe(' Fish [Sard]ines, fried.');
    expect(snippet('e\u0301te\u0301 fini', 'ete')).toBe('[e\u0301te\u0301] fini');
  });

  test('it highlights Chinese characters as one run instead of in pairs', () => {
    expect(snippet('这张显卡便宜', '显卡便宜')).toBe('这张[显卡便宜]');
  });

  test('it is one line without Markdown', () => {
    expect(snippet('# Head\n\n- **bold** item\n> `code` here', 'code')).toBe(' Head bold item [code] here');
  });

  test('it can be taken from a text of several megabytes', () => {
    const text = `${'lorem ipsum '.repeat(400_000)}zebra`;
    expect(snippet(text, 'lorem')).toContain('[lorem]');
    expect(snippet(text, 'zebra')).not.toContain('[');
  });

  test('it is the whole title if the title matches', () => {
    expect(written(markAllWords('A trip to Lisbon', readQuery('lis trip')))).toBe('A [trip] to Lisbon');
    expect(written(markAllWords('A trip to Lisbon', readQuery('trip lis')))).toBe('A [trip] to [Lis]bon');
  });
});
