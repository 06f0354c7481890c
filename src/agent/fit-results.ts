/**
 * Cuts the results of a round to what the model can still read: at most half of the room that is left. What is too long is cut
 * by relevance to the question, and kept whole.
 */
import { readAttachmentName } from '../contracts/attachment';
import type { Message, ToolMessage, ToolResult, WholeResult } from '../contracts/message';
import type { ChatModel, ContextUse } from '../contracts/model';
import { countResults, readResultName, textOf } from '../contracts/message-parts';
import type { ToolSpec } from '../contracts/tool';
import type { FindParts } from '../text/relevant-part';
import { prepareCut, type ResultCut } from './cut-result';

export interface FitOptions {
  model: ChatModel;
  tools: readonly ToolSpec[];
  /** At most so many of one result. */
  maxCharacters: number;
  /** Keeps a result that was cut. Resolves to where, or why it could not. */
  keepWhole: KeepWhole;
  findParts: FindParts;
  /** Aborts when the person stops the turn. Then nothing is looked for any more; the results are given all the same. */
  signal: AbortSignal;
}

export type KeepWhole = (text: string) => Promise<Pick<WholeResult, 'id' | 'lost'>>;

/**
 * `history` ends with the reply that made the calls. The message is stored as it is given to the model: a history never
 * changes.
 */
export async function fitResults(
  results: readonly ToolResult[],
  history: readonly Message[],
  { model, tools, maxCharacters, keepWhole, findParts, signal }: FitOptions,
): Promise<ToolMessage> {
  const isOffered = (wanted: string) => tools.some(({ name }) => name === wanted);
  const canReadOn = (toolName: string) =>
    isOffered(toolName === readAttachmentName ? readAttachmentName : readResultName);
  const before = countResults(history);
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const cuts = results.map((result, index) =>
    prepareCut(result, {
      ...{ history, position: before + index, canReadOn },
      findParts: (text, options) => findParts(text, options, until),
    }),
  );
  try {
    const most = await findRoom(cuts, history, { model, tools, maxCharacters }).catch(
      // What the model runs on was lost. The next request finds out, and recovers.
      () => maxCharacters,
    );
    for (const cut of cuts) if (cut.needsKeeping(most)) cut.setPlace(await keepWhole(cut.whole));
    return await cutAll(cuts, most);
  } finally {
    over.abort(new Error('The results were cut.'));
  }
}

/** How many characters each text may have. */
async function findRoom(
  cuts: readonly ResultCut[],
  history: readonly Message[],
  { model, tools, maxCharacters }: Pick<FitOptions, 'model' | 'tools' | 'maxCharacters'>,
): Promise<number> {
  let most = maxCharacters;
  const before = await model.measure(history, tools);
  const room = Math.max(0, before.limitTokens - before.promptTokens) / 2;
  // The first guess assumes even text; a second look catches where it was not.
  for (let attempt = 0; attempt < 3; attempt++) {
    const message = await cutAll(cuts, most);
    const after = await model.measure([...history, message], tools);
    const taken = after.promptTokens - before.promptTokens;
    const isOver = after.promptTokens > after.limitTokens;
    // Where old messages give way, how much they leave is not seen in advance: whatever fits then is right.
    if (!isOver && (taken <= room || hasGivenWay(before, after))) return most;
    const longest = Math.max(...message.results.flatMap(({ content }) => content.map(lengthOf)));
    const share = hasGivenWay(before, after) ? 0.5 : (room * 0.9) / taken;
    most = Math.max(minCharacters, Math.floor(longest * share));
    if (longest <= minCharacters) return most;
  }
  return most;
}

function hasGivenWay(before: ContextUse, after: ContextUse): boolean {
  const masked = (after.maskedMessages ?? 0) - (before.maskedMessages ?? 0);
  return after.droppedMessages > before.droppedMessages || masked > 0;
}

/** A shorter result would say nothing. */
const minCharacters = 80;

async function cutAll(cuts: readonly ResultCut[], maxCharacters: number): Promise<ToolMessage> {
  return { role: 'tool', results: await Promise.all(cuts.map((cut) => cut.within(maxCharacters))) };
}

function lengthOf(part: ToolResult['content'][number]): number {
  return textOf([part]).length;
}
