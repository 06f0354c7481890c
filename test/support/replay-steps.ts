/** What of a recorded turn is looked at, and what is changed of it. */
import type { MessageNode } from '../../src/contracts/chat';
import type { ToolCall } from '../../src/contracts/message';
import { textOf } from '../../src/contracts/message-parts';
import type { Change } from '../../src/state/replay';

/** What stands in the history: all but how long it took, who was asked, where it was taken from, and the row in which all of a text lies. */
export function bytesOf(nodes: readonly MessageNode[]): string[] {
  return nodes.map(({ message }) =>
    JSON.stringify(message, (key, value: unknown) =>
      ['timing', 'permission', 'isTaken'].includes(key)
        ? undefined
        : key === 'whole'
          ? { ...(value as object), id: '' }
          : value,
    ),
  );
}

/** One for each point of a turn, with nothing changed: the question, and each call. */
export function nothingChanged(question: string, nodes: readonly MessageNode[]): Change[] {
  const calls = nodes.flatMap(({ message }) =>
    message.role === 'assistant'
      ? message.content.filter((part): part is ToolCall => part.type === 'tool-call')
      : [],
  );
  const results = nodes.flatMap(({ message }) => (message.role === 'tool' ? message.results : []));
  return [
    { type: 'question', text: question },
    ...calls.map(({ id, arguments: given }) => ({
      type: 'arguments' as const,
      callId: id,
      arguments: given,
      within: [],
    })),
    ...results.map(({ toolCallId, content, isError }) => ({
      type: 'result' as const,
      callId: toolCallId,
      text: textOf(content),
      isError,
      within: [],
    })),
  ];
}

export function callIn(nodes: readonly MessageNode[], name: string): ToolCall {
  const parts = nodes.flatMap(({ message }) => (message.role === 'assistant' ? message.content : []));
  return parts.find((part): part is ToolCall => part.type === 'tool-call' && part.name === name)!;
}
