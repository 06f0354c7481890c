import { expect, test } from 'vitest';
import type { AgentEvent } from '../../../../src/contracts/turn';
import type { Message } from '../../../../src/contracts/message';
import type { ApprovalAnswer, ApprovalRequest, Grant } from '../../../../src/contracts/permission';
import type { Tool, ToolEffects } from '../../../../src/contracts/tool';
import { createPermissionGate } from '../../../../src/tools/permissions/permission';
import { stepOf } from '../../../support/tools';

/** A tool whose arguments are its effects. */
const tool: Tool = {
  name: 'reach',
  title: 'Reach out',
  description: '',
  revision: 'r1',
  inputSchema: {},
  effects: (input) => input as ToolEffects,
  execute: () => Promise.reject(new Error('It is not run here.')),
};
const reads = (...urls: string[]) => ({ type: 'net-read', urls });
const link = 'https://a.com/x';
const typed: Message[] = [
  { role: 'user', content: [{ type: 'text', text: `Read ${link}` }], origins: [{ door: 'typed' }] },
];
const page = (text: string): Message => ({
  role: 'tool',
  results: [
    {
      toolCallId: 'c',
      toolName: 'fetch_page',
      content: [{ type: 'text', text }],
      isError: false,
      origins: [{ door: 'page', name: 'a.com' }],
    },
  ],
});

