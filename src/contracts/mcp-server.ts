/** MCP servers and their tools (modelcontextprotocol.io, 2026-07-28). Times are milliseconds since the epoch. */
import type { FormContent, FormField } from './form-fields';
import { JsonSchema, z } from './schema';

/** A tool as its server describes it. Hearth shows the description but never trusts it. */
export const RemoteToolDefinition = z.object({
  title: z.string(),
  description: z.string(),
  /** JSON Schema of the arguments, as the server sent it. `{}` if it was too long to store. */
  inputSchema: JsonSchema,
  outputSchema: z.optional(JsonSchema),
  hints: z.record(z.string(), z.unknown()),
});
export type RemoteToolDefinition = z.infer<typeof RemoteToolDefinition>;

/** Maximum characters of a tool description. The user cannot switch on a tool with a longer one. */
export const maxDescriptionLength = 8_000;

/** Why the user cannot switch a tool on. `schema`: unreadable, or not an object. `too-long`: too long to review. */
export const RemoteToolProblem = z.enum(['schema', 'too-long', 'name']);
export type RemoteToolProblem = z.infer<typeof RemoteToolProblem>;

export const RemoteTool = z.object({
  name: z.string(),
  /** The name that models use. It differs from `name` if `name` is taken or models cannot write it. */
  alias: z.string(),
  definition: RemoteToolDefinition,
  /** SHA-256 of the name and definition as sent, in hexadecimal. A permission applies to one hash. */
  hash: z.string(),
  isOn: z.boolean(),
  /** The definition that the user last accepted. Absent if the definition is unchanged, or the tool was never on. */
  before: z.optional(RemoteToolDefinition),
  unfit: z.optional(RemoteToolProblem),
});
export type RemoteTool = z.infer<typeof RemoteTool>;

export const McpServer = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  /** The header for the key, such as `Authorization`. '' for none. The key itself is stored separately. */
  header: z.string(),
  /** OAuth client id that the user registered for Hearth. '' for none. */
  clientId: z.string(),
  tools: z.array(RemoteTool),
  info: z.optional(
    z.object({
      name: z.string(),
      version: z.string(),
      /** The server's instructions for clients, which models never see. '' for none. */
      instructions: z.string(),
      protocol: z.string(),
      hasPrompts: z.boolean(),
      hasResources: z.boolean(),
    }),
  ),
  tally: z.object({
    calls: z.number(),
    failures: z.number(),
    sentBytes: z.number(),
    receivedBytes: z.number(),
  }),
  createdAt: z.number(),
  deletedAt: z.optional(z.number()),
});
export type McpServer = z.infer<typeof McpServer>;

/** OAuth state, as the MCP client library wrote it. Most fields are JSON. */
export const LoginState = z.object({
  tokens: z.optional(z.string()),
  client: z.optional(z.string()),
  discovery: z.optional(z.string()),
  /** PKCE secret and `state` of an unfinished login. */
  verifier: z.optional(z.string()),
  state: z.optional(z.string()),
});
export type LoginState = z.infer<typeof LoginState>;

/** Secrets of one server. Hearth sends them only to that server and never exports them. */
export const McpSecrets = z.object({
  serverId: z.string(),
  key: z.string(),
  clientSecret: z._default(z.string(), ''),
  /** The login service that got the user's own OAuth client first. Only this one ever gets it. */
  clientIssuer: z.optional(z.string()),
  /** Absent before a login. `origins`: the origins that login requests may contact, as shown to the user. */
  login: z.optional(z.extend(LoginState, { origins: z.array(z.string()) })),
});
export type McpSecrets = z.infer<typeof McpSecrets>;

export interface McpServerList {
  servers: readonly McpServer[];
  damaged: readonly { id: string; name: string; reason: string }[];
}

export const serverProblems = [
  /** The address is not https, or it is private and the user has not allowed it in Settings. */
  'address',
  'redirect',
  'offline',
  /** An http server does not answer, or CORS blocks it. Browsers do not tell which. */
  'cors',
  /** An https server does not answer, CORS blocks it, or its certificate is not trusted. */
  'certificate',
  'timeout',
  'not-mcp',
  'version',
  'login',
  'login-failed',
  'forbidden',
  'status',
  'broken',
  'too-long',
] as const;
export type ServerProblem = (typeof serverProblems)[number];

export type ServerState =
  | { type: 'connecting' }
  | { type: 'ready' }
  /** Hearth retries, unless only the user can fix it. `detail` is in English. */
  | { type: 'away'; trouble: ServerProblem; detail: string };

/** One log line about a server, without arguments and results. Not stored: a reload deletes the log. */
export interface ServerLogLine {
  id: string;
  at: number;
  /** A protocol method with its tool, such as `tools/call echo`, or an event of the server. */
  what: string;
  outcome: string;
  durationMs?: number | undefined;
}

export interface ServerView {
  server: McpServer;
  state: ServerState;
  /** The last 100 lines, newest last. */
  log: readonly ServerLogLine[];
  hasKey: boolean;
  isSignedIn: boolean;
  loginOrigins: readonly string[];
}

export interface ServerQuestion {
  id: string;
  serverName: string;
  host: string;
  message: string;
  ask: { type: 'form'; fields: readonly FormField[] } | { type: 'url'; url: string };
}

/** `decline`: the user said no. `cancel`: the user did not answer. */
export type ServerAnswer = { action: 'accept'; content?: FormContent } | { action: 'decline' | 'cancel' };

export interface ServerPrompt {
  serverId: string;
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string; isRequired: boolean }[];
}

export interface ServerResource {
  serverId: string;
  uri: string;
  title: string;
  description: string;
  mimeType: string;
}
