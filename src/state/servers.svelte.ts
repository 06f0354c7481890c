/** MCP servers on the screen. Loaded with the agent runtime. */
import type {
  McpServerList,
  ServerPrompt,
  ServerResource,
  ServerTrouble,
  ServerView,
} from '../contracts/mcp-server';

export interface NewServer {
  url: string;
  name: string;
  header: string;
  key: string;
  clientId: string;
  clientSecret: string;
}

/** The reason why a server cannot be added: invalid input, or no answer. `detail` is in English. */
export type AddProblem =
  | { field: 'url'; code: 'form' | 'taken' }
  | { field: 'name'; code: 'missing' | 'taken' }
  | { field: 'header'; code: 'form' }
  | { field: 'key'; code: 'missing' | 'form' }
  | { field: 'server'; code: ServerTrouble; detail: string };

export type AddResult = { ok: true; id: string } | { ok: false; problem: AddProblem };

/**
 * The result of a login. `window`: the browser blocked the window. `closed`: the window was closed or timed out after ten minutes.
 * `other-hosts`: it needs hosts that the user has not seen; they are shown, and the next click allows them. `address`: a host in a private
 * network, which is `detail`. `failed`: `detail` is the server's message.
 */
export interface SignInResult {
  end: 'done' | 'window' | 'closed' | 'other-hosts' | 'address' | 'failed';
  detail: string;
}

/** Provided by `src/app`. Writes reject with an `AppError`. */
export interface ServerFunctions {
  /** Calls `onList` now and after every change, also by other tabs, for as long as the page is open. */
  watch: (onList: (list: readonly ServerView[], damaged: McpServerList['damaged']) => void) => void;
  /** Contacts the server. Stores it if it answers or wants a login, with all tools off. */
  add: (server: NewServer, signal: AbortSignal) => Promise<AddResult>;
  /** Reconnects and reloads the tools. Never rejects; the result is the server's state. */
  refresh: (id: string) => Promise<void>;
  /** Must run in the click handler, because it opens a window. Never rejects. */
  signIn: (id: string) => Promise<SignInResult>;
  signOut: (id: string) => Promise<void>;
  /** `name` is the server's name of the tool. Switching it on accepts its current definition. */
  setTool: (id: string, name: string, isOn: boolean) => Promise<void>;
  setKey: (id: string, key: string) => Promise<void>;
  prompts: () => Promise<readonly ServerPrompt[]>;
  fillPrompt: (prompt: ServerPrompt, values: Readonly<Record<string, string>>) => Promise<string>;
  resources: () => Promise<readonly ServerResource[]>;
}

export class Servers {
  /** Oldest first. Undefined until the store has answered. */
  list = $state.raw<readonly ServerView[]>();
  damaged = $state.raw<McpServerList['damaged']>([]);
  readonly functions: ServerFunctions;

  constructor(functions: ServerFunctions) {
    this.functions = functions;
    functions.watch((list, damaged) => {
      this.list = list;
      this.damaged = damaged;
    });
  }

  find(id: string): ServerView | undefined {
    return this.list?.find(({ server }) => server.id === id);
  }
}
