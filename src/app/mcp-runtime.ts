/** Manages the page's MCP servers. We load this module only if a server exists or the user adds one. An unreachable server delays nothing. */
import type { McpSecrets, McpServer, McpServerList, ServerView } from '../contracts/mcp-server';
import type { McpServerStore } from '../contracts/store';
import type { Tool } from '../contracts/tool';
import { reservedToolNames } from '../contracts/tool-names';
import { mergeTools } from '../tools/mcp/merge-tools';
import { createRemoteTool } from '../tools/mcp/remote-tool';
import type { ListedTool, ServerInfo } from '../tools/mcp/worker-api';
import { type LiveServer, type LiveServerOptions, openLiveServer, toServerView } from './mcp-live';

export interface McpRuntimeOptions extends Pick<
  LiveServerOptions,
  'startWorker' | 'egress' | 'askPerson' | 'isCounting' | 'baseUrl'
> {
  kept: McpServerStore;
  takenNames: () => Promise<readonly string[]>;
  onTools: () => void;
  onError: (error: Error) => void;
}

type ServerChange = (server: McpServer) => McpServer;
type ServerWatcher = (views: readonly ServerView[], damaged: McpServerList['damaged']) => void;

export type McpRuntime = ReturnType<typeof createMcpRuntime>;

export function createMcpRuntime(parts: McpRuntimeOptions) {
  const { kept, onError } = parts;
  const lives = new Map<string, LiveServer>();
  const unsavedSecrets = new WeakMap<LiveServer, McpSecrets>();
  /** Changes that are still being written. A row that we read meanwhile lacks them. */
  const pendingChanges = new WeakMap<LiveServer, readonly ServerChange[]>();
  const watchers = new Set<ServerWatcher>();
  let damaged: McpServerList['damaged'] = [];
  let isNotifying = false;

  const isKept = (live: LiveServer) => lives.get(live.server.id) === live;
  const views = () =>
    [...lives.values()].map(toServerView).sort((a, b) => a.server.createdAt - b.server.createdAt);

  function notifyWatchers(): void {
    if (isNotifying) return;
    isNotifying = true;
    queueMicrotask(() => {
      isNotifying = false;
      for (const tell of watchers) tell(views(), damaged);
    });
  }

  /** If the row cannot be written, reports the error but keeps the change in memory. */
  async function change(live: LiveServer, how: ServerChange): Promise<void> {
    live.server = how(live.server);
    notifyWatchers();
    if (!isKept(live)) return;
    pendingChanges.set(live, [...pendingChangesOf(live), how]);
    const row = await kept.change(live.server.id, how).catch(tellError);
    const others = pendingChangesOf(live).filter((pending) => pending !== how);
    pendingChanges.set(live, others);
    if (row) takeRow(live, row);
  }

  const pendingChangesOf = (live: LiveServer) => pendingChanges.get(live) ?? [];

  function takeRow(live: LiveServer, row: McpServer): void {
    live.server = pendingChangesOf(live).reduce((server, how) => how(server), row);
    notifyWatchers();
  }

  function tellError(error: unknown): undefined {
    onError(error instanceof Error ? error : new Error(String(error)));
  }

  const secretsOf = async (live: LiveServer) => unsavedSecrets.get(live) ?? kept.secretsOf(live.server.id);

  async function changeSecrets(live: LiveServer, how: (secrets: McpSecrets) => McpSecrets): Promise<void> {
    const mine = unsavedSecrets.get(live);
    if (mine) unsavedSecrets.set(live, how(mine));
    else await kept.changeSecrets(live.server.id, how);
  }

  async function takeTools(live: LiveServer, found: readonly ListedTool[], info?: ServerInfo): Promise<void> {
    const taken = new Set(await parts.takenNames());
    for (const other of lives.values()) {
      if (other.server.id === live.server.id) continue;
      for (const { alias } of other.server.tools) taken.add(alias);
    }
    const isTaken = (name: string) => taken.has(name) || reservedToolNames.has(name);
    await change(live, (server) => ({
      ...server,
      tools: mergeTools(server.tools, found, server.name, isTaken),
      ...(info && { info }),
    }));
    if (isKept(live)) parts.onTools();
  }

  /** Creates a connection to a server that is not yet stored or shown. */
  function open(server: McpServer, secrets: McpSecrets): LiveServer {
    let wasAway = false;
    const live = openLiveServer(server, secrets, {
      ...parts,
      change,
      secretsOf,
      changeSecrets,
      onTools: takeTools,
      onChange() {
        notifyWatchers();
        const isAway = live.connection.state.type === 'away';
        if (isAway !== wasAway && isKept(live)) parts.onTools();
        wasAway = isAway;
      },
    });
    unsavedSecrets.set(live, secrets);
    return live;
  }

  async function applyRows(list: McpServerList): Promise<void> {
    const before = toToolsKey();
    ({ damaged } = list);
    const ids = new Set(list.servers.map(({ id }) => id));
    for (const id of lives.keys()) if (!ids.has(id)) forget(id);
    for (const server of list.servers) {
      const live = lives.get(server.id);
      if (live) takeRow(live, server);
      else await begin(server);
    }
    // Rows also change when we count a request, so check whether the tools have changed.
    if (toToolsKey() !== before) parts.onTools();
    notifyWatchers();
  }

  function toToolsKey(): string {
    const all = [...lives.values()].map(({ server: { id, name, tools } }) => [
      id,
      name,
      tools.map(({ alias, hash, isOn }) => [alias, hash, isOn]),
    ]);
    return JSON.stringify(all);
  }

  async function begin(server: McpServer): Promise<void> {
    const secrets = await kept.secretsOf(server.id);
    if (lives.has(server.id)) return;
    const live = open(server, secrets);
    lives.set(server.id, live);
    unsavedSecrets.delete(live);
    void live.connection.connect();
  }

  function forget(id: string): void {
    const live = lives.get(id);
    lives.delete(id);
    live?.over.abort();
    live?.connection.end();
  }

  return {
    views,
    open,
    change,
    secretsOf,
    changeSecrets,
    notifyWatchers,
    /** Reads the stored servers and connects to them in the background. Rejects with an `AppError`. */
    begin: async () => {
      await applyRows(await kept.list());
      kept.watch((list) => void applyRows(list).catch(tellError), tellError);
    },
    /** Returns the tools that are on and whose server is reachable. */
    tools: (): readonly Tool[] =>
      [...lives.values()].flatMap(({ server, connection }) =>
        connection.state.type === 'away'
          ? []
          : server.tools
              .filter(({ isOn }) => isOn)
              .map((tool) => createRemoteTool(server, tool, connection.call)),
      ),
    names: () => [...lives.values()].flatMap(({ server }) => server.tools.map(({ alias }) => alias)),
    find: (id: string) => lives.get(id),
    watch: (tell: ServerWatcher) => {
      watchers.add(tell);
      tell(views(), damaged);
    },
    take: async (live: LiveServer) => {
      const secrets = await secretsOf(live);
      // Add the server before its row exists, so the row's watcher does not open it a second time.
      lives.set(live.server.id, live);
      await kept.add(live.server, secrets);
      unsavedSecrets.delete(live);
      notifyWatchers();
    },
    wake: () => {
      for (const { connection } of lives.values()) connection.wake();
    },
  };
}
