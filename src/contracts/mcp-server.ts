/** An MCP server, whose tools a model can use: how it is kept, and what screens are told of it. Spec: modelcontextprotocol.io, 2026-07-28. */
import { JsonSchema, z } from './schema';

/** A tool as its server describes it. What a server says is shown, and believed in nothing. */
export const RemoteDefinition = z.object({
  /** '' where it gives none. */
  title: z.string(),
  /** Cut to `mostDescription` characters. */
  description: z.string(),
  /** JSON Schema of its arguments, as it was sent; `{}` where that was too long to be kept. */
  inputSchema: JsonSchema,
  /** Missing where it promises no form of its results. */
  outputSchema: z.optional(JsonSchema),
  /** Its hints, such as `readOnlyHint`, in the words of the protocol. */
  hints: z.record(z.string(), z.unknown()),
});
export type RemoteDefinition = z.infer<typeof RemoteDefinition>;

/** Characters of a description that are kept, shown and hashed; a longer one makes the tool unfit. */
export const mostDescription = 8_000;

/** Why a tool cannot be switched on. `schema`: its arguments are no object, or cannot be read. `too-long`: nobody can read all of it. */
export const RemoteUnfit = z.enum(['schema', 'too-long', 'name']);
export type RemoteUnfit = z.infer<typeof RemoteUnfit>;

export const RemoteTool = z.object({
  /** As its server calls it. */
  name: z.string(),
  /** As models call it: another where a tool of that name is there, or where models cannot write it. */
  alias: z.string(),
  definition: RemoteDefinition,
  /** SHA-256 of name and definition as they were sent, in hex. What was allowed to one is not allowed to another. */
  hash: z.string(),
  isOn: z.boolean(),
  /** What it was when the person last had it on. Missing while it is still that, or never was on. */
  before: z.optional(RemoteDefinition),
  /** Missing where it can be switched on. */
  unfit: z.optional(RemoteUnfit),
});
export type RemoteTool = z.infer<typeof RemoteTool>;

export const McpServer = z.object({
  id: z.string(),
  /** As the person calls it. */
  name: z.string(),
  /** Of its endpoint, whole. */
  url: z.string(),
  /** The header that takes the key, such as `Authorization`; '' for none. The key itself is kept apart. */
  header: z.string(),
  /** The id by which the person has registered Hearth where the server has its logins; '' for none. */
  clientId: z.string(),
  /** In the order of the server. */
  tools: z.array(RemoteTool),
  /** What it said of itself when it last answered. Missing until it has. */
  info: z.optional(
    z.object({
      name: z.string(),
      version: z.string(),
      /** What it wants a client to know; '' where it says nothing. No model is told. */
      instructions: z.string(),
      /** Of the protocol that was agreed on: `2025-11-25`. */
      protocol: z.string(),
      hasPrompts: z.boolean(),
      hasResources: z.boolean(),
    }),
  ),
  /** All that went over the line, since the server was added. */
  tally: z.object({
    calls: z.number(),
    failures: z.number(),
    sentBytes: z.number(),
    receivedBytes: z.number(),
  }),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  /** Since when it is in the bin. Missing where it is not. */
  deletedAt: z.optional(z.number()),
});
export type McpServer = z.infer<typeof McpServer>;

/** What must not leave the device but to its server: kept apart from the server, and never in an export. */
export const McpSecrets = z.object({
  serverId: z.string(),
  /** What the header is sent with; '' for none. */
  key: z.string(),
  /** What goes with the server's `clientId`; '' for none. */
  clientSecret: z._default(z.string(), ''),
  /** What a login gave and needs, as the client of the protocol wrote it. Missing where there was none. */
  login: z.optional(
    z.object({
      /** JSON of the tokens. */
      tokens: z.optional(z.string()),
      /** JSON of what the server of the logins knows Hearth as. */
      client: z.optional(z.string()),
      /** JSON of where the logins are, as it was found. */
      discovery: z.optional(z.string()),
      /** Of a login that was begun: PKCE's secret, and what the answer must repeat. */
      verifier: z.optional(z.string()),
      state: z.optional(z.string()),
      /** Origins that the person has seen, and that may be asked for a login. */
      origins: z.array(z.string()),
    }),
  ),
});
export type McpSecrets = z.infer<typeof McpSecrets>;

