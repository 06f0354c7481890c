/** The connection to one server: what it does on its own, whatever happens to the server. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bad, ok, openConnection, pass, welcome } from '../../support/connection-stage';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a connection to an MCP server', () => {
  test("receives the server's identity and tools", async () => {
    const { connection, onConnected, onChange } = openConnection();
    const connecting = connection.connect();
    expect(connection.state).toEqual({ type: 'connecting' });
    await connecting;
    expect(connection.state).toEqual({ type: 'ready' });
    expect(onConnected).toHaveBeenCalledWith(welcome);
    expect(connection.log).toMatchObject([{ what: 'connect', outcome: 'ok' }]);
    expect(onChange).toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is opened only once by two simultaneous attempts', async () => {
    const { connection, api } = openConnection();
    await Promise.all([connection.connect(), connection.connect()]);
    expect(api.connect).toHaveBeenCalledOnce();
  });

  test('is retried with growing delays, which start over after a success', async () => {
    const { connection, api, isAway } = openConnection();
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
    ['the server requires a login', bad('login'), 'login'],
    ['the server has another protocol version', bad('version'), 'version'],
  ])('is not retried if only the user can fix the failure: %s', async ([, answer, trouble]) => {
    const { connection, api, onLogin } = openConnection();
    api.connect.mockResolvedValue(answer);
    await connection.connect();
    connection.wake();
    await pass(1e7);
    expect(connection.state).toMatchObject({ type: 'away', trouble });
    expect(api.connect).toHaveBeenCalledOnce();
    expect(onLogin).toHaveBeenCalledTimes(trouble === 'login' ? 1 : 0);
  });

  test('is retried at once when the network returns', async () => {
    const { connection, api, isAway } = openConnection();
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

  test('is reported as broken if the worker fails or the tools cannot be stored', async () => {
    const { connection, api, onConnected } = openConnection();
    api.connect.mockRejectedValueOnce(new Error('What the server sent could not be read in time.'));
    await connection.connect();
    expect(connection.state).toMatchObject({ type: 'away', trouble: 'broken', detail: /in time/ });
    onConnected.mockRejectedValueOnce(new Error('Full.'));
    await connection.connect();
    expect(connection.state).toMatchObject({ type: 'away', trouble: 'broken', detail: 'Error: Full.' });
  });

  test('is not retried after the server is removed', async () => {
    const { connection, api, end, isAway } = openConnection();
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

describe('the tool list of an MCP server', () => {
  test('is read only once when the server reports many changes in a row', async () => {
    const { connection, api, onTools } = openConnection();
    await connection.connect();
    for (let at = 0; at < 1_000; at++) connection.reloadTools();
    await pass(1_999);
    expect(api.listTools).not.toHaveBeenCalled();
    await pass(1);
    await pass(1e6);
    expect([api.listTools.mock.calls.length, onTools.mock.calls.length]).toEqual([1, 1]);
  });

  test('is read again if it changes while being read', async () => {
    const { connection, api } = openConnection();
    await connection.connect();
    api.listTools.mockImplementationOnce(async () => {
      for (let at = 0; at < 1_000; at++) connection.reloadTools();
      return ok([]);
    });
    connection.reloadTools();
    await pass(1e6);
    expect(api.listTools).toHaveBeenCalledTimes(2);
  });

  test('stays as it was if reading or storing it fails', async () => {
    const { connection, api, onTools } = openConnection();
    await connection.connect();
    api.listTools.mockResolvedValueOnce(bad('broken'));
    connection.reloadTools();
    await pass(2_000);
    expect(onTools).not.toHaveBeenCalled();
    onTools.mockRejectedValueOnce(new Error('Full.'));
    connection.reloadTools();
    await pass(2_000);
    connection.reloadTools();
    await pass(2_000);
    expect(onTools).toHaveBeenCalledTimes(2);
    expect(connection.log.map(({ outcome }) => outcome)).toEqual(['ok', 'Why.', 'ok', 'Error: Full.', 'ok']);
  });

  test('is not read after the server is removed', async () => {
    const { connection, api } = openConnection();
    await connection.connect();
    connection.reloadTools();
    connection.end();
    await pass(1e6);
    expect(api.listTools).not.toHaveBeenCalled();
  });
});

test('the log of an MCP server keeps the last 100 entries', async () => {
  const { connection } = openConnection();
  for (let at = 0; at < 250; at++) connection.addLogLine('error', `${at}`);
  expect(connection.log).toHaveLength(100);
  expect(connection.log.at(-1)?.outcome).toBe('249');
});

test('the prompts of an MCP server are not listed while the server is unavailable', async () => {
  const { connection, api, isAway } = openConnection();
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