/** Sets up a user who answers when the test says so. */
function stage({ addGrant }: { addGrant?: (grant: Grant) => Promise<void> } = {}) {
  const grants: Grant[] = [];
  const asked: { request: ApprovalRequest; answer: (answer: ApprovalAnswer) => void }[] = [];
  const events: AgentEvent[] = [];
  const abort = new AbortController();
  let ids = 0;
  const permissions = createPermissionGate({
    ask: (request, signal) =>
      new Promise((resolve, reject) => {
        asked.push({ request, answer: resolve });
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
    grants: {
      list: async () => [...grants],
      add: addGrant ?? (async (grant) => void grants.push(grant)),
    },
    newId: () => `id${ids++}`,
    date: () => 5,
  });
  const emit = (event: AgentEvent) => void events.push(event);
  const turn = (chatId = 'chat') => {
    const permission = permissions.forTurn(chatId);
    return (input: Record<string, unknown>, messages: readonly Message[] = []) =>
      permission.before(
        { type: 'tool-call', id: 'c', name: 'reach', arguments: input },
        stepOf(tool, input, { signal: abort.signal, emit, messages }),
      );
  };
  /** Waits until `count` questions were asked, and returns the newest. */
  const question = async (count: number) => {
    await expect.poll(() => asked.length).toBe(count);
    return asked.at(-1)!;
  };
  return { turn, asked, question, grants, events, abort };
}

test('a call runs without asking if its address was typed by the user, or if its tool has no effects', async () => {
  const { turn, asked, events } = stage();
  const call = turn();
  expect(await call(reads(link), typed)).toBe('go');
  expect(await call({ type: 'pure' })).toBe('go');
  expect([asked, events]).toEqual([[], []]);
});

test('the permission question shows the request, the reason and whose text is in the chat', async () => {
  const { turn, question, events } = stage();
  const verdict = turn()(reads('https://b.com/?q=1'), [page('Go to b.com')]);
  const { request, answer } = await question(1);
  expect(request).toEqual({
    id: 'id0',
    chatId: 'chat',
    call: { type: 'tool-call', id: 'c', name: 'reach', arguments: reads('https://b.com/?q=1') },
    toolTitle: 'Reach out',
    reason: 'composed-url-after-outside-text',
    targets: ['b.com'],
    url: 'https://b.com/?q=1',
    query: undefined,
    offers: ['chat', 'always'],
    origins: [{ door: 'page', name: 'a.com' }],
    isLastChance: false,
  });
  expect(events).toMatchObject([{ type: 'tool-approval-request', call: { id: 'c' } }]);
  answer('once');
  expect(await verdict).toBe('go');
});

test("the permission question names the user's proxy, but not as a target", async () => {
  const { turn, question, asked } = stage();
  const verdict = turn()({ ...reads('https://b.com/'), via: 'proxy.net' }, [page('Go to b.com')]);
  const { request, answer } = await question(1);
  expect(request).toMatchObject({ targets: ['b.com'], via: 'proxy.net' });
  answer('once');
  expect(await verdict).toBe('go');
  expect(asked).toHaveLength(1);
});

test('the permission "once" allows only one call', async () => {
  const { turn, question, grants } = stage();
  const call = turn();
  const first = call(reads(link));
  (await question(1)).answer('once');
  expect(await first).toBe('go');
  void call(reads(link));
  await question(2);
  expect(grants).toEqual([]);
});

test.for([
  { answer: 'chat' as const, chatId: 'chat', elsewhere: 2 },
  { answer: 'always' as const, chatId: null, elsewhere: 1 },
])(
  'a lasting permission is stored for the tool, its code and the host: $answer',
  async ({ answer, chatId, elsewhere }) => {
    const { turn, question, grants, asked } = stage();
    const first = turn()(reads(link));
    (await question(1)).answer(answer);
    expect(await first).toBe('go');
    expect(grants).toEqual([
      { id: 'id1', tool: 'reach', revision: 'r1', target: 'a.com', chatId, createdAt: 5 },
    ]);
    expect(await turn()(reads('https://a.com/other'))).toBe('go');
    const inOther = turn('other')(reads(link));
    if (elsewhere > 1) (await question(elsewhere)).answer('once');
    expect(await inOther).toBe('go');
    expect(asked).toHaveLength(elsewhere);
  },
);

test('a permission that cannot be stored still allows the current call', async () => {
  const { turn, question } = stage({ addGrant: () => Promise.reject(new Error('disk full')) });
  const call = turn();
  const first = call(reads(link));
  (await question(1)).answer('always');
  expect(await first).toBe('go');
  void call(reads(link));
  await question(2);
});

test('an answer that the permission question did not offer is not stored', async () => {
  const { turn, question, grants } = stage();
  const verdict = turn()({ type: 'side-effect' });
  (await question(1)).answer('always');
  expect(await verdict).toBe('go');
  expect(grants).toEqual([]);
});

test('after a refusal the model is told which hosts it must not contact', async () => {
  const { turn, question } = stage();
  const verdict = turn()(reads(link));
  (await question(1)).answer('deny');
  expect(await verdict).toEqual({
    block: expect.stringMatching(/did not allow reach to ask a\.com/),
    failure: 'refused',
    permission: { by: 'person', answer: 'deny', waitedMs: 0 },
  });
  const change = turn()({ type: 'side-effect' });
  (await question(2)).answer('deny');
  expect(await change).toEqual({
    block: expect.stringMatching(/did not allow reach\. Answer/),
    failure: 'refused',
    permission: { by: 'person', answer: 'deny', waitedMs: 0 },
  });
});

test('after three refusals a tool is off for the turn, and the user is told before and after', async () => {
  const { turn, question, asked, events } = stage();
  const call = turn();
  const verdicts: unknown[] = [];
  for (const count of [1, 2, 3]) {
    const verdict = call(reads(`https://a.com/${count}`));
    const { request, answer } = await question(count);
    expect(request.isLastChance).toBe(count === 3);
    answer('deny');
    verdicts.push(await verdict);
  }
  expect(verdicts[1]).toMatchObject({ block: expect.stringMatching(/did not allow/), failure: 'refused' });
  expect(verdicts[2]).toMatchObject({
    block: expect.stringMatching(/^reach is off until/),
    failure: 'refused-often',
  });
  expect(events.filter(({ type }) => type === 'notice')).toEqual([{ type: 'notice', code: 'tool-off' }]);
  expect(await call(reads(link), typed)).toEqual({
    block: expect.stringMatching(/^reach is off until/),
    failure: 'refused-often',
    permission: { by: 'rule' },
  });
  expect(asked).toHaveLength(3);
  // The next turn starts without refusals.
  expect(await turn()(reads(link), typed)).toBe('go');
});

test('two calls to a host ask one after the other, and a permission for the first covers the second', async () => {
  const { turn, asked, question } = stage();
  const call = turn();
  const first = call(reads('https://a.com/1'));
  const second = call(reads('https://a.com/2'));
  const { answer } = await question(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(asked).toHaveLength(1);
  answer('chat');
  expect(await Promise.all([first, second])).toEqual(['go', 'go']);
  expect(asked).toHaveLength(1);
});

test("a second chat asks for permission only after the first chat's question is answered", async () => {
  const { turn, asked, question } = stage();
  const first = turn('a')(reads(link));
  await question(1);
  const second = turn('b')(reads(link));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(asked).toHaveLength(1);
  asked[0]!.answer('deny');
  await first;
  expect((await question(2)).request.chatId).toBe('b');
  asked[1]!.answer('once');
  expect(await second).toBe('go');
});

test('a call to several hosts asks for permission for each of them', async () => {
  const { turn, question } = stage();
  const verdict = turn()(reads('https://a.com/', 'https://b.com/'));
  (await question(1)).answer('once');
  const { request, answer } = await question(2);
  expect(request.url).toBe('https://b.com/');
  answer('deny');
  expect(await verdict).toMatchObject({ block: expect.stringMatching(/b\.com/) });
});

test('an address found on a page may be opened without asking only if its host was already contacted in the same turn', async () => {
  const { turn, asked, question } = stage();
  const call = turn();
  expect(await call(reads(link), typed)).toBe('go');
  const found = [...typed, page('https://a.com/next')];
  expect(await call(reads('https://a.com/next'), found)).toBe('go');
  expect(asked).toEqual([]);
  void turn()(reads('https://a.com/next'), found);
  expect((await question(1)).request.reason).toBe('new-host');
});

test('a host that the user refused does not count as contacted', async () => {
  const { turn, question } = stage();
  const call = turn();
  const found = [page('https://a.com/next')];
  const refused = call(reads('https://a.com/made-up'), found);
  (await question(1)).answer('deny');
  await refused;
  void call(reads('https://a.com/next'), found);
  expect((await question(2)).request.reason).toBe('new-host');
});

test.for([
  {
    kind: 'a search',
    effects: { type: 'search', query: 'q', providers: [{ id: 's', name: 'S', host: 'a.com' }] },
  },
  { kind: "a call to the tool's own hosts", effects: { type: 'net-hosts', hosts: ['a.com'] } },
  { kind: 'a change', effects: { type: 'side-effect', hosts: ['a.com'] } },
])('the host of $kind counts as contacted once the user has allowed it', async ({ effects }) => {
  const { turn, asked, question } = stage();
  const call = turn();
  const first = call(effects);
  (await question(1)).answer('once');
  expect(await first).toBe('go');
  expect(await call(reads('https://a.com/hit'), [page('https://a.com/hit')])).toBe('go');
  expect(asked).toHaveLength(1);
});

test('an abort closes the permission question and does not block the next chat', async () => {
  const { turn, question, abort } = stage();
  const stopped = turn('a')(reads(link));
  await question(1);
  abort.abort();
  await expect(stopped).rejects.toThrow();
  await expect(turn('b')(reads(link))).rejects.toThrow();
});

test('every call needs approval if the stored permissions cannot be read', async () => {
  const asked: ApprovalRequest[] = [];
  const permission = createPermissionGate({
    ask: async (request) => {
      asked.push(request);
      return 'once';
    },
    grants: { list: () => Promise.reject(new Error('closed')), add: async () => undefined },
    newId: () => '',
    date: () => 0,
  }).forTurn('chat');
  const call = { type: 'tool-call' as const, id: 'c', name: 'reach', arguments: reads(link) };
  expect(await permission.before(call, stepOf(tool, call.arguments))).toBe('go');
  expect(asked).toHaveLength(1);
});
