import { describe, expect, test } from 'vitest';
import { splitPair, searchTerms } from '../../../src/text/search-terms';

describe('the function searchTerms', () => {
  test.for<{ name: string; text: string; terms: string[] }>([
    { name: 'splits camelCase', text: 'getUserName', terms: ['user', 'nam'] },
    { name: 'splits an abbreviation from a word', text: 'parseHTMLPage', terms: ['pars', 'html', 'pag'] },
    { name: 'splits snake_case and kebab-case', text: 'list_open-bugs', terms: ['list', 'open', 'bug'] },
    { name: 'splits digits from letters', text: 'sha256sum', terms: ['sha', '256', 'sum'] },
    { name: 'drops stop words', text: 'What is the time in Oslo, please?', terms: ['tim', 'oslo'] },
    {
      name: 'keeps stop words if there is nothing else',
      text: 'what is this?',
      terms: ['what', 'is', 'this'],
    },
    { name: 'reads a contraction as one word', text: "what’s John's car", terms: ['john', 'car'] },
    { name: 'removes accents', text: 'Crème brûlée', terms: ['crem', 'brule'] },
    { name: 'reads full-width letters', text: 'ＰＤＦ', terms: ['pdf'] },
    { name: 'makes pairs of Chinese characters', text: '天气预报', terms: ['天气', '气预', '预报'] },
    { name: 'drops common words of Chinese requests', text: '我想看下时间', terms: ['下时', '时间'] },
    { name: 'keeps a single character', text: 'PDF转Word', terms: ['pdf', '转', 'word'] },
    {
      name: 'makes pairs of Japanese and Korean characters',
      text: '東京の 날씨',
      terms: ['東京', '京の', '날씨'],
    },
    { name: 'splits other scripts into words', text: 'Погода в Москве', terms: ['погода', 'в', 'москве'] },
    { name: 'returns no terms for an empty text', text: ' …!? ', terms: [] },
  ])('$name', ({ text, terms }) => {
    expect(searchTerms(text)).toEqual(terms);
  });

  test.for<{ name: string; words: string[] }>([
    { name: 'convert', words: ['convert', 'converts', 'converting', 'converted', 'converter'] },
    { name: 'invoice', words: ['invoice', 'invoices', 'invoicing', 'invoiced'] },
    { name: 'translate', words: ['translate', 'translating', 'translation', 'translations', 'translator'] },
    { name: 'plan', words: ['plan', 'plans', 'planning', 'planned'] },
    { name: 'country', words: ['country', 'countries'] },
    { name: 'box', words: ['box', 'boxes'] },
  ])('maps all forms of the word "$name" to one search term', ({ words }) => {
    expect(new Set(words.flatMap(searchTerms)).size).toBe(1);
  });

  test.for([
    ['news', 'new'],
    ['bus', 'bu'],
    ['sing', 's'],
    ['red', 'r'],
    ['status', 'statu'],
  ] as const)('gives the words "%s" and "%s" different search terms', ([word, other]) => {
    expect(searchTerms(word)).not.toEqual(searchTerms(other));
    expect(searchTerms(word)).not.toEqual([other]);
  });
});

test('a search term of two Chinese or Korean characters can be split into single characters', () => {
  expect(['天气', '雨', 'ab', '날씨'].map(splitPair)).toEqual([['天', '气'], [], [], ['날', '씨']]);
});
