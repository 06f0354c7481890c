/** The connection to one server: what it does by itself, and what a call is told, whatever becomes of the server. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ToolContext, ToolOutput } from '../../../src/contracts/tool';
import { createConnection } from '../../../src/app/mcp-connection';
import type { LastAnswer, RemoteServer } from '../../../src/tools/mcp/remote-server';
import type {
  Answered,
  ListedPrompt,
  McpWorkerApi,
  ReadTool,
  ServerFault,
  Welcome,
} from '../../../src/tools/mcp/worker-api';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const welcome: Welcome = {
  ...{
    name: 'notes',
    version: '1',
    instructions: '',
    protocol: '2025-11-25',
    hasPrompts: true,
    hasResources: false,
  },
  tools: [],
};
const done: ToolOutput = { content: [{ type: 'text', text: 'Done.' }], isError: false };
const ok = <Value>(value: Value): Answered<Value> => ({ ok: true, value });
const bad = (fault: ServerFault, message = 'Why.') => ({ ok: false, fault, message }) as const;
const textOf = ({ content }: ToolOutput) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join();
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const never = () => new Promise<never>(() => undefined);

function open() {
  let last: LastAnswer = {};
  const api = {
    connect: vi.fn<() => Promise<Answered<Welcome>>>(async () => ok(welcome)),
    listTools: vi.fn<() => Promise<Answered<readonly ReadTool[]>>>(async () => ok([])),
    prompts: vi.fn<() => Promise<Answered<readonly ListedPrompt[]>>>(async () => ok([])),
    close: vi.fn(async () => undefined),
  };
  const callTool = vi.fn<RemoteServer['callTool']>(async () => ok(done));
  const end = vi.fn();
  const remote: RemoteServer = {
    get last() {
      return last;
    },
    forget: () => (last = {}),
    ask: (call) => call(api as unknown as Parameters<typeof call>[0] & McpWorkerApi),
    callTool,
    readResource: async () => ok(done),
    end,
  };
  const parts = {
    onWelcome: vi.fn(async () => undefined),
    onTools: vi.fn<() => Promise<void>>(async () => undefined),
    onChange: vi.fn(),
    onCall: vi.fn(),
    onLogin: vi.fn(async () => undefined),
  };
  let ids = 0;
  const connection = createConnection({
    ...parts,
    ...{
      url: 'https://mcp.example.org/mcp',
      name: 'Notes',
      remote,
      newId: () => `id${ids++}`,
      date: Date.now,
    },
  });
  const fails = (failure: NonNullable<LastAnswer['failure']>, message = 'Of the door.') => {
    last = { failure, message };
  };
  const call = (context: Partial<ToolContext> = {}) =>
    connection.call(
      'echo',
      { a: 1 },
      { signal: new AbortController().signal, onProgress: () => undefined, ...context },
    );
  /** Of `api.connect`, that fails so. */
  const isAway = (failure: NonNullable<LastAnswer['failure']> = 'unreachable') =>
    api.connect.mockImplementation(async () => {
      fails(failure);
      return bad('broken');
    });
  return { ...parts, connection, api, callTool, end, fails, isAway, call };
}

