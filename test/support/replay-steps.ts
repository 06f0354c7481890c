/** Compares and changes recorded turns. */
import type { MessageNode } from '../../src/contracts/chat';
import type { ToolCall } from '../../src/contracts/message';
import { textOf } from '../../src/contracts/message-parts';
import type { Change } from '../../src/state/replay';

/** Returns the history without durations, approvals, origins and references to stored full texts. */
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

/** Returns changes that change nothing: one for the question, and one for each call's arguments and each result. */
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
