/** What the test of a server finds out, and how typed addresses are interpreted. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { baseAddressesOf, createOwnEndpoint } from '../../../../src/engines/endpoint/own-endpoint';
import { tryServer } from '../../../../src/engines/endpoint/try-server';
import {
  type CompletionBody,
  type CompletionsServer,
  openCompletionsServer,
  type ScriptedReply,
} from '../../../support/completions-server';
import { openDoor } from '../../../support/endpoint-server';
import { slow } from '../../../support/matrix';

let server: CompletionsServer;
beforeAll(async () => {
  vi.stubGlobal('navigator', { onLine: true });
  server = await openCompletionsServer();
});
afterEach(() => server.forget());
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

const neverAborts = new AbortController().signal;
const json = { 'content-type': 'application/json' };
const attempt = (changed: { address?: string; key?: string; model?: string } = {}) =>
  tryServer(
    { egress: openDoor(server.origin), address: server.origin, key: undefined, model: '', ...changed },
    neverAborts,
  );

const native = ({ tools, messages }: CompletionBody): ScriptedReply | undefined => {
  if (!tools) return { text: 'yes' };
  if (messages.at(-1)?.role === 'tool') return { text: 'It is 42.' };
  return { calls: [{ name: 'add_numbers', arguments: '{"a": 17, "b": 25}' }] };
};

test('the test of a server with one model checks replies and tool calls', async () => {
  server.decide = native;
  expect(await attempt()).toEqual({
    address: server.url,
    models: [{ id: 'test-model' }],
    model: 'test-model',
    reply: 'streams',
    isNative: true,
    canSee: false,
  });
  // The request before the last also has the call's result. The last one is the picture.
  expect(server.requests.at(-2)?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: '42' });
});

test.for<{ name: string; answer: ScriptedReply; canSee: boolean }>([
  { name: 'names the right colour', answer: { text: 'Yellow.' }, canSee: true },
  { name: 'names another colour', answer: { text: 'Blue.' }, canSee: false },
  {
    name: 'refuses the picture',
    answer: { status: 400, headers: json, body: '{"error": "this model does not support images"}' },
    canSee: false,
  },
  { name: 'fails to read the picture', answer: { status: 500, headers: json, body: '{}' }, canSee: false },
])(
  'a server counts as able to see only if it names the colour of a test picture: a server that $name',
  async ({ answer, canSee }) => {
    server.decide = (body) => (body.messages.at(-1)?.parts ? answer : native(body));
    expect(await attempt()).toMatchObject({ isNative: true, canSee });
    const [picture] = server.requests.at(-1)?.body.messages.at(-1)?.parts ?? [];
    expect(picture?.image_url?.url).toMatch(/^data:image\/png;base64,/);
  },
);

test('a server with several models is not tested until the user chooses one', async () => {
  server.models = ['one', 'two'];
  expect(await attempt()).toEqual({ address: server.url, models: [{ id: 'one' }, { id: 'two' }] });
  expect(server.requests).toHaveLength(1);
});

test.for<{ name: string; decide: (body: CompletionBody) => ScriptedReply | undefined }>([
  {
    name: 'says it has no tools',
    decide: ({ tools }) =>
      tools ? { status: 400, headers: json, body: '{"error": "does not support tools"}' } : { text: 'yes' },
  },
  { name: 'replies with text', decide: () => ({ text: 'The sum is 42.' }) },
  {
    name: 'writes the call as text',
    decide: () => ({ text: '{"name": "add_numbers", "arguments": {"a": 17, "b": 25}}' }),
  },
  {
    name: 'calls another tool',
    decide: ({ tools }) => (tools ? { calls: [{ name: 'add', arguments: '{}' }] } : { text: 'yes' }),
  },
  {
    name: 'writes arguments that are not JSON',
    decide: ({ tools }) =>
      tools ? { calls: [{ name: 'add_numbers', arguments: '{a: 17' }] } : { text: 'yes' },
  },
  {
    name: 'rejects results',
    decide: (body) =>
      body.messages.at(-1)?.role === 'tool' ? { status: 500, headers: json, body: '{}' } : native(body),
  },
])('a server does not support native tool calls if it $name', async ({ decide }) => {
  server.decide = decide;
  expect(await attempt()).toMatchObject({ reply: 'streams', isNative: false });
});

test('the test of a server detects replies that are not streamed', async () => {
  server.decide = (body) => ({ ...native(body), isWhole: true });
  expect(await attempt()).toMatchObject({ reply: 'whole', isNative: true });
});

slow('the test of a server finds the path of its API', async () => {
  server.decide = native;
  for (const path of ['', '/', '/v1', '/v1/', '/v1/models', '/v1/chat/completions']) {
    expect((await attempt({ address: server.origin + path })).address).toBe(server.url);
  }
});

describe('the test of a server', () => {
  test('it reports a missing key, and works with the right key', async () => {
    server.key = 'sk-of-the-tests';
    expect((await attempt()).fault).toMatchObject({ code: 'endpoint-key' });
    server.decide = native;
    expect((await attempt({ key: 'sk-of-the-tests' })).fault).toBeUndefined();
  });
  test('it reports a missing model', async () => {
    const report = await attempt({ model: 'missing' });
    expect(report).toMatchObject({ model: 'missing', models: [{ id: 'test-model' }] });
    expect(report.fault?.code).toBe('endpoint-missing');
  });
  test('it reports an invalid address', async () => {
    expect(await attempt({ address: 'not an address' })).toEqual({ address: '' });
  });
  test('it reports an address that is not allowed', async () => {
    const report = await attempt({ address: 'http://192.168.1.5:8080' });
    expect(report).toMatchObject({
      address: 'http://192.168.1.5:8080/v1',
      fault: { code: 'endpoint-address' },
    });
  });
  test('it reports a busy server', async () => {
    server.decide = () => ({ status: 429, headers: { ...json, 'retry-after': '7' }, body: '{}' });
    expect((await attempt()).fault).toEqual({ code: 'endpoint-busy', detail: '7' });
  });
  test('it ends when it is aborted', async () => {
    const trial = { egress: openDoor(server.origin), address: server.origin, key: undefined, model: '' };
    await expect(tryServer(trial, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  });
});

test.for([
  { typed: 'localhost:11434', bases: ['http://localhost:11434/v1', 'http://localhost:11434'] },
  { typed: ' http://0.0.0.0:8000/v1/ ', bases: ['http://127.0.0.1:8000/v1'] },
  { typed: 'nas.lan/llm', bases: ['http://nas.lan/llm', 'http://nas.lan/llm/v1'] },
  { typed: 'api.example.com', bases: ['https://api.example.com/v1', 'https://api.example.com'] },
  {
    typed: 'https://g.example.com/v1beta/openai',
    bases: ['https://g.example.com/v1beta/openai', 'https://g.example.com/v1beta/openai/v1'],
  },
  { typed: 'ftp://example.com', bases: [] },
  { typed: '', bases: [] },
])('the addresses to try for the typed address "$typed": $bases', ({ typed, bases }) => {
  expect(baseAddressesOf(typed)).toEqual(bases);
});

describe('a saved model server', () => {
  const form = {
    address: 'https://a.example.com/v1',
    key: 'k',
    model: 'm',
    isNative: true,
    canSee: false,
    contextTokens: 4096,
  };
  const make = (
    changed: Partial<typeof form> = {},
    parts: Partial<Parameters<typeof createOwnEndpoint>[1]> = {},
  ) => {
    const made = createOwnEndpoint({ ...form, ...changed }, { known: [], own: [], ...parts });
    return made.ok ? made.model : made.problem;
  };
  const first = make();
  if (typeof first === 'string') throw new Error(first);

  test('it is named after its model, plus the host if that name is taken', () => {
    expect(first).toMatchObject({ id: 'm', endpoint: { model: 'm', key: 'k', isNative: true } });
    expect(make({ address: 'https://b.example.com' }, { known: ['m'], own: [first] })).toMatchObject({
      id: 'm (b.example.com)',
    });
    expect(make({}, { known: ['m'], own: [first] })).toBe('known');
    expect([make({ address: '' }), make({ model: ' ' })]).toEqual(['address', 'model']);
  });
  test('it keeps its id when edited, and its key only if the origin stays the same', () => {
    const edit = { known: ['m'], own: [first], before: first };
    expect(make({ key: '', model: 'n' }, edit)).toMatchObject({
      id: 'm',
      endpoint: { model: 'n', key: 'k' },
    });
    const moved = make({ key: '', address: 'https://b.example.com/v1' }, edit);
    expect(moved).toMatchObject({ modelUrl: 'https://b.example.com/v1' });
    expect(JSON.stringify(moved)).not.toContain('"key"');
  });
});
