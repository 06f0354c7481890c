/** Prompts that a user inserts with `/`. `{{name}}` is a variable, `{{name|text}}` has a default. See docs/how-to/write-a-prompt.md. */
import { Origin } from './message';
import { z } from './schema';

export const OwnPrompt = z.object({
  id: z.string(),
  /** Unique. The form checks this, the store does not. */
  name: z.string(),
  text: z.string(),
  /** Where it came from, if from a file. The user's edits keep it, because they may keep some of the text. */
  origin: z.optional(Origin),
  place: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
  deletedAt: z.optional(z.number()),
});
export type OwnPrompt = z.infer<typeof OwnPrompt>;

export interface OwnPromptList {
  prompts: readonly OwnPrompt[];
  damaged: readonly { id: string; reason: string }[];
}

export const maxNameLength = 60;
export const maxTextLength = 20_000;
export const maxPrompts = 500;

/** Matches placeholders, and `\{{` for a literal `{{`. A placeholder has no braces or line breaks, and at most one bar. */
const placeholderPattern = /\\\{\{|\{\{([^{}|\n]+)(?:\|([^{}|\n]*))?\}\}/g;

/** Returns the variables in order of appearance, without duplicates. If a variable has several defaults, the first one counts. */
export function variablesOf(text: string): { name: string; initial: string }[] {
  const initials = new Map<string, string>();
  for (const [, name = '', initial = ''] of text.matchAll(placeholderPattern)) {
    const known = name.trim();
    if (known !== '') initials.set(known, initials.get(known) || initial.trim());
  }
  return [...initials].map(([name, initial]) => ({ name, initial }));
}

export function fillTemplate(text: string, values: ReadonlyMap<string, string>): string {
  const initials = new Map(variablesOf(text).map(({ name, initial }) => [name, initial]));
  return text.replace(placeholderPattern, (whole, name: string | undefined) => {
    if (name === undefined) return '{{';
    const key = name.trim();
    // Do not expand values again, because they may contain braces.
    return values.get(key) ?? initials.get(key) ?? whole;
  });
}

/** Escapes text so that `fillTemplate` returns it unchanged. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('{{', '\\{{');
}
