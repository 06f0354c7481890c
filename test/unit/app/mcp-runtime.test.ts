/** MCP servers, from the stored rows to the offered tools. Workers cannot start here, so every server is unreachable. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMcpRuntime } from '../../../src/app/mcp-runtime';
import type { McpServer } from '../../../src/contracts/mcp-server';
import type { McpServerStore } from '../../../src/contracts/store';
import { switchTool } from '../../../src/tools/mcp/merge-tools';
import { createMemoryStore } from '../../../src/store/open-store';
import { deleteItem } from '../../support/stored-chat';

const server: McpServer = {
  id: 'house',
  name: 'House',
  url: 'https://mcp.example/mcp',
  header: '',
  clientId: '',
  createdAt: 1,
  tally: { calls: 0, failures: 0, sentBytes: 0, receivedBytes: 0 },
  tools: [
    {
      name: 'lamps',
      alias: 'lamps',
      hash: 'a',
      isOn: false,
      definition: { title: '', description: 'Lamps.', inputSchema: { type: 'object' }, hints: {} },
    },
  ],
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function begin(kept: McpServerStore) {
  await kept.add(server, { serverId: 'house', key: '', clientSecret: '' });
  const onTools = vi.fn();
  const runtime = createMcpRuntime({
    startWorker() {
      throw new Error('There are no workers here.');
    },
    egress: { send: vi.fn(), stream: vi.fn() },
    kept,
    onTools,
    askPerson: vi.fn(),
    takenNames: async () => [],
    onError(error) {
      throw error;
    },
    isCounting: () => true,
    baseUrl: 'https://hearth.example/',
  });
  await runtime.begin();
  await vi.waitFor(() => expect(runtime.views()[0]?.state.type).toBe('away'));
  await vi.advanceTimersByTimeAsync(0);
  onTools.mockClear();
  return { runtime, onTools };
}

test("a change to a server's tools is announced, but a change to its call count is not", async () => {
  const { mcpServers: kept, bin } = createMemoryStore();
  const { runtime, onTools } = await begin(kept);

  await kept.change('house', (one) => ({ ...one, tally: { ...one.tally, calls: 7 } }));
  await vi.advanceTimersByTimeAsync(0);
  expect(runtime.views()[0]?.server.tally.calls).toBe(7);
  expect(onTools).not.toHaveBeenCalled();

  // A change as another tab would make it.
  await kept.change('house', (one) => switchTool(one, 'lamps', true));
  await vi.advanceTimersByTimeAsync(0);
  expect(onTools).toHaveBeenCalledOnce();
  await deleteItem(bin, 'server', 'house');
  await vi.advanceTimersByTimeAsync(0);
  expect(runtime.views()).toEqual([]);
});

test("an older copy of a server's settings does not undo a change that is being saved", async () => {
  const memory = createMemoryStore().mcpServers;
  const followers: Parameters<McpServerStore['watch']>[0][] = [];
  let write = () => {};
  const kept: McpServerStore = {
    ...memory,
    watch(onList, onError) {
      followers.push(onList);
      return memory.watch(onList, onError);
    },
    async change(...given) {
      await new Promise<void>((resolve) => (write = resolve));
      return memory.change(...given);
    },
  };
  const { runtime } = await begin(kept);
  const [live] = [runtime.find('house')].flatMap((one) => one ?? []);
  if (!live) throw new Error('It is not there.');
  const isOn = () => runtime.views()[0]?.server.tools[0]?.isOn;
  const counts = () => runtime.views()[0]?.server.tally.calls;
  const read = await memory.list();

  const written = runtime.change(live, (one) => switchTool(one, 'lamps', true));
  expect(isOn()).toBe(true);
  for (const follow of followers) follow(read);
  await vi.advanceTimersByTimeAsync(0);
  expect(isOn()).toBe(true);
  write();
  await written;
  expect(isOn()).toBe(true);
  expect((await memory.list()).servers[0]?.tools[0]?.isOn).toBe(true);

  // A call is counted only once.
  const counted = runtime.change(live, (one) => ({
    ...one,
    tally: { ...one.tally, calls: one.tally.calls + 1 },
  }));
  write();
  await counted;
  await vi.advanceTimersByTimeAsync(0);
  expect(counts()).toBe(1);
});
