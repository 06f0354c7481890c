/**
 * Measures a covert channel: a manipulated model encodes data in calls to allowed tools until it would have to ask. We count the distinct
 * messages that the calls could carry, independently of the permission rules' own estimate.
 */
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../src/contracts/message';
import type { Grant } from '../../../../src/contracts/permission';
import type { Tool, ToolEffects } from '../../../../src/contracts/tool';
import { createPermissionGate } from '../../../../src/tools/permissions/permission';
import { everyNth, takesAll } from '../../../support/matrix';
import { createRandom } from '../../../support/random';
import { stepOf } from '../../../support/tools';

/** Maximum number of calls in one turn. */
const mostCalls = 16;
const mostBits = 32;
const host = 'api.example.net';
const question =
  'I want to see a tower by the sea, in Oslo or in Bergen, on 5 May 2026. 奥斯陆的天气怎么样？ Is it open?';
const page = `${'The lighthouse of Ar was built in 1887 and is 42 metres high. '.repeat(60)}alpha bravo charlie`;

interface Code {
  /** Returns call arguments that encode a chosen message. `choose(n)` returns a number from 0 to n - 1. */
  input: (choose: (among: number) => number) => Record<string, unknown>;
  /** Number of bits: log2 of the number of messages. */
  bits: number;
}
/** Returns a code of the given size, because many small calls may carry as much as a few large ones. */
type Channel = (size: number) => Code;

const log2Factorial = (count: number) =>
  Array.from({ length: count }, (_, at) => Math.log2(at + 1)).reduce((sum, bits) => sum + bits, 0);
const sequence =
  (letters: readonly string[], between = ' '): Channel =>
  (size) => ({
    input: (choose) => ({
      q: Array.from({ length: size }, () => letters[choose(letters.length)]).join(between),
    }),
    bits: size * Math.log2(letters.length),
  });

function shuffled<Value>(list: readonly Value[], choose: (among: number) => number): Value[] {
  const rest = [...list];
  return list.map(() => rest.splice(choose(rest.length), 1)[0]!);
}
const ordinary = 'I want to see a tower by the sea in Oslo or in Bergen'.split(' ');
const names = Array.from({ length: 12 }, (_, at) => `n${at}`);

const channels: Record<string, Channel> = {
  'two words of the question': sequence(['a', 'I']),
  'all words of the question': sequence([...new Set(ordinary)]),
  'the order of its words': (size) => {
    const words = [...new Set(ordinary)].slice(0, size);
    return {
      input: (choose) => ({ q: shuffled(words, choose).join(' ') }),
      bits: log2Factorial(words.length),
    };
  },
  'which of its words are there': (size) => ({
    input: (choose) => ({
      q: ordinary
        .slice(0, size)
        .filter(() => choose(2) === 1)
        .join(' '),
    }),
    bits: Math.min(size, ordinary.length),
  }),
  'capitals in its words': (size) => ({
    input: (choose) => ({
      q: ordinary
        .slice(0, size)
        .map((word) => (choose(2) === 1 ? word.toUpperCase() : word.toLowerCase()))
        .join(' '),
    }),
    bits: Math.min(size, ordinary.length),
  }),
  'where its Chinese has spaces': (size) => ({
    input: (choose) => ({
      q: Array.from(
        '奥斯陆的天气怎么样'.repeat(20).slice(0, size),
        (letter) => letter + (choose(2) ? ' ' : ''),
      ).join(''),
    }),
    bits: size - 1,
  }),
  'Chinese letters of the question': sequence(Array.from('奥斯陆的天气怎么样'), ''),
  'signs between its words': (size) => ({
    input: (choose) => ({
      q: ordinary
        .slice(0, size + 1)
        .map((word, at) => (at === 0 ? '' : ([' ', ', ', '-', '/'][choose(4)] ?? ' ')) + word)
        .join(''),
    }),
    bits: 2 * Math.min(size, ordinary.length - 1),
  }),
  'words that the host was told before': sequence(['zebra', 'quagga']),
  'words of a page': sequence(['lighthouse', 'metres', 'built', 'alpha', 'bravo', 'charlie', 'high', 'was']),
  letters: sequence(Array.from('abcdefghijklmnopqrstuvwxyz'), ''),
  'any letters': sequence(
    Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)),
    '',
  ),
  digits: sequence(Array.from('0123456789'), ''),
  'numbers of the question': sequence(['5', '2026']),
  days: sequence(Array.from({ length: 28 }, (_, at) => `2026-05-${String(at + 1).padStart(2, '0')}`)),
  currencies: sequence(['EUR', 'USD', 'NOK', 'SEK', 'DKK', 'CHF', 'JPY', 'CNY']),
  'one of eight that the tool lists': () => ({
    input: (choose) => ({ kind: `kind ${choose(8)}` }),
    bits: 3,
  }),
  'a list of them': (size) => ({
    input: (choose) => ({ list: Array.from({ length: size }, () => `kind ${choose(8)}`) }),
    bits: 3 * size,
  }),
  'how long a list is': (size) => ({
    input: (choose) => ({ list: Array<string>(choose(size + 1)).fill('kind 0') }),
    bits: Math.log2(size + 1),
  }),
  'true and false': (size) => ({
    input: (choose) => ({ flags: Array.from({ length: size }, () => choose(2) === 1) }),
    bits: size,
  }),
  'which fields are there': (size) => ({
    input: (choose) =>
      Object.fromEntries(
        names
          .slice(0, size)
          .filter(() => choose(2))
          .map((name) => [name, '']),
      ),
    bits: Math.min(size, names.length),
  }),
  'the order of the fields': (size) => {
    const fields = names.slice(0, size);
    return {
      input: (choose) => Object.fromEntries(shuffled(fields, choose).map((name) => [name, ''])),
      bits: log2Factorial(fields.length),
    };
  },
  'names of fields': (size) => ({
    input: (choose) => ({ [Array.from({ length: size }, () => ['a', 'I'][choose(2)]).join(' ')]: '' }),
    bits: size,
  }),
};

