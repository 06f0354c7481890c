/** Finds words in plain text and on the screen, and maps the matches to DOM ranges. */
import { nextTask } from '../../../contracts/next-task';
import type { DisplayPiece } from '../../../contracts/search';

/** Character indexes of a part of a text. `start` is inclusive, `end` is exclusive. */
export type TextRange = readonly [start: number, end: number];

const asciiPattern = /^[\0-~]*$/;
const accentPattern = /[\u0300-\u036f]/g;

/** PURE: every match of `query` in `text`, ignoring case and accents. [] for a blank query. */
export function findMatches(text: string, query: string): TextRange[] {
  const wanted = foldText(query.trim()).text;
  if (wanted === '') return [];
  const { text: folded, starts } = foldText(text);
  const places: TextRange[] = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    places.push(starts ? [starts[at] ?? 0, starts[end] ?? text.length] : [at, end]);
  }
  return places;
}

/** Length in characters of the parts in which we search a long text, with a pause after each. */
const partLength = 20_000;

/** Like `findMatches`, in parts: yields the matches of each. `pause` lets the page work between them. */
export async function* findMatchesInParts(
  text: string,
  query: string,
  pause: Pause,
): AsyncGenerator<readonly TextRange[]> {
  // A match can be longer than the query, because accents do not count.
  const overlap = 4 * query.length + 64;
  let from = 0;
  for (let at = 0; at < text.length; at += partLength) {
    await pause();
    const start = Math.max(at, from);
    const end = at + partLength;
    const found = findMatches(text.slice(start, end + overlap), query)
      .map(([first, last]): TextRange => [start + first, start + last])
      .filter(([first]) => first < end);
    yield found;
    from = found.at(-1)?.[1] ?? from;
  }
}

const maxSliceMs = 12;

/** Call it often. It resolves at once, unless the work has gone on for so long that the page must have its turn. */
export type Pause = () => Promise<void>;

export function createPause(): Pause {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < maxSliceMs) return;
    await nextTask();
    began = performance.now();
  };
}

/** Removes case and accents. `starts` maps indexes to the original, or is undefined if they are the same. */
function foldText(text: string): { text: string; starts?: number[] } {
  if (asciiPattern.test(text)) return { text: text.toLowerCase() };
  let folded = '';
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const plain = character.normalize('NFKD').replace(accentPattern, '').normalize('NFC').toLowerCase();
    for (let count = 0; count < plain.length; count++) starts.push(at);
    folded += plain;
    at += character.length;
  }
  starts.push(text.length);
  return { text: folded, starts };
}

/** A word may occur more than once, so we compare this many characters after it with the search hit. */
const contextCharacters = 24;

/** PURE: finds a search hit in `text`. If `certainty` is 'sure', the text after the match must match the snippet too. */
export function locateHit(
  text: string,
  snippet: readonly DisplayPiece[],
  certainty: 'sure' | 'any',
): TextRange | undefined {
  const first = snippet.findIndex(({ isMarked }) => isMarked);
  const places = findMatches(text, snippet[first]?.text ?? '');
  if (certainty === 'any') return places[0];
  const behind = (snippet[first + 1]?.text ?? '').trim().slice(0, contextCharacters);
  return places.find(([, end]) => startsWithSnippet(text.slice(end, end + 4 * contextCharacters), behind));
}

/** Ignores whitespace and Markdown marks, because a snippet is one line of plain text. */
function startsWithSnippet(text: string, snippet: string): boolean {
  const plain = (part: string) => part.replace(/[\s*_`]+/g, '');
  return plain(text).startsWith(plain(snippet));
}

/** Elements that are not part of a reply's text: headers of code blocks, hosts of links, and buttons. */
const nonTextSelector = '.block-head, .host[data-added], button';
const blockSelector = 'p, li, td, th, pre, h1, h2, h3, h4, h5, h6, blockquote, div';

/** Returns the block of a text node, or undefined if the node is not part of a reply's text. */
function blockOf({ parentElement: parent }: Text): Element | null | undefined {
  return !parent || parent.closest(nonTextSelector) ? undefined : parent.closest(blockSelector);
}

/** The text of an element as the user reads it, with a function that maps its indexes to DOM ranges. */
export function readDrawnText(element: Element): DrawnText {
  let block: Element | null = null;
  return joinTextNodes(element, (node) => {
    const own = blockOf(node);
    if (own === undefined) return undefined;
    const isNext = block !== null && own !== block;
    block = own;
    return isNext ? '\n' : '';
  });
}

const nodesPerPause = 100;

/** Yields the parts of `readDrawnText` between line breaks, such as paragraphs. No match crosses their borders. */
export async function* readDrawnBlocks(element: Element, pause: Pause): AsyncGenerator<DrawnText> {
  let block: Element | null = null;
  let read = new TextJoiner();
  let nodes = 0;
  for (const node of textNodesIn(element)) {
    if (++nodes % nodesPerPause === 0) await pause();
    const own = blockOf(node);
    if (own === undefined) continue;
    if (own !== block && read.text !== '') {
      yield read;
      read = new TextJoiner();
    }
    block = own;
    read.add(node);
  }
  if (read.text !== '') yield read;
}

export interface DrawnText {
  readonly text: string;
  rangeOf: (place: TextRange) => Range | undefined;
  /** Use these for many places: every change of the page takes time for each `Range`. */
  boundsOf: (place: TextRange) => StaticRangeInit | undefined;
}

/** Joins text nodes and maps indexes to DOM ranges. `gapBefore` returns a separator, or undefined to skip a node. */
export function joinTextNodes(element: Element, gapBefore: (node: Text) => string | undefined): DrawnText {
  const joined = new TextJoiner();
  for (const node of textNodesIn(element)) {
    const gap = gapBefore(node);
    if (gap !== undefined) joined.add(node, gap);
  }
  return joined;
}

function* textNodesIn(element: Element): Generator<Text> {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node instanceof Text) yield node;
}

class TextJoiner implements DrawnText {
  text = '';
  readonly #nodes: { node: Text; start: number }[] = [];

  add(node: Text, gap = ''): void {
    this.text += gap;
    this.#nodes.push({ node, start: this.text.length });
    this.text += node.data;
  }

  rangeOf = (place: TextRange): Range | undefined => {
    const bounds = this.boundsOf(place);
    if (!bounds) return undefined;
    const range = document.createRange();
    range.setStart(bounds.startContainer, bounds.startOffset);
    range.setEnd(bounds.endContainer, bounds.endOffset);
    return range;
  };

  boundsOf = ([start, end]: TextRange): StaticRangeInit | undefined => {
    const from = this.#pointAt(start);
    const to = this.#pointAt(end - 1);
    if (!from || !to) return undefined;
    return {
      startContainer: from[0],
      startOffset: from[1],
      endContainer: to[0],
      endOffset: Math.min(to[1] + 1, to[0].length),
    };
  };

  #pointAt(at: number): [Text, number] | undefined {
    let low = 0;
    let high = this.#nodes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#nodes[middle]?.start ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    const found = this.#nodes[low - 1];
    return found && [found.node, Math.min(at - found.start, found.node.length)];
  }
}

/** The elements of a drawn turn that search covers, in the same order as the texts from `shownTexts`. */
export function searchableElementsIn(turn: Element): Element[] {
  return [...turn.querySelectorAll('.markdown, [data-said]')];
}
