/** PURE: what of a message is found, and where in it that stands. */
import type { Message, ToolResult } from '../contracts/message';
import { textOf } from '../contracts/text-of';
import type { Place } from './postings';

export interface PlacedText {
  place: Place;
  text: string;
}

/** `wholes`: the texts of results that were cut, by the id of their row. Those of a sub-agent stand in the card of a call. */
export function textsOf(
  message: Message,
  wholes: ReadonlyMap<string, string>,
  isAgent: boolean,
): PlacedText[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      // What a sub-agent was asked stands in the call that asked it.
      return isAgent ? [] : [{ place: 'question', text: textOf(message.content) }];
    case 'assistant':
      return message.content.map((part) => {
        if (part.type === 'text') return { place: isAgent ? 'rest' : 'answer', text: part.text };
        if (part.type === 'reasoning') return { place: 'rest', text: part.text };
        const written = part.arguments
          ? JSON.stringify(part.arguments)
          : part.type === 'tool-call'
            ? ''
            : part.raw;
        return { place: 'rest', text: `${part.name ?? ''} ${written}` };
      });
    case 'tool':
      return message.results.map((result) => ({ place: 'rest', text: textOfResult(result, wholes) }));
  }
}

function textOfResult({ content, whole }: ToolResult, wholes: ReadonlyMap<string, string>): string {
  const all = whole?.id === undefined ? undefined : wholes.get(whole.id);
  return all === undefined ? textOf(content) : `${textOf(content)}\n${all}`;
}

/** Ids of the rows that hold the whole of what was cut. */
export function wholesOf(message: Message): string[] {
  return message.role === 'tool' ? message.results.flatMap(({ whole }) => whole?.id ?? []) : [];
}
