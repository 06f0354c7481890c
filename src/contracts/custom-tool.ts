/** Custom tools, written by the user: how they are stored, and what can be wrong with one. All times are milliseconds since the epoch. */
import { JsonSchema, z } from './schema';
import { ToolKeywords } from './tool';

/** Permissions of the code. `pure`: no network. `net-read`: read from its hosts. `side-effect`: also write to them. */
const Class = z.enum(['pure', 'net-read', 'side-effect']);
export type CustomToolClass = z.infer<typeof Class>;

/** A key that Hearth adds to requests for one host. Its value is stored separately and never reaches the code. */
const Secret = z.object({
  /** The name the code uses: `host.fetch(url, { auth: 'KEY' })`. */
  name: z.string(),
  host: z.string(),
  header: z.string(),
});
export type ToolSecret = z.infer<typeof Secret>;

const Example = z.object({
  /** How a user would ask for it. '' for a check that is not shown to the model. */
  request: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  result: z.optional(z.string()),
});
export type CustomToolExample = z.infer<typeof Example>;

/** The editable part of a tool: the content of its versions and of exported files. */
export const CustomToolContent = z.object({
  /** The name that the model sees. */
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** Search words in addition to the description. Absent in older tools. */
  keywords: z.optional(ToolKeywords),
  /** JSON Schema of `args`, in the subset of `tools/custom/check-schema.ts`. */
  inputSchema: JsonSchema,
  outputSchema: z.optional(JsonSchema),
  /** The body of an async function with the parameters `args` and `host`. */
  code: z.string(),
  class: Class,
  /** Hosts the code may request: exact names, with a port unless it is 443. Empty for `pure`. */
  hosts: z.array(z.string()),
  secrets: z.array(Secret),
  limits: z.object({
    timeMs: z.number(),
    outputCharacters: z.number(),
    hostCalls: z.number(),
  }),
  examples: z.array(Example),
});
export type CustomToolContent = z.infer<typeof CustomToolContent>;

export const CustomTool = z.object({
  id: z.string(),
  content: CustomToolContent,
  isOn: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  versions: z.array(z.object({ savedAt: z.number(), content: CustomToolContent })),
  deletedAt: z.optional(z.number()),
});
export type CustomTool = z.infer<typeof CustomTool>;

/** The fields of the editor as typed, valid or not. */
const Form = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** Separated by commas or lines. '' in older drafts. */
  keywords: z._default(z.string(), ''),
  /** JSON, possibly incomplete. The same goes for `outputSchema`, `arguments` and `result`. */
  inputSchema: z.string(),
  outputSchema: z.string(),
  code: z.string(),
  class: Class,
  /** Separated by commas, spaces or lines. */
  hosts: z.string(),
  secrets: z.array(Secret),
  limits: z.object({ timeMs: z.string(), outputCharacters: z.string(), hostCalls: z.string() }),
  examples: z.array(z.object({ request: z.string(), arguments: z.string(), result: z.string() })),
});
export type CustomToolForm = z.infer<typeof Form>;

export const CustomToolDraft = z.object({
  id: z.string(),
  /** Id that the tool has or will get. Secrets may be stored under it already. */
  toolId: z.string(),
  form: Form,
});
export type CustomToolDraft = z.infer<typeof CustomToolDraft>;

/** The value of one secret. It only ever goes into a header of a request to its host. */
export const SecretRecord = z.object({
  /** Made of tool, name and host, so that changing the host makes a new secret. */
  id: z.string(),
  toolId: z.string(),
  name: z.string(),
  host: z.string(),
  value: z.string(),
});
export type SecretRecord = z.infer<typeof SecretRecord>;

/** A secret without its value: all that screens get. */
export type KeptSecret = Pick<SecretRecord, 'name' | 'host'>;

export interface CustomToolList {
  tools: readonly CustomTool[];
  /** Tools whose rows can no longer be read. The rows stay in their table. */
  damaged: readonly { id: string; name: string; reason: string }[];
}

/** Why a file is not a valid tool. The screen shows a translated sentence for the code. */
export type ToolFileProblem = 'too-large' | 'not-json' | 'other-kind' | 'newer' | 'damaged' | 'not-read';

export interface RefusedFile {
  ok: false;
  problem: ToolFileProblem;
  reason: string;
}

/** A file that users share: a tool or a persona. */
export type ReadSharedFile<Content> = { ok: true; value: Content } | RefusedFile;
export type ReadToolFile = ReadSharedFile<CustomToolContent>;

/** Why a tool cannot be saved. The screen shows a translated sentence for the code. */
export type DefinitionProblemCode =
  | 'name-form'
  | 'name-taken'
  | 'name-reserved'
  | 'title-missing'
  | 'description-short'
  | 'too-long'
  | 'schema'
  | 'pattern'
  | 'code-missing'
  | 'syntax'
  | 'host-form'
  | 'hosts-missing'
  | 'hosts-pure'
  | 'secret-form'
  | 'secret-host'
  | 'secret-header'
  | 'limit'
  | 'example';

export interface DefinitionProblem {
  field: keyof CustomToolContent;
  code: DefinitionProblemCode;
  /** Path within the field: `properties.city.type`, `0.arguments`. */
  place?: string | undefined;
  line?: number | undefined;
  detail: string;
}
