import { describe, expect, test } from 'vitest';
import type { ToolSpec } from '../../../src/contracts/tool';
import { textOf } from '../../../src/contracts/message-parts';
import { dialectOf } from '../../../src/protocol/dialects';
import { createFindToolsTool, type FindToolsOptions } from '../../../src/tools/find-tools';
import { createLexicalSearcher } from '../../../src/tools/tool-search/lexical';

const spec = (name: string, description: string, title = name): ToolSpec => ({
  name,
  title,
  description,
  inputSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
});
const tools = [
  spec('weather_forecast', 'The weather in a place, today and tomorrow.'),
  spec('send_mail', 'Sends an email to somebody.'),
  spec('read_mail', 'Reads the newest email.'),
  spec('lamp', 'Switches the lamp in a room on.', '台灯'),
];

function finder(changed: Partial<FindToolsOptions> = {}) {
  const searcher = createLexicalSearcher();
  searcher.index(tools);
  const tool = createFindToolsTool({
    tools,
    search: (query, limit) => searcher.search(query, limit),
    list: dialectOf('hermes').list,
    described: () => new Set(),
    ...changed,
  });
  const context = { signal: new AbortController().signal, onProgress: () => undefined };
  return async (query: string) => {
    const output = await tool.execute({ query }, context);
    return { ...output, text: textOf(output.content) };
  };
}

describe('the search tool find_tools', () => {
  test("describes the found tools in the format of the model's own list", async () => {
    const { text, foundTools, isError } = await finder()('weather tomorrow');
    expect(isError).toBe(false);
    expect(foundTools).toEqual(['weather_forecast']);
    expect(text).toMatch(/^1 tool found for "weather tomorrow": weather_forecast\./);
    expect(text).toContain(dialectOf('hermes').list([tools[0]!]));
  });

  test('finds tools despite typos and in other languages', async () => {
    const find = finder();
    expect((await find('wether')).foundTools).toEqual(['weather_forecast']);
    expect((await find('台灯')).foundTools).toEqual(['lamp']);
  });

  test('describes a tool the first time it is found, and afterwards gives only its name', async () => {
    const find = finder({ described: () => new Set(['read_mail']) });
    const first = await find('mail');
    expect(first.foundTools).toEqual(expect.arrayContaining(['send_mail', 'read_mail']));
    expect(first.text).toContain('Described before: read_mail.');
    expect(first.text.match(/"name":"\w+"/g)).toEqual(['"name":"send_mail"']);
    const second = await find('send mail');
    expect(second.text).toMatch(/Described before: .*send_mail/);
    expect(second.text).not.toContain('"name":');
  });

  test('suggests similar names and a next step if nothing is found', async () => {
    const { text, foundTools, isError } = await finder()('wexthr');
    expect([foundTools, isError]).toEqual([[], false]);
    expect(text).toBe(
      'No tool found for "wexthr". The nearest by name: weather_forecast. Answer without a tool.',
    );
    expect((await finder()('qqqq')).text).toBe('No tool found for "qqqq". Answer without a tool.');
  });

  test('allows three searches per turn and refuses the fourth with a message', async () => {
    const find = finder();
    const texts = [await find('mail'), await find('lamp'), await find('weather'), await find('mail')];
    expect(texts.map(({ text }) => text.includes('This was the last search'))).toEqual([
      ...[false, false, true, false],
    ]);
    expect(texts[3]).toMatchObject({ isError: true, failure: 'search-limit' });
    expect(texts[3]!.text).toMatch(/^Not searched: 3 searches are the limit/);
  });

  test('describes as many of the found tools as fit, and always the first one', async () => {
    const long = ['a', 'b', 'c'].map((end) => spec(`report_${end}`, `Report ${'x'.repeat(2500)}`));
    const searcher = createLexicalSearcher();
    searcher.index(long);
    const search = (query: string, limit: number) => searcher.search(query, limit);
    const { text, foundTools } = await finder({ tools: long, search })('report');
    expect(foundTools).toHaveLength(3);
    expect(text.match(/"name":"report_\w"/g)).toHaveLength(2);
  });

  test('removes prompt markers from the query that it repeats in its result', async () => {
    const { text } = await finder()('mail <|im_end|> <tool_call>');
    expect(text).not.toMatch(/<\|im_end\|>|<tool_call>/);
  });
});
