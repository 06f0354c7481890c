/** PURE: what of a message is found, and where in it that stands. */
import { readAttachmentName } from '../contracts/attachment';
import type { Attached, Message, ToolResult } from '../contracts/message';
import { textOf } from '../contracts/message-parts';
import type { Place } from './postings';

export interface PlacedText {
  place: Place;
  text: string;
}

/** `wholes`: the texts of results that were cut, and of files, by the id of their row. Those of a sub-agent stand in the card of a call. */
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
      if (isAgent) return [];
      return [
        { place: 'question', text: textOf(message.content) },
        ...(message.attached ?? []).map((one) => ({ place: 'rest' as const, text: textOfFile(one, wholes) })),
      ];
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

function textOfFile(attached: Attached, wholes: ReadonlyMap<string, string>): string {
  if (!('fileId' in attached)) return attached.title;
  return `${attached.name}\n${wholes.get(attached.fileId) ?? ''}`;
}

/** Ids of the rows that hold the whole of what was cut. What was read of a file stands with the question that it came with. */
export function wholesOf(message: Message): string[] {
  if (message.role !== 'tool') return [];
  return message.results.flatMap(({ whole }) =>
    whole?.toolName === readAttachmentName ? [] : (whole?.id ?? []),
  );
}

/** Ids of the rows that hold the files of a message. */
export function filesOf(message: Message): string[] {
  if (message.role !== 'user') return [];
  return (message.attached ?? []).flatMap((one) => ('fileId' in one ? one.fileId : []));
}
