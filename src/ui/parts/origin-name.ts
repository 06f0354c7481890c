/** Names where a text comes from. */
import type { Origin } from '../../contracts/origin';
import type { Language } from '../i18n/language.svelte';
import { escapeInvisible } from '../permissions/exact-text';

const maxNameCharacters = 200;

export function nameOfOrigin({ door, name = '', serverId }: Origin, { rest }: Language): string {
  const words = rest.origins;
  const shown = escapeInvisible(name.slice(0, maxNameCharacters));
  if (door === 'shared') return words.shared;
  if (door === 'tool-description')
    return serverId === undefined ? words.tool(shown) : words.toolsOfServer(shown);
  return door === 'file' || door === 'persona' || door === 'import' ? words[door](shown) : shown;
}

/** True if `name` is the name of a host. */
export function isHostOrigin({ door }: Origin): boolean {
  return ['page', 'server', 'server-prompt', 'resource', 'endpoint'].includes(door);
}
