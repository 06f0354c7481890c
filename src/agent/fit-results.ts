/** Cuts the results of a round to what the model can still read: at most half of the room that is left. */
import { type Message, type ToolMessage, type ToolResult } from '../contracts/message';
import type { ChatModel } from '../contracts/model';
import type { ToolSpec } from '../contracts/tool';
import { cutText } from '../text/cut';

interface Options {
  model: ChatModel;
  tools: readonly ToolSpec[];
  /** At most so many of one result. */
  maxCharacters: number;
}

/**
 * `history` ends with the reply that made the calls. The message is stored as it is given to the model: a history never
 * changes.
 */
export async function fitResults(
  results: readonly ToolResult[],
  history: readonly Message[],
  { model, tools, maxCharacters }: Options,
): Promise<ToolMessage> {
  const message = cutAll(results, maxCharacters);
  try {
    return await fitToRoom(message, results, history, { model, tools });
  } catch {
    // What the model runs on was lost. The next request finds out, and recovers.
    return message;
  }
}

async function fitToRoom(
  first: ToolMessage,
  results: readonly ToolResult[],
  history: readonly Message[],
  { model, tools }: Pick<Options, 'model' | 'tools'>,
): Promise<ToolMessage> {
  let message = first;
  const before = await model.measure(history, tools);
  const room = Math.max(0, before.limitTokens - before.promptTokens) / 2;
  // The first guess assumes even text; a second look catches where it was not.
  for (let attempt = 0; attempt < 3; attempt++) {
    const after = await model.measure([...history, message], tools);
    const taken = after.promptTokens - before.promptTokens;
    if (taken <= room || after.droppedMessages > before.droppedMessages) return message;
    const longest = Math.max(...message.results.flatMap(({ content }) => content.map(lengthOf)));
    message = cutAll(results, Math.max(minCharacters, Math.floor((longest * room * 0.9) / taken)));
    if (longest <= minCharacters) return message;
  }
  return message;
}

/** A shorter result would say nothing. */
const minCharacters = 80;

function cutAll(results: readonly ToolResult[], maxCharacters: number): ToolMessage {
  return {
    role: 'tool',
    results: results.map((result) => ({
      ...result,
      content: result.content.map((part) =>
        part.type === 'text' ? { ...part, text: cutText(part.text, maxCharacters).text } : part,
      ),
    })),
  };
}

function lengthOf(part: ToolResult['content'][number]): number {
  return part.type === 'text' ? part.text.length : 0;
}
