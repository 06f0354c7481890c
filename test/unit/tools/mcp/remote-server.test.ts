/** Tests the page side of a server's worker over real channels, with a fake worker and a fake egress gate. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  EgressError,
  EgressFailure,
  type EgressStreamRequest,
  type StreamingEgress,
} from '../../../../src/contracts/egress';
import { createPageFetch } from '../../../../src/tools/mcp/transport';
import {
  createRemoteServer,
  type LastAnswer,
  canRecover,
  type ServerKeys,
  troubleOf,
} from '../../../../src/tools/mcp/remote-server';
import type { PageApi, ServerFault } from '../../../../src/tools/mcp/worker-api';
import { createChannelWorkers } from '../../../support/channel-worker';
import { type ServerProblem, serverProblems } from '../../../../src/contracts/mcp-server';

afterEach(() => void vi.useRealTimers());

const url = 'https://mcp.example.org/mcp';
const key = 'sk-0123456789';
const never = () => new Promise<never>(() => undefined);
const done = { ok: true, value: { content: [], isError: false } };
type Answer = Awaited<ReturnType<StreamingEgress['stream']>>;

async function* pieces(...texts: string[]) {
  yield* texts;
}
const answerOf = (text: AsyncIterable<string> = pieces(), changed: Partial<Answer> = {}): Answer => ({
  url,
  status: 200,
  headers: { 'content-type': 'application/json' },
  text,
  ...changed,
});

function open(keys: Partial<ServerKeys> = {}, ...more: object[]) {
  const pages: PageApi[] = [];
  const cancel = vi.fn<(id: string) => void>();
  const common = {
    start: (_setup: unknown, page: PageApi) => void pages.push(page),
    ping: () => undefined,
    connect: async () => done,
    cancel,
  };
  const behaviours = (more.length > 0 ? more : [{}]).map((one) => ({ ...common, ...one }));
  const { workers, startWorker } = createChannelWorkers(...behaviours);
  const asked: { request: EgressStreamRequest; signal: AbortSignal }[] = [];
  const answer = vi.fn<(request: EgressStreamRequest, signal: AbortSignal) => Promise<Answer>>(async () =>
    answerOf(),
  );
  const onTraffic = vi.fn<(sent: number, received: number) => void>();
  const remote = createRemoteServer({
    startWorker,
    egress: {
      send: never,
      stream(request, signal) {
        asked.push({ request, signal });
        return answer(request, signal);
      },
    },
    setup: {
      url,
      redirectUrl: 'https://hearth.example/oauth.html',
      homeUrl: 'https://hearth.example/',
      clientId: '',
      clientSecret: '',
    },
    name: 'Notes',
    keys: async () => ({ header: '', key: '', ...keys }),
    onTraffic,
    ask: never,
    progress: () => undefined,
    changed: () => undefined,
    loadLogin: async () => ({ origins: [] }),
    saveLogin: async () => undefined,
    bindClient: async (issuer) => issuer,
    log: () => undefined,
  });
  /** Makes the worker ask the page to send a request. */
  async function send(to: string, init: RequestInit = {}) {
    await remote.ask((api) => api.connect() as never);
    const response = await createPageFetch(pages.at(-1)!)(to, init);
    return { response, text: await response.text(), request: asked.at(-1)!.request };
  }
  return { remote, send, asked, answer, onTraffic, workers, cancel, pages };
}

