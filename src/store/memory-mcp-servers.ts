/** MCP servers, for a visit in which nothing can be kept. */
import type { McpSecrets, McpServer, McpServerList } from '../contracts/mcp-server';
import type { GrantStore, McpServerStore } from '../contracts/store';
import { isGrantOf, readSecrets } from './mcp-servers';
import { type MarkedRows, marksOn } from './memory-marks';
import { isBinned, shownOf } from './tree';

export function createMemoryMcpServers(grants: GrantStore): McpServerStore & { marks: MarkedRows } {
  const servers = new Map<string, McpServer>();
  const secrets = new Map<string, McpSecrets>();
  const watchers = new Set<() => void>();
  const list = (): McpServerList => ({
    servers: structuredClone(shownOf([...servers.values()])).sort((a, b) => a.createdAt - b.createdAt),
    damaged: [],
  });
  const changed = () => {
    for (const tell of watchers) tell();
  };
  const secretsOf = (id: string) => readSecrets(id, structuredClone(secrets.get(id)));

  return {
    marks: marksOn('server', servers, changed),
    list: () => Promise.resolve(list()),
    watch(onList) {
      const tell = () => onList(list());
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    add(server, kept) {
      servers.set(server.id, structuredClone(server));
      secrets.set(server.id, structuredClone(kept));
      changed();
      return Promise.resolve();
    },
    change(id, change) {
      const server = servers.get(id);
      if (!server || isBinned(server)) return Promise.resolve(undefined);
      const now = structuredClone(change(server));
      servers.set(id, now);
      changed();
      return Promise.resolve(structuredClone(now));
    },
    async remove(id) {
      servers.delete(id);
      secrets.delete(id);
      changed();
      const ofServer = (await grants.list()).filter((grant) => isGrantOf(id, grant));
      await Promise.all(ofServer.map((grant) => grants.remove(grant.id)));
    },
    secretsOf: (id) => Promise.resolve(secretsOf(id)),
    changeSecrets(id, change) {
      if (servers.has(id)) secrets.set(id, structuredClone(change(secretsOf(id))));
      return Promise.resolve();
    },
  };
}