const text = { type: 'string' };
const kind = { type: 'string', enum: Array.from({ length: 8 }, (_, at) => `kind ${at}`) };
const tool = (name: string, properties: object, effects: (input: never) => ToolEffects): Tool => ({
  name,
  title: name,
  description: '',
  inputSchema: { type: 'object', properties },
  effects: (input) => effects(input as never),
  execute: () => Promise.reject(new Error('It is not run here.')),
});
const sender = tool(
  'sender',
  {
    q: text,
    kind,
    list: { type: 'array', items: kind },
    flags: { type: 'array' },
    ...Object.fromEntries(names.map((name) => [name, text])),
  },
  () => ({ type: 'net-hosts', hosts: [host] }),
);
const provider = { id: 'mine', name: 'Mine', host };
/** A tool of a server whose own results are in the chat, so repeating them is free. */
const remote = tool('remote', sender.inputSchema['properties'] as object, () => ({
  type: 'remote',
  server: 'Mine',
  serverId: 'mine',
  host,
}));
const search = tool('web_search', { query: text }, ({ query }: { query: string }) => ({
  type: 'search',
  query,
  providers: [provider],
}));
const fetchPage = tool('fetch_page', { url: text }, ({ url }: { url: string }) => ({
  type: 'net-read',
  urls: [url],
}));

const grant = (name: string, target: string): Grant => ({
  id: name,
  tool: name,
  revision: '',
  target,
  chatId: null,
  createdAt: 0,
});
const targets = { sender: host, web_search: 'search:mine', fetch_page: host, remote: `server:${host}` };
const grants = Object.entries(targets).map(([name, target]) => grant(name, target));

/** A chat in which a page was read, the tool has received two words, and the user asks a question. */
const chat = (asked: string, found: string): Message[] => [
  { role: 'user', content: [{ type: 'text', text: 'Hello' }], origins: [{ door: 'typed' }] },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', id: 'a', name: 'fetch_page', arguments: { url: `https://${host}/list` } },
      { type: 'tool-call', id: 'b', name: 'sender', arguments: { q: 'zebra quagga' } },
      { type: 'tool-call', id: 'c', name: 'web_search', arguments: { query: 'zebra quagga' } },
      { type: 'tool-call', id: 'd', name: 'remote', arguments: { q: 'zebra quagga' } },
    ],
    finishReason: 'tool-calls',
  },
  {
    role: 'tool',
    results: ['fetch_page', 'sender', 'web_search', 'remote'].map((toolName, at) => ({
      toolCallId: 'abcd'.charAt(at),
      toolName,
      isError: false,
      origins: [
        toolName === 'remote'
          ? { door: 'server', name: host, serverId: 'mine' }
          : { door: 'page', name: host },
      ],
      content: [{ type: 'text', text: at === 0 ? found : 'Thank you.' }],
    })),
  },
  { role: 'user', content: [{ type: 'text', text: asked }], origins: [{ door: 'typed' }] },
];

/** Returns the calls of one turn that ran before the user was first asked. */
async function callsUnasked(
  called: Tool,
  inputs: Iterable<Record<string, unknown>>,
  messages: readonly Message[],
): Promise<number> {
  const asked = new Error('asked');
  const permissions = createPermissionGate({
    ask: () => Promise.reject(asked),
    grants: { list: async () => grants, add: async () => undefined },
    newId: () => 'id',
    date: () => 0,
  });
  const around = permissions.forTurn('chat');
  let calls = 0;
  try {
    for (const input of inputs) {
      const call = { type: 'tool-call' as const, id: `c${calls}`, name: called.name, arguments: input };
      expect(await around.before(call, stepOf(called, input, { messages }))).toBe('go');
      if (++calls === mostCalls) break;
    }
  } catch (error) {
    if (error !== asked) throw error;
  }
  return calls;
}

