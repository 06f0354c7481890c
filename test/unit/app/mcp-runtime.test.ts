/** MCP servers, from what is kept to what is offered. The workers do not start here: each server is away. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMcpRuntime } from '../../../src/app/mcp-runtime';
import type { McpServer } from '../../../src/contracts/mcp-server';
import type { GrantStore } from '../../../src/contracts/store';
import { createMemoryMcpServers } from '../../../src/store/memory-mcp-servers';
import { switchTool } from '../../../src/tools/mcp/merge-tools';

const server: McpServer = {
  ...{ id: 'house', name: 'House', url: 'https://mcp.example/mcp', header: '', clientId: '', createdAt: 1 },
  tally: { calls: 0, failures: 0, sentBytes: 0, receivedBytes: 0 },
  tools: [
    {
      ...{ name: 'lamps', alias: 'lamps', hash: 'a', isOn: false },
      definition: { title: '', description: 'Lamps.', inputSchema: { type: 'object' }, hints: {} },
    },
  ],
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('tools are read anew when they are others, and not with every request that is counted', async () => {
  const grants: GrantStore = {
    list: async () => [],
    watch: () => () => undefined,
    add: async () => undefined,
    remove: async () => undefined,
  };
  const kept = createMemoryMcpServers(grants);
  await kept.add(server, { serverId: 'house', key: '', clientSecret: '' });
  const onTools = vi.fn();
  const runtime = createMcpRuntime({
    startWorker() {
      throw new Error('There are no workers here.');
    },
    egress: { send: vi.fn(), stream: vi.fn() },
    ...{ kept, onTools, askPerson: vi.fn(), takenNames: async () => [] },
    onError(error) {
      throw error;
    },
    isCounting: () => true,
    ...{ baseUrl: 'https://hearth.example/', newId: () => 'id', date: () => 0 },
  });
  await runtime.begin();
  await vi.waitFor(() => expect(runtime.views()[0]?.state.type).toBe('away'));
  await vi.advanceTimersByTimeAsync(0);
  onTools.mockClear();

  await kept.change('house', (one) => ({ ...one, tally: { ...one.tally, calls: 7 } }));
  await vi.advanceTimersByTimeAsync(0);
  expect(runtime.views()[0]?.server.tally.calls).toBe(7);
  expect(onTools).not.toHaveBeenCalled();

  // As another tab would.
  await kept.change('house', (one) => switchTool(one, 'lamps', true));
  await vi.advanceTimersByTimeAsync(0);
  expect(onTools).toHaveBeenCalledOnce();
  await kept.remove('house');
  await vi.advanceTimersByTimeAsync(0);
  expect(runtime.views()).toEqual([]);
});