describe('connecting', () => {
  test('ends in what the server is, with its tools', async () => {
    const { connection, onWelcome, onChange } = open();
    const connecting = connection.connect();
    expect(connection.state).toEqual({ type: 'connecting' });
    await connecting;
    expect(connection.state).toEqual({ type: 'ready' });
    expect(onWelcome).toHaveBeenCalledWith(welcome);
    expect(connection.log).toMatchObject([{ what: 'connect', outcome: 'ok' }]);
    expect(onChange).toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('twice at once is once', async () => {
    const { connection, api } = open();
    await Promise.all([connection.connect(), connection.connect()]);
    expect(api.connect).toHaveBeenCalledOnce();
  });

  test('is tried again by itself, after longer and longer times, and goes on from the first when it was there', async () => {
    const { connection, api, isAway } = open();
    isAway();
    await connection.connect();
    expect(connection.state).toEqual({ type: 'away', trouble: 'certificate', detail: 'Of the door.' });
    let tries = 1;
    for (const delay of [5_000, 15_000, 60_000, 300_000, 300_000]) {
      await pass(delay - 1);
      expect(api.connect).toHaveBeenCalledTimes(tries);
      await pass(1);
      expect(api.connect).toHaveBeenCalledTimes(++tries);
    }
    api.connect.mockResolvedValue(ok(welcome));
    await pass(300_000);
    expect(connection.state).toEqual({ type: 'ready' });
    isAway();
    await connection.connect();
    tries = api.connect.mock.calls.length;
    await pass(5_000);
    expect(api.connect).toHaveBeenCalledTimes(tries + 1);
  });

  test.for<[string, ReturnType<typeof bad>, string]>([
    ['a login', bad('login'), 'login'],
    ['another version', bad('version'), 'version'],
  ])('is not tried again where only the person can help: %s', async ([, answer, trouble]) => {
    const { connection, api, onLogin } = open();
    api.connect.mockResolvedValue(answer);
    await connection.connect();
    connection.wake();
    await pass(1e7);
    expect(connection.state).toMatchObject({ type: 'away', trouble });
    expect(api.connect).toHaveBeenCalledOnce();
    expect(onLogin).toHaveBeenCalledTimes(trouble === 'login' ? 1 : 0);
  });

  test('is tried at once when there is a network again, and not where it is there', async () => {
    const { connection, api, isAway } = open();
    isAway('offline');
    await connection.connect();
    api.connect.mockResolvedValue(ok(welcome));
    connection.wake();
    await pass(0);
    expect(connection.state).toEqual({ type: 'ready' });
    connection.wake();
    await pass(1e7);
    expect(api.connect).toHaveBeenCalledTimes(2);
  });

  test('to a worker that had to be ended, or to tools that cannot be kept, is a failure like others', async () => {
    const { connection, api, onWelcome } = open();
    api.connect.mockRejectedValueOnce(new Error('What the server sent could not be read in time.'));
    await connection.connect();
    expect(connection.state).toMatchObject({ type: 'away', trouble: 'broken', detail: /in time/ });
    onWelcome.mockRejectedValueOnce(new Error('Full.'));
    await connection.connect();
    expect(connection.state).toMatchObject({ type: 'away', trouble: 'broken', detail: 'Error: Full.' });
  });

  test('that is ended is neither tried again nor heard', async () => {
    const { connection, api, end, isAway } = open();
    isAway();
    const connecting = connection.connect();
    connection.end();
    await connecting;
    await pass(1e7);
    expect(api.connect).toHaveBeenCalledOnce();
    expect(api.close).toHaveBeenCalledOnce();
    expect(end).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a call', () => {
  test('is made once, counted and written down without what was in it', async () => {
    const { connection, callTool, call, onCall } = open();
    await connection.connect();
    expect(await call()).toEqual(done);
    expect(callTool).toHaveBeenCalledExactlyOnceWith(
      expect.any(String),
      'echo',
      { a: 1 },
      expect.any(AbortSignal),
    );
    expect(onCall).toHaveBeenCalledExactlyOnceWith(false);
    expect(connection.log.at(-1)).toMatchObject({ what: 'tools/call echo', outcome: 'ok' });
  });

  test('that the server answers with an error is counted as a failure', async () => {
    const { connection, callTool, call, onCall } = open();
    await connection.connect();
    callTool.mockResolvedValue(ok({ ...done, isError: true, failure: 'server' }));
    expect(await call()).toMatchObject({ failure: 'server' });
    expect(onCall).toHaveBeenLastCalledWith(true);
    callTool.mockResolvedValue(bad('broken', 'It has no such tool.'));
    expect(await call()).toMatchObject({
      failure: 'server',
      content: [{ text: expect.stringContaining('It has no such tool.') }],
    });
  });

  test('waits a little for a connection that is being made', async () => {
    const { connection, api, call } = open();
    let answer: (value: Answered<Welcome>) => void = () => undefined;
    api.connect.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    void connection.connect();
    const calling = call();
    await pass(9_000);
    answer(ok(welcome));
    expect(await calling).toEqual(done);

    api.connect.mockImplementation(never);
    void connection.connect();
    const late = call();
    await pass(10_000);
    expect(textOf(await late)).toMatch(/^The server Notes cannot be used now\. It has not answered yet\./);
  });

  test('to a server that is away is a sentence, and asks nobody', async () => {
    const { connection, callTool, call, isAway } = open();
    isAway();
    await connection.connect();
    const output = await call();
    expect(output).toMatchObject({ isError: true, failure: 'server-away' });
    expect(textOf(output)).toBe(
      'The server Notes cannot be used now. Of the door. Answer without it, and say so.',
    );
    expect(callTool).not.toHaveBeenCalled();
  });

  test('whose session is gone connects anew and is made once more, and not a third time', async () => {
    const { connection, api, callTool, call } = open();
    await connection.connect();
    callTool.mockResolvedValueOnce(bad('session'));
    expect(await call()).toEqual(done);
    expect([api.connect.mock.calls.length, callTool.mock.calls.length]).toEqual([2, 2]);
    callTool.mockResolvedValue(bad('session', 'Gone again.'));
    expect(await call()).toMatchObject({ isError: true, failure: 'server' });
    expect([api.connect.mock.calls.length, callTool.mock.calls.length]).toEqual([3, 4]);
  });

  test('whose session is gone with the server was not made, and that is said', async () => {
    const { connection, api, callTool, call, isAway, onCall } = open();
    await connection.connect();
    callTool.mockResolvedValue(bad('session'));
    isAway();
    const output = await call();
    expect(output).toMatchObject({ failure: 'server-away' });
    expect(textOf(output)).not.toMatch(/may have been done/);
    expect(callTool).toHaveBeenCalledOnce();
    expect(onCall).toHaveBeenCalledExactlyOnceWith(true);
    // It is tried again after its time, and no sooner.
    expect(api.connect).toHaveBeenCalledTimes(2);
  });

  test('that broke off is never made again: nobody knows whether it was done', async () => {
    const { connection, api, callTool, call, fails } = open();
    await connection.connect();
    callTool.mockImplementation(async () => {
      fails('unreachable', 'The connection broke off.');
      return bad('broken');
    });
    const output = await call();
    expect(output).toMatchObject({ failure: 'server-lost' });
    expect(textOf(output)).toMatch(/It may have been done or not: do not simply call it again\.$/);
    await pass(1e6);
    expect(callTool).toHaveBeenCalledOnce();
    // Whether it is there is found out at once.
    expect(api.connect).toHaveBeenCalledTimes(2);
    callTool.mockResolvedValue(bad('lost'));
    expect(await call()).toMatchObject({ failure: 'server-lost' });
    expect(callTool).toHaveBeenCalledTimes(2);
  });

  test('whose answer has no end says so, and the server is still there', async () => {
    const { connection, api, callTool, call, fails } = open();
    await connection.connect();
    callTool.mockImplementation(async () => {
      fails('too-long', 'It sent more than 4000000 bytes.');
      return bad('broken');
    });
    expect(textOf(await call())).toMatch(/more than 4000000 bytes/);
    expect(connection.state).toEqual({ type: 'ready' });
    expect(api.connect).toHaveBeenCalledOnce();
  });

  test.for(['login', 'scope'] as const)('that wants a %s says where', async (fault) => {
    const { connection, callTool, call, onLogin } = open();
    await connection.connect();
    callTool.mockResolvedValue(bad(fault));
    expect(textOf(await call())).toMatch(/wants a login .* on the page Tools/);
    expect(connection.state).toMatchObject({ type: 'away', trouble: 'login' });
    expect(onLogin).toHaveBeenCalledOnce();
  });

  test('that is stopped ends with the reason', async () => {
    const { connection, callTool, call } = open();
    await connection.connect();
    const stop = new AbortController();
    callTool.mockImplementation(async (_id, _name, _args, signal) => {
      stop.abort(new Error('Stopped by the person.'));
      signal.throwIfAborted();
      return ok(done);
    });
    await expect(call({ signal: stop.signal })).rejects.toThrow('Stopped by the person.');
  });

  test('of a server that was removed is a sentence, and brings nothing back', async () => {
    const { connection, api, callTool, call } = open();
    await connection.connect();
    connection.end();
    expect(textOf(await call())).toMatch(/was removed/);
    expect([api.connect.mock.calls.length, callTool.mock.calls.length]).toEqual([1, 0]);
  });
});

test('progress goes to its call alone, and to none that is over', async () => {
  const { connection, callTool, call } = open();
  await connection.connect();
  const onProgress = vi.fn();
  let id = '';
  callTool.mockImplementation(async (callId) => {
    id = callId;
    connection.progress(callId, 'x'.repeat(1_000));
    connection.progress('another', 'nothing');
    return ok(done);
  });
  await call({ onProgress });
  connection.progress(id, 'late');
  expect(onProgress.mock.calls).toEqual([['x'.repeat(200)]]);
});

test('while the server asks the person something, all its calls stand still', async () => {
  const { connection, callTool, call } = open();
  await connection.connect();
  const stood: string[] = [];
  const whileAsking =
    (name: string) =>
    async <Value>(work: () => Promise<Value>) => {
      stood.push(name);
      return work();
    };
  let asked: unknown;
  let count = 0;
  callTool.mockImplementation(async () => {
    if (++count === 2) asked = await connection.whileAsking(async () => 'yes');
    return ok(done);
  });
  callTool.mockImplementationOnce(async () => {
    count += 1;
    await vi.waitFor(() => expect(asked).toBe('yes'));
    return ok(done);
  });
  const calling = [
    call({ whileAsking: whileAsking('first') }),
    call({ whileAsking: whileAsking('second') }),
    call(),
  ];
  await pass(1_000);
  await Promise.all(calling);
  expect(stood.sort()).toEqual(['first', 'second']);
  expect(await connection.whileAsking(async () => 'no call')).toBe('no call');
});

describe('a list that has changed', () => {
  test('is read once, however often that is said', async () => {
    const { connection, api, onTools } = open();
    await connection.connect();
    for (let at = 0; at < 1_000; at++) connection.listAgain();
    await pass(1_999);
    expect(api.listTools).not.toHaveBeenCalled();
    await pass(1);
    await pass(1e6);
    expect([api.listTools.mock.calls.length, onTools.mock.calls.length]).toEqual([1, 1]);
  });

  test('is read once more where it changed while it was read', async () => {
    const { connection, api } = open();
    await connection.connect();
    api.listTools.mockImplementationOnce(async () => {
      for (let at = 0; at < 1_000; at++) connection.listAgain();
      return ok([]);
    });
    connection.listAgain();
    await pass(1e6);
    expect(api.listTools).toHaveBeenCalledTimes(2);
  });

  test('that cannot be read or kept leaves what was known, and the next one is read', async () => {
    const { connection, api, onTools } = open();
    await connection.connect();
    api.listTools.mockResolvedValueOnce(bad('broken'));
    connection.listAgain();
    await pass(2_000);
    expect(onTools).not.toHaveBeenCalled();
    onTools.mockRejectedValueOnce(new Error('Full.'));
    connection.listAgain();
    await pass(2_000);
    connection.listAgain();
    await pass(2_000);
    expect(onTools).toHaveBeenCalledTimes(2);
    expect(connection.log.map(({ outcome }) => outcome)).toEqual(['ok', 'Why.', 'ok', 'Error: Full.', 'ok']);
  });

  test('of a server that was removed is not read', async () => {
    const { connection, api } = open();
    await connection.connect();
    connection.listAgain();
    connection.end();
    await pass(1e6);
    expect(api.listTools).not.toHaveBeenCalled();
  });
});

test('the log has the last hundred lines', async () => {
  const { connection } = open();
  for (let at = 0; at < 250; at++) connection.note('error', `${at}`);
  expect(connection.log).toHaveLength(100);
  expect(connection.log.at(-1)?.outcome).toBe('249');
});

test('of prompts there are none while it is away, or where it does not tell', async () => {
  const { connection, api, isAway } = open();
  const prompt = { name: 'p', title: 'P', description: '', arguments: [] };
  api.prompts.mockResolvedValue(ok([prompt]));
  expect(await connection.prompts()).toEqual([]);
  await connection.connect();
  expect(await connection.prompts()).toEqual([prompt]);
  api.prompts.mockRejectedValueOnce(new Error('It broke down.'));
  expect(await connection.prompts()).toEqual([]);
  isAway();
  await connection.connect();
  expect(await connection.prompts()).toEqual([]);
});
