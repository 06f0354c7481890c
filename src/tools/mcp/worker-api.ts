/** What page and MCP worker call on each other. Each side checks what the other sends: it holds what a server wrote. */
import type { RemoteDefinition, RemoteUnfit } from '../../contracts/mcp-server';
import type { ToolOutput } from '../../contracts/tool';
import { z } from '../../contracts/schema';

/** One request of the client, for the page to send: it alone knows the key, and what may be asked. */
export const ServerRequest = z.object({
  url: z.string(),
  method: z.enum(['GET', 'POST', 'DELETE']),
  headers: z.record(z.string(), z.string()),
  body: z.optional(z.string()),
});
export type ServerRequest = z.infer<typeof ServerRequest>;

/** What the page posts back for a request: a head, its text, an end; or only the failure. */
export const AnswerEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('head'), status: z.number(), headers: z.record(z.string(), z.string()) }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('end') }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);
export type AnswerEvent = z.infer<typeof AnswerEvent>;

/** A login as it is kept: JSON texts, but for the origins. */
export const LoginState = z.object({
  tokens: z.optional(z.string()),
  client: z.optional(z.string()),
  discovery: z.optional(z.string()),
  verifier: z.optional(z.string()),
  state: z.optional(z.string()),
});
export type LoginState = z.infer<typeof LoginState>;

/** A tool of a server's list, as the worker read it. */
export interface ReadTool {
  name: string;
  definition: RemoteDefinition;
  hash: string;
  unfit?: RemoteUnfit | undefined;
}

export interface Welcome {
  name: string;
  version: string;
  instructions: string;
  protocol: string;
  hasPrompts: boolean;
  hasResources: boolean;
  tools: readonly ReadTool[];
}

/** How a step of a login ended. `unseen`: it would ask origins that the person has not seen; none of them was asked. */
export type LoginStep =
  | { type: 'open'; url: string; state: string }
  | { type: 'done' }
  | { type: 'unseen'; origins: readonly string[] };

export interface ListedPrompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string; isRequired: boolean }[];
}

export interface ListedResource {
  uri: string;
  title: string;
  description: string;
  mimeType: string;
}

/** Why the worker could not do it. The page knows more of requests that failed, and says that instead. */
export type ServerFault =
  | 'login'
  /** A login that may do more is wanted. */
  | 'scope'
  | 'version'
  /** The server does not know the session any more: what was asked was not done. */
  | 'session'
  /** The connection broke off in the middle of a call: whether it was done nobody here knows. */
  | 'lost'
  | 'timeout'
  | 'broken';

/** Failures come as data: an error would lose its kind on the way out of a worker. */
export type Answered<Value> =
  | { ok: true; value: Value }
  | { ok: false; fault: ServerFault; message: string; scope?: string | undefined };

/** What the worker exposes. Comlink clones arguments but does not check them: `unknown` says so. */
export interface McpWorkerApi {
  /** First of all. `url` is the endpoint; `page` is the other end. */
  start: (setup: unknown, page: PageEnd) => void;
  /** Answers at once, where the worker is not lost in what a server wrote. */
  ping: () => void;
  connect: () => Promise<Answered<Welcome>>;
  listTools: () => Promise<Answered<readonly ReadTool[]>>;
  /** `callId` names it for `cancel`. `args` were written by a model. */
  callTool: (callId: unknown, name: unknown, args: unknown) => Promise<Answered<ToolOutput>>;
  cancel: (callId: unknown) => void;
  prompts: () => Promise<Answered<readonly ListedPrompt[]>>;
  fillPrompt: (name: unknown, values: unknown) => Promise<Answered<string>>;
  resources: () => Promise<Answered<readonly ListedResource[]>>;
  readResource: (callId: unknown, uri: unknown) => Promise<Answered<ToolOutput>>;
  /** Finds out which origins a login would ask, without asking any but the server's own. */
  findLogin: () => Promise<Answered<readonly string[]>>;
  /** `clientDocument` is the address of what Hearth says of itself; '' where there is none. */
  beginLogin: (clientDocument: unknown) => Promise<Answered<LoginStep>>;
  finishLogin: (code: unknown, issuer: unknown) => Promise<Answered<LoginStep>>;
  revokeLogin: () => Promise<Answered<undefined>>;
  /** Tells the server that the session is over, where there is one. */
  close: () => Promise<void>;
}

/** What the page exposes to the worker. */
export interface PageEnd {
  /** Posts `AnswerEvent`s to `port`. */
  request: (id: string, request: unknown, port: MessagePort) => void;
  stop: (id: string) => void;
  /** What a server asks the person: the parameters of `elicitation/create`. */
  ask: (params: unknown) => Promise<unknown>;
  progress: (callId: string, text: string) => void;
  changed: (what: 'tools' | 'prompts' | 'resources') => void;
  loadLogin: () => Promise<LoginState & { origins: readonly string[] }>;
  saveLogin: (login: LoginState) => Promise<void>;
  log: (what: string, outcome: string) => void;
}

export const Setup = z.object({
  url: z.string(),
  /** Where a login comes back to. */
  redirectUrl: z.string(),
  /** Of the page, shown by the server of the login. */
  homeUrl: z.string(),
  /** By which the person registered Hearth, and what goes with it; '' where they did not. */
  clientId: z.string(),
  clientSecret: z.string(),
});
export type Setup = z.infer<typeof Setup>;
