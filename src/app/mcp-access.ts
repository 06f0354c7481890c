/** Access to MCP servers. Their code is loaded when there is a server or a screen needs it. */
import type { McpServerStore } from '../contracts/store';
import type { AttachedResource } from '../contracts/message';
import { failedOutput, type Tool, type ToolContext, type ToolOutput } from '../contracts/tool';
import { loadOnce } from './load-once';
import type { McpRuntimeParts } from './mcp-runtime';

export interface McpAccessParts extends Omit<McpRuntimeParts, 'kept'> {
  store: Promise<{ mcpServers: McpServerStore }>;
  allowedAddresses: () => readonly string[];
}

export type McpAccess = ReturnType<typeof createMcpAccess>;

export function createMcpAccess(parts: McpAccessParts) {
  const runtime = loadOnce(async () => {
    const [{ createMcpRuntime }, { createMcpFunctions }, { Servers }] = await Promise.all([
      import('./mcp-runtime'),
      import('./mcp-functions'),
      import('../state/servers.svelte'),
    ]);
    const made = createMcpRuntime({ ...parts, kept: (await parts.store).mcpServers });
    await made.begin();
    window.addEventListener('online', made.wake);
    return { ...made, servers: new Servers(createMcpFunctions({ ...parts, runtime: made })) };
  });
  const isAny = loadOnce(async () => {
    const { servers, damaged } = await (await parts.store).mcpServers.list();
    return servers.length + damaged.length > 0;
  });

  /** Undefined if there are no servers and no screen needs them. */
  const whereAny = async () => {
    if (!runtime.begun && !(await isAny.load())) return undefined;
    return runtime.load();
  };
  return {
    load: async () => (await runtime.load()).servers,
    /** The tools that can be offered now. Empty if the stored servers cannot be read. Never rejects. */
    tools: async (): Promise<readonly Tool[]> => (await whereAny().catch(() => undefined))?.tools() ?? [],
    /** Reads an attachment of a message, which is outside text. Rejects only with the reason of `signal`. */
    readAttached: async ({ serverId, uri }: AttachedResource, context: ToolContext): Promise<ToolOutput> => {
      const live = (await whereAny().catch(() => undefined))?.find(serverId);
      if (!live) {
        const text = 'The server is gone: the person has removed it. Answer without it, and say so.';
        return failedOutput('server-away', text);
      }
      const output = await live.connection.read(uri, context);
      return { ...output, sources: [new URL(live.server.url).host] };
    },
    names: async (): Promise<readonly string[]> => (await whereAny().catch(() => undefined))?.names() ?? [],
  };
}
