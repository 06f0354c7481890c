/** A custom tool, written by the person: how it is kept, and what can be wrong with one that is being written. */
import { JsonSchema, z } from './schema';
import { ToolKeywords } from './tool';

/** What its code may touch. `pure`: nothing. `net-read`: it gets from its hosts. `side-effect`: it may also send to them. */
const Class = z.enum(['pure', 'net-read', 'side-effect']);
export type CustomToolClass = z.infer<typeof Class>;

/** A key that the host adds to requests for one host. Its value is kept apart: never here, nor where the code runs. */
const Secret = z.object({
  /** What the code writes for it: `host.fetch(url, { auth: 'KEY' })`. */
  name: z.string(),
  /** Exact. */
  host: z.string(),
  /** The header that takes the value, such as `Authorization`. */
  header: z.string(),
});
export type ToolSecret = z.infer<typeof Secret>;

const Example = z.object({
  /** How a person would ask for it; '' for a check that the model is not shown. */
  request: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** What the result must be, as JSON; without it, any result will do. */
  result: z.optional(z.string()),
});
export type CustomToolExample = z.infer<typeof Example>;

/** All of a tool that editing changes: what a version keeps, and what is exported. */
export const CustomToolContent = z.object({
  /** As the model sees it. */
  name: z.string(),
  /** As shown to a person. */
  title: z.string(),
  /** For the model: what it does, and when to call it. */
  description: z.string(),
  /** Words by which it is found too. Missing in tools of an older version. */
  keywords: z.optional(ToolKeywords),
  /** Of `args`; the subset of `tools/custom/check-schema.ts`. */
  inputSchema: JsonSchema,
  /** Of the result; without it, any JSON. */
  outputSchema: z.optional(JsonSchema),
  /** The body of an async function with the parameters `args` and `host`. */
  code: z.string(),
  class: Class,
  /** Those that its code may reach: exact, with a port where it is not 443. Empty for `pure`. */
  hosts: z.array(z.string()),
  secrets: z.array(Secret),
  limits: z.object({
    /** Milliseconds of one run, its requests included. */
    timeMs: z.number(),
    /** Of the result as JSON. */
    outputCharacters: z.number(),
    /** Requests of one run. */
    hostCalls: z.number(),
  }),
  examples: z.array(Example),
});
export type CustomToolContent = z.infer<typeof CustomToolContent>;

export const CustomTool = z.object({
  id: z.string(),
  content: CustomToolContent,
  /** Offered in chats. */
  isOn: z.boolean(),
  /** Milliseconds since the epoch, as are all times here. */
  createdAt: z.number(),
  updatedAt: z.number(),
  /** What it was before, newest last. */
  versions: z.array(z.object({ savedAt: z.number(), content: CustomToolContent })),
  /** Since when it is in the bin. Missing where it is not. */
  deletedAt: z.optional(z.number()),
});
export type CustomTool = z.infer<typeof CustomTool>;

/** A tool as it stands in the editor: what a person typed, right or wrong. */
const Form = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** In any language, between commas or lines. Drafts of before there were any have none. */
  keywords: z._default(z.string(), ''),
  /** JSON, or on the way to it; so are the other texts that are JSON in the end. */
  inputSchema: z.string(),
  /** '' for none. */
  outputSchema: z.string(),
  code: z.string(),
  class: Class,
  /** Between commas, spaces or lines. */
  hosts: z.string(),
  secrets: z.array(Secret),
  limits: z.object({ timeMs: z.string(), outputCharacters: z.string(), hostCalls: z.string() }),
  examples: z.array(z.object({ request: z.string(), arguments: z.string(), result: z.string() })),
});
export type CustomToolForm = z.infer<typeof Form>;

/** A form that was not saved as a tool yet. */
export const CustomToolDraft = z.object({
  /** Where it is written: the id of its tool, or `new`. */
  id: z.string(),
  /** The id its tool has or will have: secrets may be kept for it already. */
  toolId: z.string(),
  form: Form,
});
export type CustomToolDraft = z.infer<typeof CustomToolDraft>;

/** The value of a secret of one tool. It goes into a header to its host, and nowhere else. */
export const SecretRecord = z.object({
  /** Of tool, name and host: one that is bound to another host is another secret. */
  id: z.string(),
  toolId: z.string(),
  /** As the code writes it. */
  name: z.string(),
  /** The one host that may get it. */
  host: z.string(),
  /** What the person typed: the key itself. */
  value: z.string(),
});
export type SecretRecord = z.infer<typeof SecretRecord>;

/** Whose value is kept: all that leaves the store for a screen. */
export type KeptSecret = Pick<SecretRecord, 'name' | 'host'>;

/** A tool whose row can no longer be read. The row is still there. */
export interface DamagedTool {
  id: string;
  /** Its name, where that can be read. */
  name: string;
  reason: string;
}

export interface CustomToolList {
  /** Oldest first. */
  tools: readonly CustomTool[];
  damaged: readonly DamagedTool[];
}

/** Why a file is no tool that can be taken. The sentence a person reads comes from the code. */
export type ToolFileProblem = 'too-large' | 'not-json' | 'other-kind' | 'newer' | 'damaged' | 'not-read';

export type ReadToolFile =
  | { ok: true; value: CustomToolContent }
  /** `reason` is in English, with what was found. */
  | { ok: false; problem: ToolFileProblem; reason: string };

/** Why a tool cannot be saved as it is. The sentence a person reads comes from the code. */
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
  /** Where in the field: `properties.city.type`, `0.arguments`. */
  place?: string | undefined;
  /** Of the code, from 1. */
  line?: number | undefined;
  /** In English, with what was found. */
  detail: string;
}
