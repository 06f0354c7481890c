/** PURE: what is offered for what follows the `/`. */
import type { ServerPrompt, ServerResource } from '../../contracts/mcp-server';

export type SlashChoice =
  { type: 'prompt'; prompt: ServerPrompt } | { type: 'resource'; resource: ServerResource };

/** Those that hold every word; a message of several lines looks for none. `nameOf` is the name of a server. */
export function choicesFor(
  offered: readonly SlashChoice[],
  looked: string,
  nameOf: (serverId: string) => string,
): readonly SlashChoice[] {
  if (looked.includes('\n')) return [];
  const terms = looked.toLowerCase().split(/\s+/).filter(Boolean);
  return offered.filter((choice) => {
    const about = choice.type === 'prompt' ? choice.prompt : choice.resource;
    const own = choice.type === 'prompt' ? choice.prompt.name : choice.resource.uri;
    const text = `${about.title} ${own} ${nameOf(about.serverId)}`.toLowerCase();
    return terms.every((term) => text.includes(term));
  });
}
