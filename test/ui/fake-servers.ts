/** Fake MCP servers: a test sets their state and reads the calls they received. */
import type {
  RemoteTool,
  ServerPrompt,
  ServerResource,
  ServerState,
  ServerView,
} from '../../src/contracts/mcp-server';
import { type AddResult, Servers, type SignInResult } from '../../src/state/servers.svelte';

export function remoteTool(name: string, changed: Partial<RemoteTool> = {}): RemoteTool {
  return {
    name,
    alias: name,
    hash: `hash of ${name}`,
    isOn: false,
    definition: {
      title: '',
      description: `What ${name} does.`,
      hints: {},
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    },
    ...changed,
  };
}

export function serverView(
  name: string,
  { tools = [], state = { type: 'ready' }, ...changed }: Partial<ServerView> & { tools?: RemoteTool[] } = {},
): ServerView {
  return {
    server: {
      id: name.toLowerCase(),
      name,
      url: `https://mcp.${name.toLowerCase()}.example/mcp`,
      header: '',
      clientId: '',
      tools,
      createdAt: Date.UTC(2026, 10, 26),
      info: {
        name: `${name}-server`,
        version: '1.2.0',
        instructions: '',
        protocol: '2025-11-25',
        hasPrompts: true,
        hasResources: true,
      },
      tally: { calls: 0, failures: 0, sentBytes: 0, receivedBytes: 0 },
    },
    state,
    log: [],
    hasKey: false,
    isSignedIn: false,
    loginOrigins: [],
    ...changed,
  };
}

export class FakeServers {
  readonly shown: Servers;
  /** Returns the result of adding a server. */
  onAdd: (signal: AbortSignal) => Promise<AddResult> = async () => ({ ok: true, id: 'new' });
  onSignIn: () => Promise<SignInResult> = async () => ({ end: 'done', detail: '' });
  onFill: (values: Readonly<Record<string, string>>) => Promise<string> = async () => 'A text.';
  prompts: readonly ServerPrompt[] = [];
  resources: readonly ServerResource[] = [];

  constructor(note: (name: string, ...given: unknown[]) => void) {
    this.shown = new Servers({
      watch: (onList) => onList([], []),
      add: (server, signal) => {
        note('addServer', server);
        return this.onAdd(signal);
      },
      refresh: async (id) => note('refreshServer', id),
      signIn: (id) => {
        note('signIn', id);
        return this.onSignIn();
      },
      signOut: async (id) => note('signOut', id),
      setTool: async (id, name, isOn) => {
        note('setTool', id, name, isOn);
        this.#change(id, (tool) => (tool.name === name ? { ...tool, isOn } : tool));
      },
      setKey: async (id, key) => note('setKey', id, key),
      prompts: async () => {
        note('prompts');
        return this.prompts;
      },
      fillPrompt: (prompt, values) => {
        note('fillPrompt', prompt.name, values);
        return this.onFill(values);
      },
      resources: async () => this.resources,
    });
  }

  /** Removes a server from the list, as moving it to the bin does. */
  hide(id: string): void {
    this.say(...(this.shown.list ?? []).filter(({ server }) => server.id !== id));
  }

  say(...list: readonly ServerView[]): void {
    this.shown.list = list;
  }

  setState(id: string, state: ServerState): void {
    this.say(...(this.shown.list ?? []).map((view) => (view.server.id === id ? { ...view, state } : view)));
  }

  #change(id: string, change: (tool: RemoteTool) => RemoteTool): void {
    this.say(
      ...(this.shown.list ?? []).map((view) =>
        view.server.id === id
          ? { ...view, server: { ...view.server, tools: view.server.tools.map(change) } }
          : view,
      ),
    );
  }
}
