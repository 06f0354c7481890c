import { type AgentChats, type ShownText, shownTexts, type Turn } from '../../../state/turns';
import { drawMarkdown } from '../../markdown/stream-renderer';
import { createPause, findMatches, findMatchesInParts, type Pause, readDrawnBlocks } from './drawn-text';

/** One text of a turn that contains matches. */
export interface FoundText {
  turnId: string;
  /** Index of the text in its turn. */
  text: number;
  /** Number of matches. */
  count: number;
}

const showIntervalMs = 30;

/** Finds text in all turns, drawn or not. Works in slices, so neither a long chat nor a long text blocks the page. */
export class ChatFinder {
  readonly #rendered = new Map<string, string>();

  /** Yields the texts found so far, in the order of the chat. */
  async *find(
    turns: readonly Turn[],
    agents: AgentChats,
    query: string,
  ): AsyncGenerator<readonly FoundText[]> {
    const found: FoundText[] = [];
    const pause = createPause();
    let shownAt = performance.now();
    for (const turn of turns) {
      for (const [text, shown] of shownTexts(turn, agents).entries()) {
        let count = 0;
        const all = await this.#textOf(shown, query, pause);
        for await (const places of findMatchesInParts(all, query, pause)) count += places.length;
        if (count > 0) found.push({ turnId: turn.id, text, count });
      }
      await pause();
      if (performance.now() - shownAt < showIntervalMs) continue;
      yield [...found];
      shownAt = performance.now();
    }
    yield found;
  }

  async #textOf({ text, isMarkdown }: ShownText, query: string, pause: Pause): Promise<string> {
    if (!isMarkdown) return text;
    const known = this.#rendered.get(text);
    if (known !== undefined) return known;
    // Rendering is slow, so skip texts that cannot match.
    if (!mayContainQuery(text, query)) return '';
    const target = document.createElement('div');
    await drawMarkdown(target, text);
    const blocks: string[] = [];
    for await (const block of readDrawnBlocks(target, pause)) blocks.push(block.text);
    const rendered = blocks.join('\n');
    this.#rendered.set(text, rendered);
    return rendered;
  }
}

/** Length in characters. Looking through a longer text could take as long as rendering a part of it. */
const maxCheckedLength = 100_000;

/** Compares loosely, because Markdown marks, entities or escapes may split the query in the source. */
function mayContainQuery(text: string, query: string): boolean {
  if (text.length > maxCheckedLength) return true;
  if (text.includes('&') || findMatches(text, query).length > 0) return true;
  return findMatches(text.replace(/[*_~`\\[\]]/g, ''), query).length > 0;
}

/** PURE: number of matches in `found`, up to the first text that `isEnd` names. */
export function countMatches(found: readonly FoundText[], isEnd?: (text: FoundText) => boolean): number {
  let sum = 0;
  for (const text of found) {
    if (isEnd?.(text)) break;
    sum += text.count;
  }
  return sum;
}

/** PURE: the text that contains the match with this index, and the index of the match in it. */
export function matchAt(
  found: readonly FoundText[],
  index: number,
): { turnId: string; text: number; nth: number } | undefined {
  let nth = index;
  for (const { turnId, text, count } of found) {
    if (nth < count) return nth < 0 ? undefined : { turnId, text, nth };
    nth -= count;
  }
  return undefined;
}

/** Resolves to the match with index `nth` in a drawn text, or to the last match if there are fewer. */
export async function findDrawnMatch(said: Element, query: string, nth: number): Promise<Range | undefined> {
  const pause = createPause();
  let last: (() => Range | undefined) | undefined;
  let left = nth;
  for await (const { text, rangeOf } of readDrawnBlocks(said, pause)) {
    for await (const places of findMatchesInParts(text, query, pause)) {
      const place = places[Math.min(left, places.length - 1)];
      if (!place) continue;
      last = () => rangeOf(place);
      if (left < places.length) return last();
      left -= places.length;
    }
  }
  return last?.();
}
