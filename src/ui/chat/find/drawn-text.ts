/** Finds words in plain text and in text on the screen, and maps what it finds to ranges of the document. */
import type { FoundPiece } from '../../../contracts/search';

/** A part of a text: `start` inclusive, `end` exclusive. */
export type TextPlace = readonly [start: number, end: number];

const isAscii = /^[\0-~]*$/;
const accents = /[\u0300-\u036f]/g;

/** PURE: all places of `query` in `text`, ignoring case and accents; [] for a blank query. */
export function findPlaces(text: string, query: string): TextPlace[] {
  const wanted = fold(query.trim()).text;
  if (wanted === '') return [];
  const { text: folded, starts } = fold(text);
  const places: TextPlace[] = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    places.push(starts ? [starts[at] ?? 0, starts[end] ?? text.length] : [at, end]);
  }
  return places;
}

/** `starts` maps indexes of the folded text to indexes of the original; undefined if they are the same. */
function fold(text: string): { text: string; starts?: number[] } {
  if (isAscii.test(text)) return { text: text.toLowerCase() };
  let folded = '';
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const plain = character.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase();
    for (let count = 0; count < plain.length; count++) starts.push(at);
    folded += plain;
    at += character.length;
  }
  starts.push(text.length);
  return { text: folded, starts };
}

/** Number of characters after a hit that distinguish it from other places of the same word. */
const contextLength = 24;

/** PURE: the place of a search hit in `text`. 'sure' needs the words that follow it in the snippet, 'any' takes the first match. */
export function placeOfHit(
  text: string,
  snippet: readonly FoundPiece[],
  certainty: 'sure' | 'any',
): TextPlace | undefined {
  const first = snippet.findIndex(({ isMarked }) => isMarked);
  const places = findPlaces(text, snippet[first]?.text ?? '');
  if (certainty === 'any') return places[0];
  const behind = (snippet[first + 1]?.text ?? '').trim().slice(0, contextLength);
  return places.find(([, end]) => startsWith(text.slice(end, end + 4 * contextLength), behind));
}

/** Ignores whitespace and Markdown marks, because the snippet is one line of plain text. */
function startsWith(text: string, behind: string): boolean {
  const plain = (part: string) => part.replace(/[\s*_`]+/g, '');
  return plain(text).startsWith(plain(behind));
}

export interface DrawnText {
  text: string;
  rangeOf: (place: TextPlace) => Range | undefined;
}

/** Elements that Hearth adds to a reply: heads of code blocks and hosts of links. */
const addedElements = '.block-head, .host[data-added], button';
const blockElements = 'p, li, td, th, pre, h1, h2, h3, h4, h5, h6, blockquote, div';

/** The text of an element as the user reads it, with a function that maps its places to ranges. */
export function drawnText(element: Element): DrawnText {
  let block: Element | null = null;
  return joinTexts(element, ({ parentElement: parent }) => {
    if (!parent || parent.closest(addedElements)) return undefined;
    const own = parent.closest(blockElements);
    const isNext = block !== null && own !== block;
    block = own;
    return isNext ? '\n' : '';
  });
}

/**
 * Joins the text nodes in an element, with a function that maps places of the whole to ranges. `gapBefore` returns what separates a node
 * from the text before it, or undefined to leave the node out.
 */
export function joinTexts(element: Element, gapBefore: (node: Text) => string | undefined): DrawnText {
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const gap = node instanceof Text ? gapBefore(node) : undefined;
    if (!(node instanceof Text) || gap === undefined) continue;
    text += gap;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const pointAt = (at: number) => {
    const found = nodes.findLast(({ start }) => start <= at);
    return found && ([found.node, Math.min(at - found.start, found.node.length)] as const);
  };
  return {
    text,
    rangeOf([start, end]) {
      const from = pointAt(start);
      const to = pointAt(end - 1);
      if (!from || !to) return undefined;
      const range = document.createRange();
      range.setStart(...from);
      range.setEnd(to[0], Math.min(to[1] + 1, to[0].length));
      return range;
    },
  };
}

/** The searchable elements of a drawn turn, in the same order as `shownTexts`. */
export function saidIn(turn: Element): Element[] {
  return [...turn.querySelectorAll('.markdown, [data-said]')];
}
