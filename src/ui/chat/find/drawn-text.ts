/** Finds words in plain text and on the screen, and maps the matches to DOM ranges. */
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

/** The text of an element as the user reads it, with a function that maps its indexes to DOM ranges. */
export function readDrawnText(element: Element) {
  let block: Element | null = null;
  return joinTextNodes(element, ({ parentElement: parent }) => {
    if (!parent || parent.closest(nonTextSelector)) return undefined;
    const own = parent.closest(blockSelector);
    const isNext = block !== null && own !== block;
    block = own;
    return isNext ? '\n' : '';
  });
}

/** Joins text nodes and maps indexes to DOM ranges. `gapBefore` returns a separator, or undefined to skip a node. */
export function joinTextNodes(element: Element, gapBefore: (node: Text) => string | undefined) {
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
    rangeOf: ([start, end]: TextRange): Range | undefined => {
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

/** The elements of a drawn turn that search covers, in the same order as the texts from `shownTexts`. */
export function searchableElementsIn(turn: Element): Element[] {
  return [...turn.querySelectorAll('.markdown, [data-said]')];
}
