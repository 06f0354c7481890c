/** Adapts the reader to the exam: returns calls and visible text, from a whole text or from pieces. */
import type { JsonSchema } from '../../src/contracts/schema';
import { createReader, type ReaderEvent, readReply } from '../../src/protocol/reader';

interface ExamTool {
  name: string;
  parameters?: JsonSchema;
}

export const name = 'hearth';

export function parse(text: string, tools: readonly ExamTool[]) {
  return callsOf(readReply(text, tools.map(toSpec)));
}

export function stream(chunks: readonly string[], tools: readonly ExamTool[]) {
  const reader = createReader(tools.map(toSpec));
  const calls: ReturnType<typeof callsOf> = [];
  let text = '';
  const take = (events: readonly ReaderEvent[]) => {
    for (const event of events) if (event.type === 'text-delta') text += event.text;
    calls.push(...callsOf(events));
  };
  for (const chunk of chunks) take(reader.push(chunk));
  take(reader.end());
  return { calls, text };
}

function toSpec({ name: tool, parameters = {} }: ExamTool) {
  return { name: tool, title: tool, description: '', inputSchema: parameters };
}

function callsOf(events: readonly ReaderEvent[]) {
  return events.flatMap((event) =>
    event.type === 'tool-call' && event.call.type === 'tool-call'
      ? [{ name: event.call.name, arguments: event.call.arguments }]
      : [],
  );
}
