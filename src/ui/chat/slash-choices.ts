/** PURE: the choices of the menu after a `/` in the message box. */
import { type OwnPrompt, variablesOf } from '../../contracts/own-prompt';
import type { ServerPrompt, ServerResource } from '../../contracts/mcp-server';

export type SlashChoice =
  | { type: 'own'; prompt: OwnPrompt }
  | { type: 'prompt'; prompt: ServerPrompt }
  | { type: 'resource'; resource: ServerResource }
  | { type: 'manage'; name: string; text: string };

export type PromptChoice = SlashChoice & { type: 'own' | 'prompt' };

export interface SlashMenuState {
  isReady?: boolean;
  /** The draft when the user pressed Enter before the menu was ready. The menu replays that Enter later. */
  heldDraft?: string | undefined;
}

export function describeChoice(choice: SlashChoice, nameOf: (serverId: string) => string) {
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

/** Groups choices by type. `from` is the index of the group's first choice. Leaves out empty groups. */
export function groupChoices(shown: readonly SlashChoice[]) {
  return (['own', 'prompt', 'resource', 'manage'] as const).flatMap((type) => {
    const choices = shown.filter((choice) => choice.type === type);
    const from = shown.findIndex((choice) => choice.type === type);
    return choices.length > 0 ? [{ type, from, choices }] : [];
  });
}

export const promptFieldsOf = (choice: PromptChoice) =>
  choice.type === 'own' ? variablesOf(choice.prompt.text) : choice.prompt.arguments;

export function formKeyOf(choice: PromptChoice): string {
  if (choice.type === 'own') return `prompt-values ${choice.prompt.id}`;
  return `server-prompt ${choice.prompt.serverId} ${choice.prompt.name}`;
}

/** The choices that contain every word of `typed`. [] if `typed` has several lines. */
export function findMatchingChoices(
  offered: readonly SlashChoice[],
  typed: string,
  nameOf: (serverId: string) => string,
): readonly SlashChoice[] {
  if (typed.includes('\n')) return [];
  const terms = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return offered.filter((choice) => {
    const { name, server } = describeChoice(choice, nameOf);
    const inner =
      choice.type === 'prompt' ? choice.prompt.name : choice.type === 'resource' ? choice.resource.uri : '';
    const text = `${name} ${inner} ${server}`.toLowerCase();
    return terms.every((term) => text.includes(term));
  });
}