describe('the key of a server', () => {
  const mine = { header: 'X-Api-Key', key };

  test.for([url, 'https://mcp.example.org/.well-known/x', 'https://MCP.example.org:443/token'])(
    "is sent to the server's own origin: %s",
    async (to) => {
      const { send } = open(mine);
      expect((await send(to)).request.headers).toMatchObject({ 'x-api-key': key });
    },
  );

  test.for([
    'https://login.example/token',
    'https://mcp.example.org:8443/mcp',
    'http://mcp.example.org/mcp',
    'https://mcp.example.org.evil.example/mcp',
    'https://evil.example/?https://mcp.example.org/',
  ])('invariant: a server’s key and tokens never go to another origin: %s', async (to) => {
    const { send } = open({ ...mine, tokens: '{"access_token":"at-0123456789"}' });
    const { request } = await send(to, { method: 'POST', headers: { a: 'b' }, body: 'x=1' });
    expect(JSON.stringify(request)).not.toMatch(/sk-0|at-0/);
    expect(request.secrets).toEqual([]);
  });

  test('is left out if the request already has the same header', async () => {
    const { send } = open({ header: 'Authorization', key });
    const { request } = await send(url, { headers: { Authorization: 'Bearer at-1' } });
    expect(request.headers).toEqual({ authorization: 'Bearer at-1' });
  });

  test.for<[string, string, Record<string, string>]>([
    ['Authorization', key, { authorization: `Bearer ${key}` }],
    ['authorization', `Basic ${key}`, { authorization: `Basic ${key}` }],
    ['X-Api-Key', key, { 'x-api-key': key }],
    ['constructor', key, { constructor: key }],
    ['', key, {}],
    ['X-Api-Key', '', {}],
  ])('is sent as configured: header "%s", key %s', async ([header, value, headers]) => {
    const { send } = open({ header, key: value });
    expect((await send(url)).request.headers).toEqual(headers);
  });

  test("is removed from the server's responses, like the tokens of a login", async () => {
    const tokens = '{"access_token":"at-1","refresh_token":"rt-1","token_type":"Bearer","expires_in":3}';
    const { send } = open({ ...mine, tokens });
    const hidden = (request: EgressStreamRequest) => request.secrets.map(({ value }) => value);
    expect(hidden((await send(url)).request)).toEqual([key, 'at-1', 'rt-1']);
    // A login response must deliver the tokens: if they were hidden, the page would store the placeholder.
    expect(hidden((await send('https://mcp.example.org/token', { method: 'POST' })).request)).toEqual([key]);
  });

  test.for(['{', '7', 'null', '["at-1"]', '{"access_token":7}'])(
    'nothing is hidden in a response if the stored login tokens are unreadable: %s',
    async (tokens) => {
      const { send } = open({ tokens });
      expect((await send(url)).request.secrets).toEqual([]);
    },
  );
});

