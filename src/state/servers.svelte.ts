/** The MCP servers that screens show, and functions to change them. */
import type {
  McpSecrets,
  McpServer,
  McpServerList,
  ServerPrompt,
  ServerResource,
  ServerProblem,
  ServerView,
} from '../contracts/mcp-server';

export type NewServer = Pick<McpServer, 'url' | 'name' | 'header' | 'clientId'> &
  Pick<McpSecrets, 'key' | 'clientSecret'>;

/** Why a server could not be added: the input is invalid, or the server did not answer. `detail`: the error in English. */
export type AddProblem =
  | { field: 'url'; code: 'form' | 'taken' }
  | { field: 'name'; code: 'missing' | 'taken' }
  | { field: 'header'; code: 'form' }
  | { field: 'key'; code: 'missing' | 'form' }
  | { field: 'server'; code: ServerProblem; detail: string };

export type AddResult = { ok: true; id: string } | { ok: false; problem: AddProblem };

/**
 * Result of a login. `window`: the browser blocked the window. `closed`: the window was closed, or open for ten minutes. `other-hosts`: the
 * login contacts hosts that the user has not allowed yet. The next click allows them. `address`: a host is in a private network. `failed`:
 * the server reports an error.
 */
export interface SignInResult {
  end: 'done' | 'window' | 'closed' | 'other-hosts' | 'address' | 'failed';
  detail: string;
}

/** `src/app` implements these functions. Those that write reject with an `AppError`. */
export interface ServerFunctions {
  /** Calls `onList` now and after every change, including changes by other tabs. Cannot be stopped. */
  watch: (onList: (list: readonly ServerView[], damaged: McpServerList['damaged']) => void) => void;
  /** Contacts a server. If it answers or requires a login, stores it with all its tools off. */
  add: (server: NewServer, signal: AbortSignal) => Promise<AddResult>;
  refresh: (id: string) => Promise<void>;
  /** Opens a login window, so call it directly in a click handler. Never rejects. */
  signIn: (id: string) => Promise<SignInResult>;
  signOut: (id: string) => Promise<void>;
  /** Switches a tool on or off. `name`: the server's own name for the tool. Switching it on accepts its current definition. */
  setTool: (id: string, name: string, isOn: boolean) => Promise<void>;
  setKey: (id: string, key: string) => Promise<void>;
  prompts: () => Promise<readonly ServerPrompt[]>;
  fillPrompt: (prompt: ServerPrompt, values: Readonly<Record<string, string>>) => Promise<string>;
  resources: () => Promise<readonly ServerResource[]>;
}

export class Servers {
  /** Oldest first. Undefined until the store has loaded them. */
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
