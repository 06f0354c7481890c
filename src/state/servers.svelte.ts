/** MCP servers, as screens show them and change them. Loaded with what thinks, so that the first paint does without them. */
import type {
  McpServerList,
  ServerPrompt,
  ServerResource,
  ServerTrouble,
  ServerView,
} from '../contracts/mcp-server';

/** As a person typed it. */
export interface NewServer {
  url: string;
  name: string;
  /** '' for none; then there is no key either. */
  header: string;
  key: string;
  /** '' for none; then there is no secret of it either. */
  clientId: string;
  clientSecret: string;
}

/** What is wrong with what was typed, or why the server did not answer. `detail` is in English, as it was found. */
export type AddProblem =
  | { field: 'url'; code: 'form' | 'taken' }
  | { field: 'name'; code: 'missing' | 'taken' }
  | { field: 'header'; code: 'form' }
  | { field: 'key'; code: 'missing' | 'form' }
  | { field: 'server'; code: ServerTrouble; detail: string };

export type AddResult = { ok: true; id: string } | { ok: false; problem: AddProblem };

/**
 * How a login ended. `done`: the server lets us in. `window`: the browser kept the window from opening. `closed`: it was closed, or
 * nothing came of it for ten minutes. `other-hosts`: it would ask hosts that the person has not seen; they are shown by then, and
 * the next press asks them. `address`: a host of the login is on the person's own network, and not allowed; `detail` is its origin.
 * `failed`: `detail` says what the server said.
 */
export interface SignInResult {
  end: 'done' | 'window' | 'closed' | 'other-hosts' | 'address' | 'failed';
  detail: string;
}

/** Handed in by `src/app`; what writes rejects with an `AppError` where the store does. */
export interface ServerFunctions {
  /** Tells of the servers now and after every change, also by another tab, for as long as the page lives. */
  watch: (onList: (list: readonly ServerView[], damaged: McpServerList['damaged']) => void) => void;
  /** Asks the server first: it is kept where it answered or wants a login, with all its tools off. */
  add: (server: NewServer, signal: AbortSignal) => Promise<AddResult>;
  /** Connects anew and reads its tools. Never rejects: how it went is its state. */
  refresh: (id: string) => Promise<void>;
  /** Called in the handler of the press: it opens a window. Never rejects. */
  signIn: (id: string) => Promise<SignInResult>;
  /** Tells the server where it can be told, and forgets the login. */
  signOut: (id: string) => Promise<void>;
  /** By the server's name of the tool. Switched on, the tool is taken as it is now. */
  setTool: (id: string, name: string, isOn: boolean) => Promise<void>;
  /** '' forgets it. The server is asked anew. */
  setKey: (id: string, key: string) => Promise<void>;
  /** Of servers that answer. A server that does not tell in time has none. */
  prompts: () => Promise<readonly ServerPrompt[]>;
  /** The text of a prompt, filled in. Rejects with a sentence. */
  fillPrompt: (prompt: ServerPrompt, values: Readonly<Record<string, string>>) => Promise<string>;
  resources: () => Promise<readonly ServerResource[]>;
}

export class Servers {
  /** Oldest first; missing until the store has answered. */
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
