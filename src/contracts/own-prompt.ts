import { z } from './schema';

/** A text that a person uses again: offered after `/`, with variables that are asked for (`prompt-template.ts`). */

export const OwnPrompt = z.object({
  id: z.string(),
  /** What it is found by. No two need differ, but the form sees to it. */
  name: z.string(),
  text: z.string(),
  /** Its place among the others, from the least on. */
  place: z.number(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  /** Milliseconds since the epoch: of the newest edit, or `createdAt`. Another place is no edit. */
  updatedAt: z.number(),
  /** Since when it is in the bin. Missing where it is not. */
  deletedAt: z.optional(z.number()),
});
export type OwnPrompt = z.infer<typeof OwnPrompt>;

/** Those there are, in their order, and what is there but cannot be read. */
export interface OwnPromptList {
  prompts: readonly OwnPrompt[];
  damaged: readonly { id: string; reason: string }[];
}

/**
 * PURE: a prompt of one's own, as it is written: `{{name}}` is asked for each time, `{{name|default}}` begins with something, and
 * `\{{` stands for the braces themselves. docs/how-to/write-a-prompt.md tells people.
 */

/** Characters. */
export const longestPromptName = 60;
/** Characters. */
export const longestPromptText = 20_000;
/** A person must find their way among them. */
export const mostPrompts = 500;

export interface PromptVariable {
  name: string;
  /** '' where there is none. */
  initial: string;
}

/** What is between the braces has no brace, no bar but one, and no end of a line. */
const placeholder = /\\\{\{|\{\{([^{}|\n]+)(?:\|([^{}|\n]*))?\}\}/g;

/** Each once, in the order of the text; of two with the same name the first that has a default gives it. */
export function variablesOf(text: string): PromptVariable[] {
  const initials = new Map<string, string>();
  for (const [, name = '', initial = ''] of text.matchAll(placeholder)) {
    const known = name.trim();
    if (known !== '') initials.set(known, initials.get(known) || initial.trim());
  }
  return [...initials].map(([name, initial]) => ({ name, initial }));
}

/** The text with what was given in the place of each variable; one that was not given is its default. */
export function fillTemplate(text: string, values: ReadonlyMap<string, string>): string {
  const initials = new Map(variablesOf(text).map(({ name, initial }) => [name, initial]));
  return text.replace(placeholder, (whole, name: string | undefined) => {
    if (name === undefined) return '{{';
    const known = name.trim();
    // What is given is not looked through again: it may have braces of its own.
    return values.get(known) ?? initials.get(known) ?? whole;
  });
}

/** A template that gives this text back as it is. */
export function templateOf(text: string): string {
  return text.replaceAll('{{', '\\{{');
}
