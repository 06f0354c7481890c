import { expect, test } from 'vitest';
import type { Message, ToolResult } from '../../../../src/contracts/message';
import type { Origin } from '../../../../src/contracts/origin';
import { readChatContext } from '../../../../src/tools/permissions/context';

const text = (words: string) => ({ type: 'text' as const, text: words });
const you = (words: string): Message => ({
  role: 'user',
  content: [text(words)],
  origins: [{ door: 'typed' }],
});
const calls = (input: Record<string, unknown>, words = ''): Message => ({
  role: 'assistant',
  content: [text(words), { type: 'tool-call', id: 'c', name: 'tool', arguments: input }],
  finishReason: 'tool-calls',
});
const page = (name: string): Origin => ({ door: 'page', name });
const gives = (words: string, ...hosts: string[]): Message => ({
  role: 'tool',
  results: [
    {
      toolCallId: 'c',
      toolName: 'fetch_page',
      content: [text(words)],
      isError: false,
      origins: hosts.length > 0 ? hosts.map(page) : [{ door: 'hearth' }],
    },
  ],
});

const asTool = (message: Message, changed: Partial<ToolResult>): Message =>
  message.role === 'tool'
    ? { ...message, results: message.results.map((result) => ({ ...result, ...changed })) }
    : message;

const link = 'https://a.com/x';

test.for<
  [name: string, messages: Message[], known: { typed?: string[]; copied?: string[]; origins?: Origin[] }]
>([
  ['an empty chat supplies no addresses', [], {}],
  ['an address that the user wrote is typed', [you(`Read ${link}`)], { typed: [link] }],
  [
    'an address in outside text counts as copied, and its host as an origin',
    [gives(link, 'a.com')],
    { copied: [link], origins: [page('a.com')] },
  ],
  ['a result that Hearth wrote is not outside text', [gives(link)], {}],
  [
    'a result with an empty list of origins is not outside text either',
    [{ role: 'tool', results: [] }, asTool(gives(link), { origins: [] })],
    {},
  ],
  [
    'each origin is listed once',
    [gives('', 'a.com'), gives('', 'a.com', 'b.com')],
    { origins: [page('a.com'), page('b.com')] },
  ],
  [
    'a tool of the person’s own is outside text, but no address was found in it: it may repeat what it was told',
    [asTool(gives(link, 'a.com'), { toolName: 'mine' })],
    { origins: [page('a.com')] },
  ],
  [
    'an error is outside text where a host was asked, and no address was found in it',
    [asTool(gives(link, 'a.com'), { isError: true })],
    { origins: [page('a.com')] },
  ],
  [
    'only one possible ending of an address counts',
    [gives(`See ${link}). And (${link}_(y)).`, 'a.com')],
    { copied: [link, `${link}_(y)`], origins: [page('a.com')] },
  ],
  [
    'an address on its own line ends with the line',
    [gives(`1. Inc.\n${link}.\n- U.S.: ${link}/U.S.\nSee ${link}!`, 'a.com')],
    { copied: [`${link}.`, `${link}/U.S.`, link], origins: [page('a.com')] },
  ],
  ["the model's words add nothing", [calls({}, `I will read ${link}`)], {}],
  ["the model's arguments add nothing", [calls({ url: link })], {}],
  [
    'an address that the model wrote before a result contained it is not copied',
    [calls({ url: link }), gives(`You asked for ${link}`, 'a.com')],
    { origins: [page('a.com')] },
  ],
  [
    'it is not copied even if the model wrote it in nested arguments',
    [calls({ list: [{ note: `see ${link}` }] }), gives(link, 'a.com')],
    { origins: [page('a.com')] },
  ],
  [
    'it is not copied even if the model wrote it without a scheme',
    [calls({ query: 'a.com/x' }), gives(link, 'a.com')],
    { origins: [page('a.com')] },
  ],
  [
    'an address that a result contained first stays copied',
    [gives(link, 'b.com'), calls({ url: link }), gives(link, 'a.com')],
    { copied: [link], origins: [page('b.com'), page('a.com')] },
  ],
  [
    'an address that the user typed stays typed, whoever else writes it',
    [you(link), calls({ url: link }), gives(link, 'a.com')],
    { typed: [link], origins: [page('a.com')] },
  ],
  ['the system prompt supplies no addresses', [{ role: 'system', content: `Try ${link}` }], {}],
  [
    'an invalid call counts like any other',
    [
      {
        role: 'assistant',
        content: [{ type: 'invalid-tool-call', id: 'c', raw: '', reason: '', arguments: { url: link } }],
        finishReason: 'stop',
      },
      gives(link, 'a.com'),
    ],
    { origins: [page('a.com')] },
  ],
  [
    'an invalid call without arguments counts too',
    [
      {
        role: 'assistant',
        content: [{ type: 'invalid-tool-call', id: 'c', raw: link, reason: '' }],
        finishReason: 'stop',
      },
      gives(link, 'a.com'),
    ],
    { copied: [link], origins: [page('a.com')] },
  ],
])(
  'invariant: addresses in the model’s own words and arguments never count as supplied by the user or a host: %s',
  ([, messages, { typed = [], copied = [], origins = [] }]) => {
    const context = readChatContext(messages);
    expect([...context.typed]).toEqual(typed);
    expect([...context.copied]).toEqual(copied);
    expect(context.origins).toEqual(origins);
  },
);

test('finding addresses takes time linear in the length of the text', () => {
  const pieces = [
    'a',
    'a.',
    'a-',
    'https://',
    'https://a.b,',
    '东',
    ')',
    'a@',
    'https://a.b/))))',
    '1.1.1.1.',
  ];
  for (const piece of pieces) {
    const long = piece.repeat(200_000 / piece.length);
    readChatContext([you(long), gives(long, 'a.com')]);
  }
}, 30_000);