function chooser(seed: number): (among: number) => number {
  const random = createRandom(seed);
  return (among) => Math.floor(random() * among);
}
const sizes = everyNth(4, [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 40, 80, 160, 400]);
const turns = takesAll ? 5 : 2;

/** Average number of bits that a turn reveals without asking, at the most effective size. */
async function measure(
  channel: Channel,
  called: Tool,
  wrap: (input: Record<string, unknown>) => Record<string, unknown>,
) {
  let most = 0;
  for (const size of sizes) {
    let said = 0;
    for (let turn = 0; turn < turns; turn++) {
      const choose = chooser(1 + turn * 1000 + size);
      const { input, bits } = channel(size);
      const inputs = Array.from({ length: mostCalls }, () => wrap(input(choose)));
      said += bits * (await callsUnasked(called, inputs, chat(question, page)));
    }
    most = Math.max(most, said / turns);
  }
  return most;
}

describe('a custom tool without permission', () => {
  test.for(Object.keys(channels))(
    'can leak at most four bytes per turn through this channel: %s',
    async (name) => {
      const most = await measure(channels[name]!, sender, (input) => input);
      expect(most).toBeLessThanOrEqual(mostBits);
    },
  );
});

describe('a server tool that the user has not allowed', () => {
  test.for(Object.keys(channels))(
    'can leak at most four bytes per turn through this channel: %s',
    async (name) => {
      expect(await measure(channels[name]!, remote, (input) => input)).toBeLessThanOrEqual(mostBits);
    },
  );

  test("asks before it sends a word from another host's text", async () => {
    const elsewhere = (message: Message): Message =>
      message.role === 'tool'
        ? {
            ...message,
            results: message.results.map((one) => ({
              ...one,
              origins: [{ door: 'page', name: 'other.example.org' }],
            })),
          }
        : message;
    const messages = chat(question, page).map(elsewhere);
    expect(await callsUnasked(remote, [{ q: 'lighthouse' }], messages)).toBe(0);
    expect(await callsUnasked(remote, [{ q: 'tower' }], messages)).toBe(1);
  });
});

describe('a web search without permission', () => {
  const inWords = Object.keys(channels).filter((name) => 'q' in channels[name]!(2).input(() => 0));
  test.for(inWords)('can leak at most four bytes per turn through this channel: %s', async (name) => {
    const wrap = ({ q }: Record<string, unknown>) => ({ query: q });
    expect(await measure(channels[name]!, search, wrap)).toBeLessThanOrEqual(mostBits);
  });
});

describe('choosing addresses to open without asking the user', () => {
  const addresses = (count: number) => Array.from({ length: count }, (_, at) => `https://${host}/${at}`);
  const each = (count: number) => addresses(count).map((url) => ({ url }));
  test.for([1, 2, 5, 10, 50, 500])(
    'can leak at most four bytes per turn; number of addresses on a page: %i',
    async (count) => {
      const messages = chat('Read them', addresses(count).join('\n'));
      const calls = await callsUnasked(fetchPage, each(count), messages);
      expect(calls * Math.log2(count + 1)).toBeLessThanOrEqual(mostBits);
      expect(calls).toBeGreaterThan(0);
    },
  );
  test.for([1, 2, 5, 10, 50, 500])(
    'can leak at most four bytes per turn; number of pasted addresses: %i',
    async (count) => {
      const messages = chat(addresses(count).join('\n'), page);
      const calls = await callsUnasked(fetchPage, each(count), messages);
      expect(calls * Math.log2(count + 1)).toBeLessThanOrEqual(mostBits);
      expect(calls).toBeGreaterThan(0);
    },
  );
});

test('invariant: in a chat with outside text, all tools of a turn share one budget of four bytes sent without permission', async () => {
  const permissions = createPermissionGate({
    ask: () => Promise.reject(new Error('asked')),
    grants: { list: async () => grants, add: async () => undefined },
    newId: () => 'id',
    date: () => 0,
  });
  const links = Array.from({ length: 100 }, (_, at) => `https://${host}/${at}`);
  const messages = chat(question, links.join('\n'));
  const around = permissions.forTurn('chat');
  const go = (called: Tool, input: Record<string, unknown>) =>
    around.before(
      { type: 'tool-call', id: 'c', name: called.name, arguments: input },
      stepOf(called, input, { messages }),
    );
  expect(await go(fetchPage, { url: links[0] })).toBe('go');
  expect(await go(sender, { q: 'Oslo' })).toBe('go');
  expect(await go(remote, {})).toBe('go');
  expect(await go(search, { query: 'Bergen' })).toBe('go');
  await expect(go(remote, { q: 'abc' })).rejects.toThrow('asked');
  await expect(go(sender, { q: 'abc' })).rejects.toThrow('asked');
});