describe('a request to a server', () => {
  test("carries the server's name and follows no redirect", async () => {
    const { send } = open();
    const { request } = await send(url, { method: 'POST', body: '{}' });
    expect(request).toMatchObject({
      url,
      method: 'POST',
      body: '{}',
      tool: 'Notes',
      redirect: 'never',
      silentMs: 120_000,
    });
    expect((await send(url)).request).toMatchObject({ silentMs: 300_000 });
    expect((await send('https://login.example/', { method: 'GET' })).request).toMatchObject({
      silentMs: 120_000,
    });
  });

  test('returns the response and records its status', async () => {
    const { send, answer, remote } = open();
    answer.mockResolvedValue(answerOf(pieces('{"a":', '"é"}'), { status: 418 }));
    const { response, text } = await send(url);
    expect([response.status, text]).toEqual([418, '{"a":"é"}']);
    expect(remote.last).toEqual({ status: 418, contentType: 'application/json' });
    remote.forget();
    expect(remote.last).toEqual({});
  });

  test('ignores the error status of a server that offers no notifications', async () => {
    const { send, answer, remote } = open();
    for (const status of [405, 404]) {
      answer.mockResolvedValue(answerOf());
      await send(url, { method: 'POST', body: '{}' });
      answer.mockResolvedValue(answerOf(pieces(), { status }));
      expect((await send(url)).response.status).toBe(status);
      expect(remote.last).toMatchObject({ status: 200 });
      await send(url, { method: 'POST', body: '{}' });
      expect(remote.last).toMatchObject({ status });
    }
  });

  test('records why it failed, unless it was aborted', async () => {
    const { send, answer, remote } = open();
    answer.mockRejectedValue(new EgressError('unreachable', 'It could not be read.'));
    await expect(send(url)).rejects.toThrow('It could not be read.');
    expect(remote.last).toEqual({ failure: 'unreachable', message: 'It could not be read.' });
    remote.forget();
    answer.mockRejectedValue(new EgressError('stopped', 'The request was stopped.'));
    await expect(send(url)).rejects.toThrow('stopped');
    expect(remote.last).toEqual({});
  });

  test('is not sent if it is invalid', async () => {
    const { send, asked, pages } = open();
    await send(url);
    const { port1, port2 } = new MessageChannel();
    const said = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
    const { transfer } = await import('comlink');
    pages[0]!.request('x', { url, method: 'PATCH', headers: {} }, transfer(port2, [port2]));
    expect(await said).toMatchObject({ type: 'failed' });
    expect(asked).toHaveLength(1);
    port1.close();
  });

  test('counts the bytes that are sent and received', async () => {
    const { send, answer, onTraffic } = open();
    answer.mockResolvedValue(answerOf(pieces('é', 'ü!')));
    await send(url, { method: 'POST', headers: { a: 'é' }, body: '€' });
    await vi.waitFor(() => expect(onTraffic).toHaveBeenCalledWith(url.length + 1 + 2 + 3, 5));
    answer.mockRejectedValue(new EgressError('refused-address', 'Not asked.'));
    await expect(send(url)).rejects.toThrow();
    await vi.waitFor(() => expect(onTraffic).toHaveBeenLastCalledWith(0, 0));
  });

  test('is aborted when the worker aborts it', async () => {
    const { remote, asked, answer, pages } = open();
    await remote.ask((api) => api.connect() as never);
    answer.mockImplementation(never);
    const stop = new AbortController();
    const asking = expect(createPageFetch(pages[0]!)(url, { signal: stop.signal })).rejects.toThrow();
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    stop.abort();
    await asking;
    await vi.waitFor(() => expect(asked[0]?.signal.aborted).toBe(true));
  });
});

