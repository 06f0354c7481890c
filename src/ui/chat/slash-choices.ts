/** PURE: what is offered for what follows the `/`. */
import { type OwnPrompt, variablesOf } from '../../contracts/own-prompt';
import type { ServerPrompt, ServerResource } from '../../contracts/mcp-server';

export type SlashChoice =
  | { type: 'own'; prompt: OwnPrompt }
  | { type: 'prompt'; prompt: ServerPrompt }
  | { type: 'resource'; resource: ServerResource }
  /** The way to where one's own are written. */
  | { type: 'manage'; name: string; text: string };

export type PromptChoice = SlashChoice & { type: 'own' | 'prompt' };

/** What the message box and its menu know of each other. */
export interface SlashKeys {
  /** What is offered is known: from then on the menu has Enter. */
  isKnown?: boolean;
  /** What stood in the box when Enter was pressed before that: it waits, and comes then. */
  held?: string | undefined;
}

/** How a choice is shown. */
export interface ShownChoice {
  name: string;
  /** Where it comes from; '' of what is one's own. */
  server: string;
  text: string;
}

/** `nameOf` is the name of a server. */
export function shownChoice(choice: SlashChoice, nameOf: (serverId: string) => string): ShownChoice {
  switch (choice.type) {
    case 'manage':
      return { name: choice.name, server: '', text: choice.text };
    case 'own':
      return { name: choice.prompt.name, server: '', text: choice.prompt.text };
    case 'prompt': {
      const { title, name, description, serverId } = choice.prompt;
      return { name: title || name, server: nameOf(serverId), text: description };
    }
    case 'resource': {
      const { title, uri, description, serverId } = choice.resource;
      return { name: title || uri, server: nameOf(serverId), text: description };
    }
  }
}

/** By what they are, each group with the place of its first; those that are empty are left out. */
export function groupsOf(shown: readonly SlashChoice[]) {
  return (['own', 'prompt', 'resource', 'manage'] as const).flatMap((type) => {
    const choices = shown.filter((choice) => choice.type === type);
    const from = shown.findIndex((choice) => choice.type === type);
    return choices.length > 0 ? [{ type, from, choices }] : [];
  });
}

/** What is asked for before it is used. */
export const fieldsOf = (choice: PromptChoice) =>
  choice.type === 'own' ? variablesOf(choice.prompt.text) : choice.prompt.arguments;

/** What is filled in is held under it until it is used. */
export function formOf(choice: PromptChoice): string {
  if (choice.type === 'own') return `prompt-values ${choice.prompt.id}`;
  return `server-prompt ${choice.prompt.serverId} ${choice.prompt.name}`;
}

/** Those that hold every word; a message of several lines looks for none. */
export function choicesFor(
  offered: readonly SlashChoice[],
  looked: string,
  nameOf: (serverId: string) => string,
): readonly SlashChoice[] {
  if (looked.includes('\n')) return [];
  const terms = looked.toLowerCase().split(/\s+/).filter(Boolean);
  return offered.filter((choice) => {
    const { name, server } = shownChoice(choice, nameOf);
    const inner =
      choice.type === 'prompt' ? choice.prompt.name : choice.type === 'resource' ? choice.resource.uri : '';
    const text = `${name} ${inner} ${server}`.toLowerCase();
    return terms.every((term) => text.includes(term));
  });
}
