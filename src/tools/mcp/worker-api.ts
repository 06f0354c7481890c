/** The interface between page and MCP worker. Each side validates messages, which may contain a server's text. */
import { EgressRequest } from '../../contracts/egress';
import type { LoginState, McpServer, RemoteTool } from '../../contracts/mcp-server';
import { z } from '../../contracts/schema';

/** A request that the page sends for the worker. Only the page knows the key and the allowed hosts. */
export const ServerRequest = z.pick(EgressRequest, { url: true, method: true, headers: true, body: true });
export type ServerRequest = z.infer<typeof ServerRequest>;

export const AnswerEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('head'), status: z.number(), headers: z.record(z.string(), z.string()) }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('end') }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);
export type AnswerEvent = z.infer<typeof AnswerEvent>;

export type ListedTool = Pick<RemoteTool, 'name' | 'definition' | 'hash' | 'unfit'>;

export type ServerInfo = NonNullable<McpServer['info']>;
export type ConnectedServer = ServerInfo & { tools: readonly ListedTool[] };

/** `unseen`: origins that the user must approve before the login may contact them. */
export type LoginStep =
  | { type: 'open'; url: string; state: string }
  | { type: 'done' }
  | { type: 'unseen'; origins: readonly string[] };

/** Why the worker failed. If the page's own request failed, the page shows that reason instead. */
export type ServerFault =
  | 'login'
  /** The login lacks a permission that the request needs. */
  | 'scope'
  | 'version'
  /** The server has forgotten the session and did not execute the request. */
  | 'session'
  /** The connection broke during a call. The server may or may not have executed it. */
  | 'lost'
  | 'timeout'
  | 'broken';

/** Failures are data, because errors lose their class between workers. */
export type Answer<Value> = { ok: true; value: Value } | { ok: false; fault: ServerFault; message: string };

/** `origins`: the origins that login requests may contact, as shown to the user. */
export type SeenLogin = LoginState & { origins: readonly string[] };

export interface PageApi {
  request: (id: string, request: unknown, port: MessagePort) => void;
  stop: (id: string) => void;
  /** Asks the user a question from the server. `params`: parameters of the server's `elicitation/create` request. */
  ask: (params: unknown) => Promise<unknown>;
  progress: (callId: string, text: string) => void;
  changed: (what: 'tools' | 'prompts' | 'resources') => void;
  loadLogin: () => Promise<SeenLogin>;
  /** Saves nothing if the user has signed out since. */
  saveLogin: (login: LoginState) => Promise<void>;
  /** Binds the user's own OAuth client to a login service, unless it is bound already. Resolves to the issuer that it is bound to. */
  bindClient: (issuer: string) => Promise<string>;
  log: (what: string, outcome: string) => void;
}

export const ServerSetup = z.object({
  url: z.string(),
  redirectUrl: z.string(),
  /** URL of Hearth, which the login server shows. */
  homeUrl: z.string(),
  /** OAuth client that the user registered for Hearth. Both are '' if there is none. */
  clientId: z.string(),
  clientSecret: z.string(),
});
export type ServerSetup = z.infer<typeof ServerSetup>;
