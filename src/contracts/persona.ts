/** Personas: the roles in which a model answers. A persona can also be offered as a tool, which makes it a sub-agent. */
import type { SharedFileResult } from './custom-tool';
import { Origin } from './message';
import { ModelName } from './model-library';
import { JsonSchema, z } from './schema';
import { SamplingChoice } from './settings';

/** The editable part of a persona, which can also be exported. */
export const PersonaContent = z.object({
  name: z.string(),
  description: z.string(),
  /** The start of the system prompt. '' if there is none. */
  instructions: z.string(),
  /** Null: the chat's own model. A sub-agent uses this model only if it is already loaded. */
  model: z.nullable(ModelName),
  sampling: SamplingChoice,
  /** Language code of its answers. Null: the language of the question. */
  language: z.nullable(z.string()),
  /** Names of the tools that the persona may use. `all` includes tools that the user adds later. */
  tools: z.union([z.literal('all'), z.array(z.string())]),
  areCardsFolded: z.boolean(),
  isTool: z.boolean(),
  /** Suggested questions in an empty chat. Absent: the default questions. */
  questions: z.optional(z.array(z.string())),
  /** JSON Schema of the arguments of the persona's tool. Absent: `{request: string}`. */
  inputSchema: z.optional(JsonSchema),
  /** JSON Schema of the result of the persona's tool. Absent: text. */
  outputSchema: z.optional(JsonSchema),
});
export type PersonaContent = z.infer<typeof PersonaContent>;

export const Persona = z.object({
  id: z.string(),
  content: PersonaContent,
  /** Where it came from, if from a file. The user's edits keep it, because they may keep some of the text. */
  origin: z.optional(Origin),
  createdAt: z.number(),
  updatedAt: z.number(),
  deletedAt: z.optional(z.number()),
});
export type Persona = z.infer<typeof Persona>;

export interface PersonaList {
  personas: readonly Persona[];
  damaged: readonly { id: string; name: string; reason: string }[];
}

const PersonaForm = z.extend(z.omit(PersonaContent, { sampling: true }), {
  temperature: z.string(),
  topP: z.string(),
  questions: z.optional(z.string()),
  inputSchema: z.string(),
  outputSchema: z.string(),
});
export type PersonaForm = z.infer<typeof PersonaForm>;

export const PersonaDraft = z.object({
  id: z.string(),
  personaId: z.string(),
  form: PersonaForm,
  origin: z.optional(Origin),
});
export type PersonaDraft = z.infer<typeof PersonaDraft>;

export type PersonaProblemCode =
  | 'name-missing'
  | 'too-long'
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
  place?: string | undefined;
  detail: string;
}

export type PersonaFileResult = SharedFileResult<PersonaContent>;

/** Derives the tool name: `Code reviewer` becomes `code_reviewer`. '' if the name has no letters or digits. */
export function toolNameOf({ name }: Pick<PersonaContent, 'name'>): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
}
