import { describe, expect, test } from 'vitest';
import type { ToolSpec } from '../../../../src/contracts/tool';
import { createLexicalSearcher } from '../../../../src/tools/tool-search/lexical';

function tool(name: string, description: string, more: Partial<ToolSpec> = {}): ToolSpec {
  return { name, title: name, description, inputSchema: { type: 'object', properties: {} }, ...more };
}

const tools = [
  tool('sendInvoice', 'Bills a client.', {
    inputSchema: { type: 'object', properties: { vat_rate: { type: 'number', description: 'Percent' } } },
  }),
  tool('lamp', 'Switches it.', { keywords: { en: ['bright', 'dark'], zh: ['开灯'] } }),
  tool('journey', 'Plans.', { examples: [{ request: 'Bring me to the airport', arguments: {} }] }),
  tool('delete_draft', 'Takes a draft off the list.'),
  tool('weather_report', 'What the sky does.'),
];

function search(query: string): string[] {
  const searcher = createLexicalSearcher();
  searcher.index(tools);
  return searcher.search(query, 5).map(({ name }) => name);
}

describe('a search for tools by words', () => {
  test.for<[string, string, string]>([
    ['a part of its name', 'an invoice to send', 'sendInvoice'],
    ['a parameter', 'which vat', 'sendInvoice'],
    ["a parameter's description", 'ten percent', 'sendInvoice'],
    ['a keyword', "it's too dark here", 'lamp'],
    ['a keyword in Chinese', '帮我开灯吧', 'lamp'],
    ['an example', 'how do I get to the airport', 'journey'],
    ['a synonym', 'throw away what I wrote', 'delete_draft'],
    ['a synonym in another language', '把它删除', 'delete_draft'],
    ['the beginning of a word', 'invo', 'sendInvoice'],
    ['a misspelled word', 'the waether', 'weather_report'],
  ])('finds a tool by %s', ([, query, name]) => {
    expect(search(query)[0]).toBe(name);
  });

  test('finds nothing if no word matches', () => {
    expect(search('quantum chromodynamics')).toEqual([]);
    expect(search('')).toEqual([]);
  });

  test('tries similar words only for words that occur in no tool', () => {
    // "report" is in the index, so similar words are not tried.
    expect(search('report')).toEqual(['weather_report']);
  });

  test('counts only the best example of a tool, so many poor examples do not outweigh a good one', () => {
    const searcher = createLexicalSearcher();
    const filler = Array.from({ length: 9 }, () => ({ request: 'book something somewhere', arguments: {} }));
    searcher.index([
      tool('many', 'Nothing.', { examples: filler }),
      tool('one', 'Nothing.', { examples: [{ request: 'book a table', arguments: {} }] }),
    ]);
    expect(searcher.search('book a table', 2).map(({ name }) => name)).toEqual(['one', 'many']);
  });

  test('returns at most the requested number of tools, best first', () => {
    const searcher = createLexicalSearcher();
    searcher.index(tools);
    const all = searcher.search('send an invoice, the weather report, a draft', 10);
    expect(all.length).toBeGreaterThan(2);
    expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).sort((a, b) => b - a));
    expect(searcher.search('send an invoice, the weather report, a draft', 2)).toEqual(all.slice(0, 2));
  });
});

describe('a tool index', () => {
  const queries = ['invoice', 'dark', '开灯', 'airport', '删除', 'wether', 'draft list'];
  const answers = (searcher: ReturnType<typeof createLexicalSearcher>) =>
    queries.map((query) =>
      searcher.search(query, 5).map(({ name, score }) => [name, Math.round(score * 1e4)]),
    );
  const [first, ...others] = tools as [ToolSpec, ...ToolSpec[]];
  const fresh = (indexed: readonly ToolSpec[]) => {
    const searcher = createLexicalSearcher();
    searcher.index(indexed);
    return searcher;
  };

  test.for<[string, ToolSpec[]]>([
    ['the same tools', tools],
    ['one less', others],
    ['one more', [...tools, tool('ruler', 'Measures an invoice.')]],
    ['one changed', [...others, { ...first, description: 'Draws a ruler.' }]],
    ['none', []],
  ])('gives the same results after an update as a new index: %s', ([, now]) => {
    const stored = structuredClone(fresh(tools).toStored());
    const updated = createLexicalSearcher({ stored });
    expect(updated.index(now)).toBe(now !== tools);
    expect(answers(updated)).toEqual(answers(fresh(now)));
    expect(updated.index(now)).toBe(false);
  });

  test('is rebuilt from scratch if it is from another version', () => {
    const stored = fresh(tools).toStored();
    const searcher = createLexicalSearcher({ stored: { ...stored, version: stored.version - 1 } });
    expect(searcher.search('invoice', 5)).toEqual([]);
    expect(searcher.index(tools)).toBe(true);
    expect(answers(searcher)).toEqual(answers(fresh(tools)));
  });
});
