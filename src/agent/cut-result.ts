/** One result on its way to a model: cut to any length, with a note that says what was left out and how to read on. */
import type { Message, ToolResult, WholeResult } from '../contracts/message';
import { textOf } from '../contracts/text-of';
import { givenLately, handleAt, readResultName } from '../contracts/whole-result';
import { beginningWithin, cutText, isResultList } from '../text/cut';
import { type RelevantParts, relevantParts, type TextRange } from '../text/relevant-part';
import { requestIn } from './tool-offer/choose-list';

export interface ResultCut {
  /** All of its text. */
  whole: string;
  /** Whether something is left out that is nowhere kept yet. */
  needsKeeping: (maxCharacters: number) => boolean;
  /** Where it was kept, or why not. */
  setPlace: (place: Pick<WholeResult, 'id' | 'lost'>) => void;
  /** Of each of its texts at most so many characters. */
  within: (maxCharacters: number) => ToolResult;
}

interface Situation {
  /** Ends with the reply that made the call. */
  history: readonly Message[];
  /** Among the results of the chat. */
  position: number;
  /** Whether the model can be told to read on. */
  canReadOn: boolean;
}

interface CutPart {
  text: string;
  given: readonly TextRange[];
}

export function prepareCut(result: ToolResult, { history, position, canReadOn }: Situation): ResultCut {
  const { content, toolName } = result;
  const whole = textOf(content);
  // It was read before, and is kept already: what comes is another part of it.
  const known = result.toolName === readResultName ? result.whole : undefined;
  const handle = known?.handle ?? handleAt(position);
  const given = known ? givenLately(history, handle) : [];
  const query = queryFor(result, history);
  let place: Pick<WholeResult, 'id' | 'lost'> = {};

  const cutters = content.map((part) =>
    part.type === 'text' ? cutterOf(part.text, query, given) : undefined,
  );

  function cut(maxCharacters: number) {
    const isTold = canReadOn && place.lost === undefined;
    const more = isTold
      ? `For more of this result call ${readResultName} with its handle ${handle} and a query.`
      : '';
    const ranges: [number, number][] = [];
    let offset = 0;
    let isCut = false;
    const parts = content.map((part, at): ToolResult['content'][number] => {
      const cutter = cutters[at];
      if (part.type !== 'text' || !cutter) return part;
      const kept = cutter(maxCharacters, more);
      isCut ||= kept.text !== part.text;
      for (const [from, to] of kept.given) ranges.push([from + offset, to + offset]);
      offset += part.text.length + 1;
      return { ...part, text: kept.text };
    });
    return { parts, ranges, isCut };
  }

  return {
    whole,
    needsKeeping: (maxCharacters) => !known && !result.isError && cut(maxCharacters).isCut,
    setPlace: (found) => (place = found),
    within(maxCharacters) {
      const { parts, ranges, isCut } = cut(maxCharacters);
      if ((!isCut && !known) || result.isError) return { ...result, content: parts };
      const own = { handle, toolName, characters: whole.length, ...place };
      return { ...result, content: parts, whole: { ...(known ?? own), given: ranges } };
    },
  };
}

/** What the person asked; where the model asked for more, what it looks for. Addresses have words of their own, which say little. */
function queryFor({ toolCallId, toolName }: ToolResult, history: readonly Message[]): string {
  if (toolName !== readResultName) return requestIn(history).replace(/https?:\/\/\S+/g, ' ');
  const last = history.at(-1);
  const calls = last?.role === 'assistant' ? last.content : [];
  const call = calls.find((part) => part.type === 'tool-call' && part.id === toolCallId);
  const query = call?.type === 'tool-call' ? call.arguments['query'] : undefined;
  return typeof query === 'string' ? query : '';
}

/** `more` says how to read on; '' where that cannot be. */
type Cutter = (maxCharacters: number, more: string) => CutPart;

/** Made once for a text, and asked for several lengths. */
function cutterOf(text: string, query: string, given: readonly TextRange[]): Cutter {
  let parts: RelevantParts | undefined;
  const had = sizeOf(given);
  return (maxCharacters, more) => {
    if (text.length <= maxCharacters) return { text, given: [[0, text.length]] };
    if (isResultList(text)) {
      // The results of a search stand in their order.
      const note = more === '' ? '' : `\n[${more}]`;
      const list = cutText(text, maxCharacters - note.length);
      return { text: list.text + note, given: [[0, text.length - list.omitted]] };
    }
    parts ??= relevantParts(text, { query, given });
    const note = (omitted: number) => writeNote(omitted, { more, isMissed: had > 0 && !parts?.isFound });
    // As many digits as there can be.
    const room = maxCharacters - note(text.length).length;
    if (room <= 0) return { text: '', given: [] };
    if (had === 0 && !parts.isFound) {
      // Where no word leads anywhere, the beginning says most.
      const beginning = beginningWithin(text, room);
      const kept = beginning.length;
      return { text: beginning + note(text.length - kept), given: [[0, kept]] };
    }
    const part = parts.within(room);
    return { text: part.text + note(Math.max(0, text.length - sizeOf(part.given) - had)), given: part.given };
  };
}

function writeNote(omitted: number, { more, isMissed }: { more: string; isMissed: boolean }): string {
  const missed = isMissed
    ? 'None of the words of the query are in what was left: this is what comes next.'
    : '';
  const sentences = [missed, more].filter((sentence) => sentence !== '');
  const leftOut = `${omitted} characters left out`;
  return `\n[${[sentences.length > 0 ? `${leftOut}.` : leftOut, ...sentences].join(' ')}]`;
}

function sizeOf(ranges: readonly TextRange[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}
