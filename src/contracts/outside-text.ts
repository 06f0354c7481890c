/**
 * PURE: what in a conversation is outside text, and what of it an address may be copied from. The one place that says so.
 *
 * A result is outside text if its call was let out to any host, whether it went well or not: a server speaks by its
 * errors too. Who let the call out wrote the hosts into the result (`tools/permissions/permission.ts`).
 */
import { isFileSource, picturesOf, readAttachmentName, sourceOfFile } from './attachment';
import type { Message, ToolResult } from './message';
import { recallName } from './note';
import { readResultName } from './message-parts';

/** Hosts whose text a result holds, or may hold. Empty for one that only this device had a part in. */
export function outsideHosts({ sources }: Pick<ToolResult, 'sources'>): readonly string[] {
  return sources ?? [];
}

/** Hosts whose text is in a conversation, each once. */
export function outsideHostsIn(messages: readonly Message[]): string[] {
  const said = messages.flatMap((message) => {
    // A picture can carry words, and whoever made it chose them.
    const shown = picturesOf(message).map(({ name }) => sourceOfFile(name));
    if (message.role === 'user') return [...(message.sources ?? []), ...shown];
    return message.role === 'tool' ? message.results.flatMap(outsideHosts) : [];
  });
  return [...new Set(said)];
}

/** Tools that bring what a server, or whoever made a file, wrote, word for word. Their names cannot be taken by another (`check-definition.ts`). */
const readers: ReadonlySet<string> = new Set(['fetch_page', 'web_search', readAttachmentName]);

/** Tools that give again what was read before: it is the text of its hosts, but the call went to nobody. */
const repeaters: ReadonlySet<string> = new Set([readResultName, recallName]);

/** Hosts that heard the arguments of the call. */
export function hostsTold(result: Pick<ToolResult, 'toolName' | 'sources' | 'byAgent'>): readonly string[] {
  if (repeaters.has(result.toolName) || result.byAgent) return [];
  // A file hears nothing.
  return outsideHosts(result).filter((host) => !isFileSource(host));
}

/**
 * Whether addresses in a result were found there. Any other tool may give back what it was told, in pieces or turned
 * round, and an error speaks of what was asked.
 */
export function bringsAddresses(result: ToolResult): boolean {
  const source = result.toolName === readResultName ? result.whole?.toolName : result.toolName;
  return !result.isError && readers.has(source ?? '') && outsideHosts(result).length > 0;
}
