/** Fits the results of one round into half of the remaining room: cuts long ones to the relevant parts and stores the whole text. */
import type { Message, ToolMessage, ToolResult, CutResult } from '../contracts/message';
import type { ChatModel } from '../contracts/model';
import { textOf, countResults, findShownRanges, resultHandleAt } from '../contracts/message-parts';
import type { ToolSpec } from '../contracts/tool';
import type { FindParts, FoundParts, PartOptions, RelevantPart } from '../text/relevant-part';
import { cutBeginning, cutText, findFirstGap, isResultList, type TextRange } from '../text/cut';
import { findRequest } from './offer-tools';
import { readAttachmentToolName, readResultToolName } from '../contracts/tool-names';

interface FitOptions {
  model: ChatModel;
  tools: readonly ToolSpec[];
  maxCharacters: number;
  /** Stores the whole text of a result that was cut. Resolves to its id, or to the reason why storing failed. */
  storeWholeText: StoreWholeText;
  findParts: FindParts;
  /** Aborts when the user stops the turn. We then cut results without a search for relevant parts. */
  signal: AbortSignal;
}

export type StoreWholeText = (text: string) => Promise<Pick<CutResult, 'id' | 'lost'>>;

/** `history` ends with the reply that made the calls. We store the returned message exactly as the model gets it. */
export async function fitResults(
  results: readonly ToolResult[],
  history: readonly Message[],
  { model, tools, maxCharacters, storeWholeText, findParts, signal }: FitOptions,
): Promise<ToolMessage> {
  const canReadOn = (toolName: string) => {
    const reader = toolName === readAttachmentToolName ? readAttachmentToolName : readResultToolName;
    return tools.some(({ name }) => name === reader);
  };
  const before = countResults(history);
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const cuts = results.map((result, index) =>
    prepareCut(result, {
      history,
      position: before + index,
      canReadOn,
      findParts: (text, options) => findParts(text, options, until),
    }),
  );
  try {
    // If the model has crashed, we cannot measure. The next request detects the crash and recovers.
    const most = await findMaxCharacters(cuts, history, model, tools, maxCharacters).catch(
      () => maxCharacters,
    );
    for (const cut of cuts) if (cut.needsStoring(most)) cut.setStored(await storeWholeText(cut.whole));
    return await cutResults(cuts, most);
  } finally {
    over.abort(new Error('The results were cut.'));
  }
}

async function findMaxCharacters(
  cuts: readonly ResultCut[],
  history: readonly Message[],
  model: ChatModel,
  tools: readonly ToolSpec[],
  maxCharacters: number,
): Promise<number> {
  let most = maxCharacters;
  const before = await model.measure(history, tools);
  const room = Math.max(0, before.limitTokens - before.promptTokens) / 2;
  // The first guess assumes that all text has the same number of characters per token. The next attempts correct it.
  for (let attempt = 0; attempt < 3; attempt++) {
    const message = await cutResults(cuts, most);
    const after = await model.measure([...history, message], tools);
    const taken = after.promptTokens - before.promptTokens;
    const isOver = after.promptTokens > after.limitTokens;
    const masked = (after.maskedMessages ?? 0) - (before.maskedMessages ?? 0);
    // If the results pushed old messages out of the prompt, we cannot tell how much room they take. Accept anything that fits.
    const hasDropped = after.droppedMessages > before.droppedMessages || masked > 0;
    if (!isOver && (taken <= room || hasDropped)) return most;
    const longest = Math.max(...message.results.flatMap(({ content }) => content.map(countCharacters)));
    const share = hasDropped ? 0.5 : (room * 0.9) / taken;
    most = Math.max(minResultCharacters, Math.floor(longest * share));
    if (longest <= minResultCharacters) return most;
  }
  return most;
}

const minResultCharacters = 80;

async function cutResults(cuts: readonly ResultCut[], maxCharacters: number): Promise<ToolMessage> {
  return { role: 'tool', results: await Promise.all(cuts.map((cut) => cut.within(maxCharacters))) };
}

function countCharacters(part: ToolResult['content'][number]): number {
  return textOf([part]).length;
}

type ResultCut = ReturnType<typeof prepareCut>;

interface CutContext {
  /** Ends with the reply that made the call. */
  history: readonly Message[];
  position: number;
  canReadOn: (toolName: string) => boolean;
  /** If this function rejects, the result keeps only the beginning of the text. */
  findParts: FindRelevantParts;
}

type FindRelevantParts = (text: string, options: PartOptions) => Promise<FoundParts>;
type ShortenedText = Pick<RelevantPart, 'text' | 'given'>;

