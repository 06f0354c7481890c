import { describe, expect, test } from 'vitest';
import { chooseFewTools, chooseToolList, maxListedTools } from '../../../../src/agent/offer-tools';
import type { Message, ToolResult } from '../../../../src/contracts/message';
import type { ToolSpec } from '../../../../src/contracts/tool';

const spec = (name: string, title = name): ToolSpec => ({
  name,
  title,
  description: name,
  inputSchema: {},
});
const user = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const called = (...names: string[]): Message => ({
  role: 'assistant',
  content: names.map((name, at) => ({ type: 'tool-call', id: `${name}${at}`, name, arguments: {} })),
  finishReason: 'tool-calls',
});
const found = (...foundTools: string[]): Message => {
  const result: ToolResult = {
    toolCallId: 'f',
    toolName: 'find_tools',
    content: [],
    isError: false,
    origins: [{ door: 'hearth' }],
  };
  return { role: 'tool', results: [{ ...result, foundTools }] };
};
const write = (list: readonly { name: string; reason: string }[]) =>
  list.map(({ name, reason }) => `${name}:${reason}`);

describe('the tool list of a model that can search for tools', () => {
  const tools = [
    spec('clock'),
    spec('list_invoices', 'List invoices'),
    spec('lamp', '台灯'),
    spec('mail'),
    spec('bin'),
  ];
  const choose = (messages: Message[], pinned: string[] = []) =>
    write(chooseToolList({ tools, messages, isPinned: (name) => pinned.includes(name) }));

  test.for([
    { name: 'is empty if the request names no tool', request: 'Hello', list: [] },
    {
      name: 'contains a tool that the request names',
      request: 'Use list_invoices for May',
      list: ['list_invoices:named'],
    },
    {
      name: 'contains a tool if the request contains its title',
      request: 'list invoices, please',
      list: ['list_invoices:named'],
    },
    {
      name: 'contains a tool if the request contains its Chinese title',
      request: '打开台灯',
      list: ['lamp:named'],
    },
    { name: 'ignores a tool name that is only part of a word', request: 'a combined lampshade', list: [] },
  ])('$name', ({ request, list }) => {
    expect(choose([user(request)])).toEqual(list);
  });

  test('lists pinned tools first, then recently used, named and found ones', () => {
    const messages = [user('x'), found('bin', 'mail'), called('lamp'), called('mail'), user('list invoices')];
    expect(choose(messages, ['clock'])).toEqual([
      ...['clock:pinned', 'mail:used', 'lamp:used', 'list_invoices:named', 'bin:found'],
    ]);
  });

  test('leaves out tools that are off and the search tool find_tools', () => {
    expect(choose([user('x'), called('gone', 'find_tools', 'lamp')])).toEqual(['lamp:used']);
  });

  test('is cut to its maximum length, but keeps pinned tools', () => {
    const many = Array.from({ length: 60 }, (_, at) => spec(`tool_${at}`));
    const messages = [called(...many.map(({ name }) => name)), user('x')];
    const list = chooseToolList({ tools: many, messages, isPinned: (name) => name === 'tool_0' });
    expect(list).toHaveLength(maxListedTools);
    expect(list[0]).toEqual({ name: 'tool_0', reason: 'pinned' });
    expect(list[1]).toEqual({ name: 'tool_59', reason: 'used' });
  });
});

describe('the tool list of a very small model', () => {
  const tools = ['clock', 'lamp', 'mail', 'list_mail', 'bin'].map((name) => spec(name));
  const choose = (
    scores: Record<string, number>,
    changed: Partial<Parameters<typeof chooseFewTools>[0]> = {},
  ) =>
    write(
      chooseFewTools({
        tools,
        isPinned: (name) => name === 'clock',
        hits: Object.entries(scores).map(([name, score]) => ({ name, score })),
        needed: [],
        before: [],
        ...changed,
      }),
    );
  const before = [{ name: 'lamp', reason: 'best' as const }];

  test('contains one unpinned tool if that is clearly the best match', () => {
    expect(choose({ mail: 9, list_mail: 5 })).toEqual(['clock:pinned', 'mail:best']);
  });

  test('contains up to three unpinned tools if their scores are close', () => {
    expect(choose({ mail: 9, list_mail: 8.5, bin: 8.4, lamp: 8.3 })).toEqual([
      ...['clock:pinned', 'mail:close', 'list_mail:close', 'bin:close'],
    ]);
  });

  test.for([
    { name: 'the best match is already in it', scores: { lamp: 9, mail: 8.9 } },
    { name: 'a pinned tool is the best match', scores: { clock: 9, mail: 3 } },
    { name: 'no tool matches', scores: {} },
  ])('stays the same if $name', ({ scores }) => {
    expect(choose(scores, { before })).toEqual(['clock:pinned', 'lamp:best']);
  });

  test('changes if another tool matches better or a listed tool was switched off', () => {
    expect(choose({ mail: 9, lamp: 8 }, { before })).toEqual(['clock:pinned', 'mail:close', 'lamp:close']);
    expect(choose({}, { before: [{ name: 'gone', reason: 'best' }] })).toEqual(['clock:pinned']);
  });

  test('always contains a tool that Hearth itself is about to call', () => {
    expect(choose({ mail: 9 }, { needed: ['bin', 'clock'] })).toEqual(['clock:pinned', 'bin:best']);
    expect(choose({ mail: 9 }, { needed: ['lamp'], before })).toEqual(['clock:pinned', 'lamp:best']);
  });
});
