/**
 * PURE: what in a conversation is outside text, and what of it an address may be copied from. The one place that says so.
 *
 * A result is outside text if its call was let out to any host, whether it went well or not: a server speaks by its
 * errors too. Who let the call out wrote the hosts into the result (`tools/permissions/permission.ts`).
 */
import type { Message, ToolResult } from './message';
import { readResultName } from './whole-result';

/** Hosts whose text a result holds, or may hold. Empty for one that only this device had a part in. */
export function outsideHosts({ sources }: Pick<ToolResult, 'sources'>): readonly string[] {
  return sources ?? [];
}

/** Hosts whose text is in a conversation, each once. */
export function outsideHostsIn(messages: readonly Message[]): string[] {
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
  return [...new Set(results.flatMap(outsideHosts))];
}

/** Tools that bring what a server wrote, word for word. Their names cannot be taken by another (`check-definition.ts`). */
const readers: ReadonlySet<string> = new Set(['fetch_page', 'web_search']);

/**
 * Whether a result only gives more of an earlier one: it names that one's hosts, as it is their text, but the call went to
 * nobody, and its arguments were told to nobody.
 */
export function isReadAgain({ toolName }: Pick<ToolResult, 'toolName'>): boolean {
  return toolName === readResultName;
}

/**
 * Whether addresses in a result were found there. Any other tool may give back what it was told, in pieces or turned
 * round, and an error speaks of what was asked.
 */
export function bringsAddresses(result: ToolResult): boolean {
  const source = isReadAgain(result) ? result.whole?.toolName : result.toolName;
  return !result.isError && readers.has(source ?? '') && outsideHosts(result).length > 0;
}