function prepareCut(result: ToolResult, { history, position, canReadOn, findParts }: CutContext) {
  const { content, toolName } = result;
  const whole = textOf(content);
  // `read_result` and `read_attachment` return parts of a text that is already stored.
  const known = storedTextReaders.has(toolName) ? result.whole : undefined;
  const handle = known?.handle ?? resultHandleAt(position);
  const given = known ? findShownRanges(history, handle) : [];
  const query = findQuery(result, history);
  let place: Pick<CutResult, 'id' | 'lost'> = {};

  const cutters = content.map((part) =>
    part.type === 'text' ? createCutter(part.text, { query, given }, findParts) : undefined,
  );

  const isCut = (maxCharacters: number) => content.some((part) => countCharacters(part) > maxCharacters);

  async function cut(maxCharacters: number) {
    const isTold = canReadOn(toolName) && place.lost === undefined;
    const more = isTold ? writeReadMoreHint(toolName, handle) : '';
    const kept = await Promise.all(cutters.map(async (cutter) => cutter?.(maxCharacters, more)));
    const ranges: [number, number][] = [];
    let offset = 0;
    const parts = content.flatMap((part, at): ToolResult['content'] => {
      if (part.type === 'image') return [part];
      const length = countCharacters(part);
      const from = offset;
      offset += length + 1;
      if (part.type === 'link') {
        // A truncated URL is useless, so a link is kept whole or dropped.
        if (length > maxCharacters) return [];
        ranges.push([from, from + length]);
        return [part];
      }
      const { text = part.text, given: held = [] } = kept[at] ?? {};
      for (const [start, end] of held) ranges.push([start + from, end + from]);
      return [{ ...part, text }];
    });
    return { parts, ranges };
  }

  return {
    whole,
    needsStoring: (maxCharacters: number) => !known && !result.isError && isCut(maxCharacters),
    setStored: (found: Pick<CutResult, 'id' | 'lost'>) => (place = found),
    async within(maxCharacters: number): Promise<ToolResult> {
      // A replayed result was already cut when it was recorded, so keep it if it fits.
      if (result.isTaken && !isCut(maxCharacters)) return result;
      const { parts, ranges } = await cut(maxCharacters);
      const isFirst = !known || (toolName === readAttachmentToolName && given.length === 0);
      if ((!isCut(maxCharacters) && isFirst) || result.isError) {
        return { ...result, content: parts, whole: undefined };
      }
      const own = { handle, toolName, characters: whole.length, ...place };
      return { ...result, content: parts, whole: { ...(known ?? own), given: ranges } };
    },
  };
}

const storedTextReaders: ReadonlySet<string> = new Set([readResultToolName, readAttachmentToolName]);

function writeReadMoreHint(toolName: string, handle: string): string {
  return toolName === readAttachmentToolName
    ? `For more of this file call ${readAttachmentToolName} with its name and a query.`
    : `For more of this result call ${readResultToolName} with its handle ${handle} and a query.`;
}

/** Returns the model's query if it asks for more of a stored text. Otherwise, returns the user's question without its URLs. */
function findQuery({ toolCallId, toolName }: ToolResult, history: readonly Message[]): string {
  const last = history.at(-1);
  const calls = last?.role === 'assistant' ? last.content : [];
  const call = calls.find((part) => part.type === 'tool-call' && part.id === toolCallId);
  const query = call?.type === 'tool-call' ? call.arguments['query'] : undefined;
  if (storedTextReaders.has(toolName) && typeof query === 'string') return query;
  return toolName === readResultToolName ? '' : findRequest(history).replace(/https?:\/\/\S+/g, ' ');
}

/** `more` tells the model how to read the rest. '' if the model cannot read it. */
type Cutter = (maxCharacters: number, more: string) => Promise<ShortenedText>;

function createCutter(text: string, options: Required<PartOptions>, findParts: FindRelevantParts): Cutter {
  let finding: Promise<FoundParts | undefined> | undefined;
  let isList: boolean | undefined;
  const had = sumLengths(options.given);
  return async (maxCharacters, more) => {
    if (text.length <= maxCharacters) return { text, given: [[0, text.length]] };
    isList ??= isResultList(text);
    if (isList) {
      // The best search results come first, so remove the last ones.
      const note = more === '' ? '' : `\n[${more}]`;
      const list = cutText(text, maxCharacters - note.length);
      return { text: list.text + note, given: [[0, text.length - list.omitted]] };
    }
    // If the search for parts fails, fall back to the beginning of the text.
    finding ??= findParts(text, options).catch(() => undefined);
    const parts = await finding;
    const isMissed = had > 0 && parts?.isFound === false;
    const note = (omitted: number) => writeOmissionNote(omitted, more, isMissed);
    const room = maxCharacters - note(text.length).length;
    if (room <= 0) return { text: '', given: [] };
    const isRanked = parts && (had > 0 || parts.isFound);
    const ranked = isRanked ? await parts.within(room).catch(() => undefined) : undefined;
    const part = ranked ?? cutToBeginning(text, options.given, room);
    const omitted = Math.max(0, text.length - sumLengths(part.given) - had);
    return { text: part.text + note(omitted), given: part.given };
  };
}

/** Returns the first part of the text that the model has not received yet. */
function cutToBeginning(text: string, sent: readonly TextRange[], maxCharacters: number): ShortenedText {
  const [from, to] = findFirstGap(text, sent);
  const kept = cutBeginning(text.slice(from, to), maxCharacters);
  return { text: kept, given: [[from, from + kept.length]] };
}

function writeOmissionNote(omitted: number, more: string, isMissed: boolean): string {
  const missed = 'None of the words of the query are in what was left: this is what comes next.';
  const sentences = [isMissed ? missed : '', more].filter((sentence) => sentence !== '');
  const leftOut = `${omitted} characters left out`;
  return `\n[${[sentences.length > 0 ? `${leftOut}.` : leftOut, ...sentences].join(' ')}]`;
}

function sumLengths(ranges: readonly TextRange[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}
