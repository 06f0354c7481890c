/** The reader as the exam asks for it: calls and visible text, from a whole text or from pieces. */
import type { JsonSchema } from '../../src/contracts/schema';
import { createReader, type ReaderEvent, readReply } from '../../src/protocol/reader';

interface ExamTool {
  name: string;
  parameters?: JsonSchema;
}

export const name = 'hearth';

/** A stream of pieces whose events are dropped as soon as they are looked at, as by a page that shows them. */
export function drain(chunks: readonly string[], tools: readonly ExamTool[]): number {
  const reader = createReader(tools.map(toSpec));
  let count = 0;
  for (const chunk of chunks) count += reader.push(chunk).length;
  return count + reader.end().length;
}

export function parse(text: string, tools: readonly ExamTool[]) {
  return callsOf(readReply(text, tools.map(toSpec)));
}

export function stream(chunks: readonly string[], tools: readonly ExamTool[]) {
  const reader = createReader(tools.map(toSpec));
  const events = chunks.flatMap((chunk) => reader.push(chunk));
  events.push(...reader.end());
  const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  return { calls: callsOf(events), text };
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
