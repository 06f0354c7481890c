/** What of a reply is read aloud: its words, piece by piece, and one word for what cannot be spoken. */

export interface SpokenWords {
  /** In the place of a block of code. */
  codeLeftOut: (lines: number) => string;
  formula: string;
}

/** Characters: some voices end in the middle of a longer piece, and none can be held within one for long. */
const longest = 240;
const blocks = 'h1, h2, h3, h4, h5, h6, p, pre, tr, label, .math.display';
const silent = '.block-head, .host, .picture, button, [hidden]';

/** Of the parts of a reply as they are drawn. */
export function spokenPieces(parts: Iterable<Element>, words: SpokenWords): string[] {
  return [...parts].flatMap((part) =>
    [...part.querySelectorAll(blocks)]
      .filter(({ parentElement }) => !parentElement?.closest(blocks))
      .flatMap((block) => cut(speak(block, words))),
  );
}

function speak(block: Element, words: SpokenWords): string {
  if (block.matches('pre')) return words.codeLeftOut(block.textContent.split('\n').length);
  if (block.matches('.math')) return words.formula;
  if (block.matches('tr')) return Array.from(block.children, (cell) => textOf(cell, words)).join(', ');
  return textOf(block, words);
}

function textOf(element: Element, words: SpokenWords): string {
  const copy = element.cloneNode(true) as Element;
  for (const left of copy.querySelectorAll(silent)) left.remove();
  for (const math of copy.querySelectorAll('.math')) math.textContent = words.formula;
  return copy.textContent.replace(/\s+/g, ' ').trim();
}

/** At the ends of sentences, else at a space, else anywhere. */
function cut(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > longest) {
    const near = rest.slice(0, longest);
    const sentence = /^[^]*(?:[.!?…]\s|[。！？；])/u.exec(near)?.[0].length ?? 0;
    const end = sentence || near.lastIndexOf(' ') + 1 || longest;
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

/** By their letters, for texts that are written in their own. */
const scripts: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['th', /\p{Script=Thai}/gu],
];

/** The language a text is likely in, as a primary tag of BCP 47; `otherwise` for Latin letters. */
export function languageOfText(text: string, otherwise: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const found = scripts.find(([, script]) => (text.match(script)?.length ?? 0) > letters / 5);
  return found?.[0] ?? otherwise;
}