export interface McpServerList {
  /** Oldest first. */
  servers: readonly McpServer[];
  /** Servers whose rows can no longer be read. The rows are still there. */
  damaged: readonly { id: string; name: string; reason: string }[];
}

/** Why a server cannot be used at this moment. The sentence a person reads comes from the code. */
export const serverTroubles = [
  /** The address may not be asked: not https, or not on the public internet, and not allowed in Settings. */
  'address',
  /** It led to another address. */
  'redirect',
  'offline',
  /** Over plain http: nothing answers, or it does not let other pages read it (CORS). A browser does not say which. */
  'cors',
  /** Over https: as `cors`, or its certificate is not trusted. */
  'certificate',
  'timeout',
  /** What answers there speaks something else. */
  'not-mcp',
  /** It speaks no version of the protocol that Hearth does. */
  'version',
  /** It wants a login, or refuses the key. */
  'login',
  /** The login did not come to an end. */
  'login-failed',
  /** It knows who asks, and refuses. */
  'forbidden',
  /** An HTTP status that says nothing more. */
  'status',
  /** Its answers broke the protocol, or could not be read in time. */
  'broken',
  /** It sent more than is read. */
  'too-long',
] as const;
export type ServerTrouble = (typeof serverTroubles)[number];

export type ServerState =
  | { type: 'connecting' }
  | { type: 'ready' }
  /** It is tried again by itself, but where only the person can help. `detail` is in English, as it was found. */
  | { type: 'away'; trouble: ServerTrouble; detail: string };

/** One line of what went on between page and server in this visit. Holds no argument and no result. */
export interface ServerLogLine {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** A method of the protocol with the tool it names, or what the server did: `tools/call echo`. */
  what: string;
  /** 'ok', or what went wrong, in English. */
  outcome: string;
  /** Missing for what took no time. */
  durationMs?: number | undefined;
}

/** A server as screens show it. */
export interface ServerView {
  server: McpServer;
  state: ServerState;
  /** Newest last; the last 100. */
  log: readonly ServerLogLine[];
  hasKey: boolean;
  isSignedIn: boolean;
  /** Origins that a login would ask, none of them the server's own. Empty until they are known. */
  loginOrigins: readonly string[];
}

/** A field of a form that a server wants filled in: text, number, yes or no, one of several, some of several. */
export type FormField = { name: string; title: string; description: string; isRequired: boolean } & (
  | {
      type: 'text';
      value: string;
      format?: 'email' | 'uri' | 'date' | 'date-time' | undefined;
      minLength?: number | undefined;
      maxLength?: number | undefined;
    }
  | {
      type: 'number';
      value: string;
      isWhole: boolean;
      minimum?: number | undefined;
      maximum?: number | undefined;
    }
  | { type: 'boolean'; value: boolean }
  | { type: 'one-of'; value: string; options: readonly { value: string; title: string }[] }
  | {
      type: 'some-of';
      value: readonly string[];
      options: readonly { value: string; title: string }[];
      least?: number | undefined;
      most?: number | undefined;
    }
);

/** What a server asks the person in the middle of a call. */
export interface ServerQuestion {
  id: string;
  /** As the person calls the server, and where it is. */
  serverName: string;
  host: string;
  /** In the server's words. */
  message: string;
  /** `form`: fields to fill in. `url`: an address to open. */
  ask: { type: 'form'; fields: readonly FormField[] } | { type: 'url'; url: string };
}

/** `decline` is a no; `cancel` is no answer. */
export type ServerAnswer =
  | { action: 'accept'; content?: Record<string, string | number | boolean | string[]> | undefined }
  | { action: 'decline' }
  | { action: 'cancel' };

/** A prompt that a server offers, with its arguments: a person fills them in. */
export interface ServerPrompt {
  serverId: string;
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string; isRequired: boolean }[];
}

/** A text or file that a server offers to be read. */
export interface ServerResource {
  serverId: string;
  uri: string;
  title: string;
  description: string;
  /** '' where the server does not say. */
  mimeType: string;
}
