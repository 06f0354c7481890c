/** A persona: who answers in a chat, and, where it is offered as a tool, an agent that other personas can ask. */
import type { ToolFileProblem } from './custom-tool';
import { ModelName } from './model-library';
import { JsonSchema, z } from './schema';
import { SamplingChoice } from './settings';

/** All of a persona that editing changes, and what is exported. */
export const PersonaContent = z.object({
  /** As shown to a person. `toolNameOf` makes of it the name by which a model calls it. */
  name: z.string(),
  /** What it is good for: for a person who chooses, and for a model that may ask it. */
  description: z.string(),
  /** The beginning of the system text, in the persona's own words. '' adds nothing. */
  instructions: z.string(),
  /** The model of chats that choose this persona; null leaves them theirs. A sub-agent is answered by it only where it is loaded. */
  model: z.nullable(ModelName),
  /** In the place of what the settings and the model's entry say. */
  sampling: SamplingChoice,
  /** A code of `ui/i18n/registry.ts`: what it answers in; null is the language it is asked in. */
  language: z.nullable(z.string()),
  /** Names of the tools that it may use; `all` is every one there is, later ones too. */
  tools: z.union([z.literal('all'), z.array(z.string())]),
  /** Whether the cards of its calls start folded, also those that failed. */
  areCardsFolded: z.boolean(),
  /** Offered as a tool, to chats and to other personas. */
  isTool: z.boolean(),
  /** What a person may ask it first, offered in an empty chat. Missing: nothing of its own. */
  questions: z.optional(z.array(z.string())),
  /** Of its arguments as a tool. Missing: `{request: string}`. */
  inputSchema: z.optional(JsonSchema),
  /** Of its answer as a tool, which is JSON then. Missing: text. */
  outputSchema: z.optional(JsonSchema),
});
export type PersonaContent = z.infer<typeof PersonaContent>;

export const Persona = z.object({
  id: z.string(),
  content: PersonaContent,
  /** Milliseconds since the epoch, as are all times here. */
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Since when it is in the bin. Missing where it is not. */
  deletedAt: z.optional(z.number()),
});
export type Persona = z.infer<typeof Persona>;

export interface PersonaList {
  /** Oldest first. */
  personas: readonly Persona[];
  /** Personas whose rows can no longer be read. The rows are still there. */
  damaged: readonly { id: string; name: string; reason: string }[];
}

/** A persona as it stands in the editor: what a person typed, right or wrong. */
const Form = z.object({
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  model: z.nullable(ModelName),
  /** A number, or on the way to one; '' leaves it to the chat. */
  temperature: z.string(),
  topP: z.string(),
  language: z.nullable(z.string()),
  tools: z.union([z.literal('all'), z.array(z.string())]),
  areCardsFolded: z.boolean(),
  isTool: z.boolean(),
  /** One a line. Missing in drafts of older versions. */
  questions: z.optional(z.string()),
  /** JSON, or on the way to it; '' for none. */
  inputSchema: z.string(),
  outputSchema: z.string(),
});
export type PersonaForm = z.infer<typeof Form>;

/** A form that was not saved as a persona yet. */
export const PersonaDraft = z.object({
  /** Where it is written: the id of its persona, or `new`. */
  id: z.string(),
  /** The id its persona has or will have. */
  personaId: z.string(),
  form: Form,
});
export type PersonaDraft = z.infer<typeof PersonaDraft>;

/** Why a persona cannot be saved as it is. The sentence a person reads comes from the code. */
export type PersonaProblemCode =
  | 'name-missing'
  | 'too-long'
  /** Offered as a tool, it needs a name that a model can call. */
  | 'tool-name-missing'
  | 'tool-name-taken'
  | 'tool-name-reserved'
  | 'description-short'
  | 'range'
  | 'schema'
  | 'pattern'
  | 'not-checked';

export interface PersonaProblem {
  field: keyof PersonaContent | 'temperature' | 'topP';
  code: PersonaProblemCode;
  /** Where in the field: `properties.topic.type`. */
  place?: string | undefined;
  /** In English, with what was found. */
  detail: string;
}

export type ReadPersonaFile =
  | { ok: true; value: PersonaContent }
  /** `reason` is in English, with what was found. */
  | { ok: false; problem: ToolFileProblem; reason: string };

/** The name by which a model calls the persona as a tool: `Code reviewer` is `code_reviewer`. '' where nothing in it can be said. */
export function toolNameOf({ name }: Pick<PersonaContent, 'name'>): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
}
