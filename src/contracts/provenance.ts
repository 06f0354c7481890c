/** What the origins of messages and results mean: which words are the user's own, and which text and addresses are a stranger's. */
import { picturesOf } from './attachment';
import { isOutside, type Origin, originOfFile, withoutRepeats } from './origin';
import type { Message, ToolResult, UserMessage } from './message';
import { textOf } from './message-parts';
import { readAttachmentToolName, readResultToolName, recallToolName } from './tool-names';

/** Returns the text if the user typed all of it, otherwise ''. Only such text makes an address the user's own. */
export function typedTextOf({ origins, content }: UserMessage): string {
  return origins.every(({ door }) => door === 'typed') ? textOf(content) : '';
}

/** Like `typedTextOf`, but also returns text that the user dictated. */
export function ownTextOf({ origins, content }: UserMessage): string {
  return origins.every(({ door }) => door === 'typed' || door === 'dictation') ? textOf(content) : '';
}

/** Returns the origins of outside text in a message, including the text that was in the prompt when a model wrote the message. */
export function outsideOriginsOf(message: Message): readonly Origin[] {
  switch (message.role) {
    case 'user':
      // A picture can contain instructions for the model.
      return [...message.origins.filter(isOutside), ...picturesOf(message).map(originOfFile)];
    case 'assistant':
      return (message.origins ?? []).filter(isOutside);
    case 'tool':
      return message.results.flatMap(({ origins }) => origins.filter(isOutside));
    case 'system':
      return [];
  }
}

export function outsideOriginsIn(messages: readonly Message[]): Origin[] {
  return withoutRepeats(messages.flatMap(outsideOriginsOf));
}

/** Tools that return the exact text of a page or file. Other tools cannot have these names (`tool-names.ts`). */
const verbatimToolNames: ReadonlySet<string> = new Set(['fetch_page', 'web_search', readAttachmentToolName]);

/** Tools that repeat earlier text. The text comes from hosts, but the call contacts none. */
const repeatingToolNames: ReadonlySet<string> = new Set([readResultToolName, recallToolName]);

/** Returns the hosts that saw the arguments of the call. */
export function contactedHostsOf(result: Pick<ToolResult, 'toolName' | 'origins' | 'byAgent'>): string[] {
  if (repeatingToolNames.has(result.toolName) || result.byAgent) return [];
  return result.origins.flatMap(({ door, name }) =>
    name !== undefined && (door === 'page' || door === 'server') ? name : [],
  );
}

/** True if tools may request the URLs in this result without asking the user. False if a model may have invented the URLs. */
export function hasTrustedUrls(result: ToolResult): boolean {
  const source = result.toolName === readResultToolName ? result.whole?.toolName : result.toolName;
  return !result.isError && verbatimToolNames.has(source ?? '') && result.origins.some(isOutside);
}
