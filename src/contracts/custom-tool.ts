/** Custom tools, which users write. All times are milliseconds since the epoch. */
import { Origin } from './message';
import { JsonSchema, z } from './schema';
import { ToolKeywords } from './tool';

/** What the code may do. `pure`: no network. `net-read`: read from the tool's hosts. `side-effect`: also write to them. */
const CustomToolClass = z.enum(['pure', 'net-read', 'side-effect']);

/** A key that Hearth adds to requests to one host. The tool's code never gets the value. */
const ToolSecret = z.object({
  /** The name by which the code uses the key: `host.fetch(url, { auth: 'KEY' })`. */
  name: z.string(),
  host: z.string(),
  header: z.string(),
});
export type ToolSecret = z.infer<typeof ToolSecret>;

const CustomToolExample = z.object({
  /** A request that leads to this call. '' if the example is only a test, which the model does not see. */
  request: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  result: z.optional(z.string()),
});

/** The editable part of a tool, as stored in its versions and exported to files. */
export const CustomToolContent = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
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
  /** Where it came from, if from a file. The user's edits keep it, because they may keep some of the text. */
  origin: z.optional(Origin),
  isOn: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  versions: z.array(z.object({ savedAt: z.number(), content: CustomToolContent })),
  deletedAt: z.optional(z.number()),
});
export type CustomTool = z.infer<typeof CustomTool>;

const CustomToolForm = z.extend(CustomToolContent, {
  /** Search words, separated by commas or line breaks. '' in older drafts. */
  keywords: z._default(z.string(), ''),
  /** JSON that the user may not have finished. The same goes for `outputSchema`, `arguments` and `result`. */
  inputSchema: z.string(),
  outputSchema: z.string(),
  /** Host names, separated by commas, spaces or line breaks. */
  hosts: z.string(),
  limits: z.object({ timeMs: z.string(), outputCharacters: z.string(), hostCalls: z.string() }),
  examples: z.array(z.object({ request: z.string(), arguments: z.string(), result: z.string() })),
});
export type CustomToolForm = z.infer<typeof CustomToolForm>;

export const CustomToolDraft = z.object({
  id: z.string(),
  /** Id of the tool. A new tool has its id before the first save, because its secrets are stored under the id. */
  toolId: z.string(),
  form: CustomToolForm,
  origin: z.optional(Origin),
});
export type CustomToolDraft = z.infer<typeof CustomToolDraft>;

/** A secret with its value. Hearth sends the value only to its host, in a header. */
export const SecretRecord = z.object({
  /** Derived from the tool, name and host, so a new host needs a new secret. */
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
  damaged: readonly { id: string; name: string; reason: string }[];
}

export type ToolFileProblem = 'too-large' | 'not-json' | 'other-kind' | 'newer' | 'damaged' | 'not-read';

export interface RefusedFile {
  ok: false;
  problem: ToolFileProblem;
  reason: string;
}

export type SharedFileResult<Content> = { ok: true; value: Content } | RefusedFile;
export type ToolFileResult = SharedFileResult<CustomToolContent>;

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
