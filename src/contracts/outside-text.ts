/** Finds outside text in a conversation: text that came from a host, including its error messages. Decides which results may supply a URL. */
import { isFileSource, picturesOf, readAttachmentToolName, sourceOfFile } from './attachment';
import type { Message, ToolResult } from './message';
import { recallToolName } from './note';
import { readResultToolName } from './message-parts';

/** Returns the hosts whose text a result may contain. Empty if the result was made on this device. */
export function outsideHostsOf({ sources }: Pick<ToolResult, 'sources'>): readonly string[] {
  return sources ?? [];
}

export function outsideHostsIn(messages: readonly Message[]): string[] {
  const hosts = messages.flatMap((message) => {
    // A picture can contain text from a stranger.
    const shown = picturesOf(message).map(({ name }) => sourceOfFile(name));
    if (message.role === 'user') return [...(message.sources ?? []), ...shown];
    return message.role === 'tool' ? message.results.flatMap(outsideHostsOf) : [];
  });
  return [...new Set(hosts)];
}

/** Tools that return the exact text of a page or file. Other tools cannot have these names (`tool-names.ts`). */
const verbatimToolNames: ReadonlySet<string> = new Set(['fetch_page', 'web_search', readAttachmentToolName]);

/** Tools that repeat earlier text. The text comes from hosts, but the call contacts none. */
const repeatingToolNames: ReadonlySet<string> = new Set([readResultToolName, recallToolName]);

/** Returns the hosts that saw the arguments of the call. */
export function contactedHostsOf(result: Pick<ToolResult, 'toolName' | 'sources' | 'byAgent'>) {
  if (repeatingToolNames.has(result.toolName) || result.byAgent) return [];
  return outsideHostsOf(result).filter((host) => !isFileSource(host));
}

/** True if tools may request the URLs in this result without asking the user. False if a model may have invented the URLs. */
export function hasTrustedUrls(result: ToolResult): boolean {
  const source = result.toolName === readResultToolName ? result.whole?.toolName : result.toolName;
  return !result.isError && verbatimToolNames.has(source ?? '') && outsideHostsOf(result).length > 0;
}