describe('the worker of a server', () => {
  const lost = { callTool: never, ping: never };

  test('invariant: a worker that hangs on a server’s answer is ended, and the next call gets a new worker', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const { remote, workers } = open({}, lost, { callTool: async () => done });
    const { signal } = new AbortController();
    const calling = expect(remote.callTool('c', 'echo', {}, signal)).rejects.toThrow(
      /could not be read in time/,
    );
    await vi.advanceTimersByTimeAsync(5_999);
    expect(workers).toMatchObject([{ isEnded: false }]);
    await vi.advanceTimersByTimeAsync(1);
    await calling;
    expect(workers).toMatchObject([{ isEnded: true }]);
    expect(await remote.callTool('c', 'echo', {}, signal)).toEqual(done);
    expect(workers).toMatchObject([{ isEnded: true }, { isEnded: false }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is watched for hanging even if it replaced another worker', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const { remote, workers } = open({}, { callTool: never }, lost);
    const { signal } = new AbortController();
    const first = expect(remote.callTool('a', 'echo', {}, signal)).rejects.toThrow(/broke down/);
    workers[0]!.crash();
    const second = expect(remote.callTool('b', 'echo', {}, signal)).rejects.toThrow(/in time/);
    await vi.advanceTimersByTimeAsync(6_000);
    await first;
    await second;
    expect(workers).toMatchObject([{ isEnded: true }, { isEnded: true }]);
  });

  test('if it crashes, the running call fails and the open network request is aborted', async () => {
    const { remote, asked, answer, pages, workers } = open({}, { callTool: never });
    await remote.ask((api) => api.connect() as never);
    answer.mockImplementation(never);
    createPageFetch(pages[0]!)(url).catch(() => undefined);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    const calling = expect(remote.callTool('c', 'echo', {}, new AbortController().signal)).rejects.toThrow(
      /broke down/,
    );
    workers[0]!.crash();
    await calling;
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  test('is told when a call is aborted, and the call rejects at once', async () => {
    const { remote, cancel, workers } = open({}, { callTool: never });
    const stop = new AbortController();
    const calling = remote.callTool('c7', 'echo', {}, stop.signal).catch((error: unknown) => error);
    stop.abort(new Error('Stopped by the person.'));
    expect(await calling).toMatchObject({ message: 'Stopped by the person.' });
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledWith('c7'));
    expect(workers).toMatchObject([{ isEnded: false }]);
    remote.end();
  });

  test('starts only when it is needed, and ends all its requests when it is ended', async () => {
    const { remote, workers } = open({}, { callTool: never });
    expect(workers).toEqual([]);
    const calling = expect(remote.callTool('c', 'echo', {}, new AbortController().signal)).rejects.toThrow(
      /closed/,
    );
    remote.end();
    await calling;
    expect(workers).toMatchObject([{ isEnded: true }]);
    remote.end();
  });
});

const https = 'https://mcp.example.org/mcp';

const ofFailures: Record<EgressFailure, ServerProblem> = {
  offline: 'offline',
  'refused-address': 'address',
  'refused-redirect': 'redirect',
  'refused-request': 'broken',
  timeout: 'timeout',
  stopped: 'timeout',
  'wrong-type': 'not-mcp',
  'too-long': 'too-long',
  unreachable: 'certificate',
};

test.for(EgressFailure.options)(
  "the page's network failure takes precedence over the worker's error: %s",
  (failure) => {
    for (const fault of ['broken', 'login', 'timeout', 'session'] as const) {
      const last = { failure, message: 'From the door.', status: 500 };
      expect(troubleOf(https, fault, 'From the worker.', last)).toEqual({
        trouble: ofFailures[failure],
        detail: 'From the door.',
      });
    }
  },
);

test('an unreachable server on plain HTTP is reported as a CORS problem, not a certificate problem', () => {
  expect(troubleOf('http://192.168.1.5:3000/mcp', 'broken', 'Failed.', { failure: 'unreachable' })).toEqual({
    trouble: 'cors',
    detail: 'Failed.',
  });
});

test.for<[ServerFault, LastAnswer, ServerProblem]>([
  ['login', { status: 401 }, 'login'],
  ['scope', { status: 403 }, 'login'],
  ['login', {}, 'login'],
  ['broken', { status: 403 }, 'forbidden'],
  ['version', { status: 403 }, 'forbidden'],
  ['version', { status: 200 }, 'version'],
  ['version', { status: 400 }, 'version'],
  ['timeout', { status: 200 }, 'timeout'],
  ['timeout', {}, 'timeout'],
  ['broken', { status: 429 }, 'status'],
  ['broken', { status: 500 }, 'status'],
  ['broken', { status: 503 }, 'status'],
  ['broken', { status: 400 }, 'not-mcp'],
  ['broken', { status: 404 }, 'not-mcp'],
  ['session', { status: 404 }, 'not-mcp'],
  ['broken', { status: 200 }, 'broken'],
  ['broken', { status: 302 }, 'broken'],
  ['lost', { status: 200 }, 'broken'],
  ['broken', {}, 'broken'],
])(
  'the error of the worker and the last response of the server decide which problem is reported: error %s, response %o, problem %s',
  ([fault, last, trouble]) => {
    expect(troubleOf(https, fault, 'Why.', last)).toEqual({ trouble, detail: 'Why.' });
  },
);

test('the app does not reconnect to a server if only the user can fix the problem', () => {
  const lasting = serverProblems.filter((trouble) => !canRecover(trouble));
  expect(lasting).toEqual(['address', 'version', 'login', 'login-failed', 'forbidden']);
});
