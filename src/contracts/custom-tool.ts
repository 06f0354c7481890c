/** Custom tools, which users write: their stored form, and reasons why a tool is invalid. All times are milliseconds since the epoch. */
import { JsonSchema, z } from './schema';
import { ToolKeywords } from './tool';

/** What the code may do. `pure`: no network. `net-read`: read from the tool's hosts. `side-effect`: also write to them. */
const CustomToolClass = z.enum(['pure', 'net-read', 'side-effect']);

/** A key that Hearth adds to requests to one host. Its value is stored separately and never reaches the tool's code. */
const ToolSecret = z.object({
  /** The name by which the code uses the key: `host.fetch(url, { auth: 'KEY' })`. */
  name: z.string(),
  host: z.string(),
  header: z.string(),
});
export type ToolSecret = z.infer<typeof ToolSecret>;

const CustomToolExample = z.object({
  /** How a user would ask for this call. '' if the example is only a test and is not shown to the model. */
  request: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  result: z.optional(z.string()),
});

/** The editable part of a tool, as stored in its versions and exported to files. */
export const CustomToolContent = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** Search words in addition to the description. Absent in older tools. */
  keywords: z.optional(ToolKeywords),
  /** JSON Schema of `args`, limited to the subset that `tools/custom/check-schema.ts` accepts. */
  inputSchema: JsonSchema,
  outputSchema: z.optional(JsonSchema),
  /** The body of an async function with the parameters `args` and `host`. */
  code: z.string(),
  class: CustomToolClass,
  /** Hosts the code may request: exact names, with a port unless it is 443. Empty for `pure`. */
  hosts: z.array(z.string()),
  secrets: z.array(ToolSecret),
  limits: z.object({ timeMs: z.number(), outputCharacters: z.number(), hostCalls: z.number() }),
  examples: z.array(CustomToolExample),
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

const CustomToolForm = z.extend(CustomToolContent, {
  /** Separated by commas or lines. '' in older drafts. */
  keywords: z._default(z.string(), ''),
  /** JSON, possibly incomplete. The same applies to `outputSchema`, `arguments` and `result`. */
  inputSchema: z.string(),
  outputSchema: z.string(),
  /** Separated by commas, spaces or lines. */
  hosts: z.string(),
  limits: z.object({ timeMs: z.string(), outputCharacters: z.string(), hostCalls: z.string() }),
  examples: z.array(z.object({ request: z.string(), arguments: z.string(), result: z.string() })),
});
export type CustomToolForm = z.infer<typeof CustomToolForm>;

export const CustomToolDraft = z.object({
  id: z.string(),
  /** Id of the tool, even before it is first saved: secrets may already be stored under it. */
  toolId: z.string(),
  form: CustomToolForm,
});
export type CustomToolDraft = z.infer<typeof CustomToolDraft>;

/** A secret with its value, which is only ever sent in a header, to its host. */
export const SecretRecord = z.object({
  /** Derived from the tool, name and host, so a different host means a different secret. */
  id: z.string(),
  toolId: z.string(),
  name: z.string(),
  host: z.string(),
  value: z.string(),
});
export type SecretRecord = z.infer<typeof SecretRecord>;

/** A secret without its value. Screens never get the value. */
export type SecretName = Pick<SecretRecord, 'name' | 'host'>;

export interface CustomToolList {
  tools: readonly CustomTool[];
  /** Tools whose rows can no longer be read. The rows are not deleted. */
  damaged: readonly { id: string; name: string; reason: string }[];
}

/** Why a file is not a valid tool. The screen shows a translated message for the code. */
export type ToolFileProblem = 'too-large' | 'not-json' | 'other-kind' | 'newer' | 'damaged' | 'not-read';

export interface RefusedFile {
  ok: false;
  problem: ToolFileProblem;
  reason: string;
}

/** The result of reading a file that users share: a tool or a persona. */
export type ReadSharedFile<Content> = { ok: true; value: Content } | RefusedFile;
export type ReadToolFile = ReadSharedFile<CustomToolContent>;

/** Why a tool cannot be saved. The screen shows a translated message for the code. */
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
  /** Path within the field, such as `properties.city.type` or `0.arguments`. */
  place?: string | undefined;
  line?: number | undefined;
  detail: string;
}
