/** A connection to a server whose worker responds as the test decides. */
import { vi } from 'vitest';
import type { ToolContext, UnmarkedOutput } from '../../src/contracts/tool';
import { createConnection } from '../../src/app/mcp-live';
import type { LastAnswer, RemoteServer } from '../../src/tools/mcp/remote-server';
import type { McpWorkerApi } from '../../src/tools/mcp/session';
import type { Answer, ListedTool, ServerFault, ConnectedServer } from '../../src/tools/mcp/worker-api';

export const welcome: ConnectedServer = {
  name: 'notes',
  version: '1',
  instructions: '',
  protocol: '2025-11-25',
  hasPrompts: true,
  hasResources: false,
  tools: [],
};
export const done: UnmarkedOutput = { content: [{ type: 'text', text: 'Done.' }], isError: false };
export const ok = <Value>(value: Value): Answer<Value> => ({ ok: true, value });
export const bad = (fault: ServerFault, message = 'Why.') => ({ ok: false, fault, message }) as const;
export const textOf = ({ content }: UnmarkedOutput) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join();
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
export const never = () => new Promise<never>(() => undefined);

export function openConnection() {
  let last: LastAnswer = {};
  const api = {
    connect: vi.fn<() => Promise<Answer<ConnectedServer>>>(async () => ok(welcome)),
    listTools: vi.fn<() => Promise<Answer<readonly ListedTool[]>>>(async () => ok([])),
    prompts: vi.fn<McpWorkerApi['prompts']>(async () => ok([])),
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
    onConnected: vi.fn(async () => undefined),
    onTools: vi.fn<() => Promise<void>>(async () => undefined),
    onChange: vi.fn(),
    onCall: vi.fn(),
    onLogin: vi.fn(async () => undefined),
  };
  const connection = createConnection({
    ...parts,
    url: 'https://mcp.example.org/mcp',
    name: 'Notes',
    remote,
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
  /** Makes `api.connect` fail in this way. */
  const isAway = (failure: NonNullable<LastAnswer['failure']> = 'unreachable') =>
    api.connect.mockImplementation(async () => {
      fails(failure);
      return bad('broken');
    });
  return { ...parts, connection, api, callTool, end, fails, isAway, call };
}
