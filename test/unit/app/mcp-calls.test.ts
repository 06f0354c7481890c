/** Calls of a server's tools: what the model is told, whatever happens to the server. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer, ConnectedServer } from '../../../src/tools/mcp/worker-api';
import { bad, done, never, ok, openConnection, pass, textOf, welcome } from '../../support/connection-stage';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a tool call to an MCP server', () => {
  test('is sent once, counted, and logged without its content', async () => {
    const { connection, callTool, call, onCall } = openConnection();
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

  test('an error from the server counts as a failure', async () => {
    const { connection, callTool, call, onCall } = openConnection();
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

  test('waits up to ten seconds for the connection', async () => {
    const { connection, api, call } = openConnection();
    let answer: (value: Answer<ConnectedServer>) => void = () => undefined;
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

  test('is not sent if the server is unavailable, and the model is informed', async () => {
    const { connection, callTool, call, isAway } = openConnection();
    isAway();
    await connection.connect();
    const output = await call();
    expect(output).toMatchObject({ isError: true, failure: 'server-away' });
    expect(textOf(output)).toBe(
      'The server Notes cannot be used now. Of the door. Answer without it, and say so.',
    );
    expect(callTool).not.toHaveBeenCalled();
  });

  test('is repeated once in a new session if the session has ended', async () => {
    const { connection, api, callTool, call } = openConnection();
    await connection.connect();
    callTool.mockResolvedValueOnce(bad('session'));
    expect(await call()).toEqual(done);
    expect([api.connect.mock.calls.length, callTool.mock.calls.length]).toEqual([2, 2]);
    callTool.mockResolvedValue(bad('session', 'Gone again.'));
    expect(await call()).toMatchObject({ isError: true, failure: 'server' });
    expect([api.connect.mock.calls.length, callTool.mock.calls.length]).toEqual([3, 4]);
  });

  test('is reported as failed, not as possibly done, if the session has ended and the server is gone', async () => {
    const { connection, api, callTool, call, isAway, onCall } = openConnection();
    await connection.connect();
    callTool.mockResolvedValue(bad('session'));
    isAway();
    const output = await call();
    expect(output).toMatchObject({ failure: 'server-away' });
    expect(textOf(output)).not.toMatch(/may have been done/);
    expect(callTool).toHaveBeenCalledOnce();
    expect(onCall).toHaveBeenCalledExactlyOnceWith(true);
    // The next attempt to connect waits for its delay.
    expect(api.connect).toHaveBeenCalledTimes(2);
  });

  test('is never repeated after the connection breaks, because it may have been done', async () => {
    const { connection, api, callTool, call, fails } = openConnection();
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
    // The connection is checked at once.
    expect(api.connect).toHaveBeenCalledTimes(2);
    callTool.mockResolvedValue(bad('lost'));
    expect(await call()).toMatchObject({ failure: 'server-lost' });
    expect(callTool).toHaveBeenCalledTimes(2);
  });

  test('fails if the answer is too long, but the server stays connected', async () => {
    const { connection, api, callTool, call, fails } = openConnection();
    await connection.connect();
    callTool.mockImplementation(async () => {
      fails('too-long', 'It sent more than 4000000 bytes.');
      return bad('broken');
    });
    expect(textOf(await call())).toMatch(/more than 4000000 bytes/);
    expect(connection.state).toEqual({ type: 'ready' });
    expect(api.connect).toHaveBeenCalledOnce();
  });

  test.for(['login', 'scope'] as const)(
    'tells the model where the user can sign in if the server requires it: %s',
    async (fault) => {
      const { connection, callTool, call, onLogin } = openConnection();
      await connection.connect();
      callTool.mockResolvedValue(bad(fault));
      expect(textOf(await call())).toMatch(/wants a login .* on the page Tools/);
      expect(connection.state).toMatchObject({ type: 'away', trouble: 'login' });
      expect(onLogin).toHaveBeenCalledOnce();
    },
  );

  test('ends when the user stops it', async () => {
    const { connection, callTool, call } = openConnection();
    await connection.connect();
    const stop = new AbortController();
    callTool.mockImplementation(async (_id, _name, _args, signal) => {
      stop.abort(new Error('Stopped by the person.'));
      signal.throwIfAborted();
      return ok(done);
    });
    await expect(call({ signal: stop.signal })).rejects.toThrow('Stopped by the person.');
  });

  test('is not sent if the server was removed, and the model is informed', async () => {
    const { connection, api, callTool, call } = openConnection();
    await connection.connect();
    connection.end();
    expect(textOf(await call())).toMatch(/was removed/);
    expect([api.connect.mock.calls.length, callTool.mock.calls.length]).toEqual([1, 0]);
  });
});

test('a tool call receives only its own progress reports, and none after its end', async () => {
  const { connection, callTool, call } = openConnection();
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

test('a server may ask the user questions only during one of its tool calls', async () => {
  const { connection, callTool, call } = openConnection();
  await connection.connect();
  expect(connection.isCalling).toBe(false);
  const during: boolean[] = [];
  callTool.mockImplementation(async () => {
    during.push(connection.isCalling);
    return ok(done);
  });
  await call();
  expect(during).toEqual([true]);
  expect(connection.isCalling).toBe(false);
});

test('all tool calls of a server pause while the server asks the user a question', async () => {
  const { connection, callTool, call } = openConnection();
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
