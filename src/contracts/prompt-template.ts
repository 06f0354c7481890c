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
