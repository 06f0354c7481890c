/** Reads a reply aloud in short pieces, using a browser voice for the reply's language. */
import type { RestWords } from '../../i18n/words';

export class Speaker {
  state = $state<'silent' | 'speaking' | 'paused'>('silent');
  /** Identifies the current call of `speak`. We ignore events of earlier calls. */
  #turn = 0;

  speak(pieces: readonly string[], voice: SpeechSynthesisVoice): void {
    this.stop();
    this.state = 'speaking';
    this.#say(pieces, voice, 0, ++this.#turn);
  }

  pause(): void {
    speechSynthesis.pause();
    this.state = 'paused';
  }

  resume(): void {
    speechSynthesis.resume();
    this.state = 'speaking';
  }

  stop(): void {
    this.#turn++;
    this.state = 'silent';
    speechSynthesis.cancel();
    // Some browsers stay paused after `cancel`, which would block the next utterance.
    speechSynthesis.resume();
  }

  #say(pieces: readonly string[], voice: SpeechSynthesisVoice, at: number, turn: number): void {
    const piece = pieces[at];
    if (turn !== this.#turn) return;
    if (piece === undefined) {
      this.state = 'silent';
      return;
    }
    const utterance = new SpeechSynthesisUtterance(piece);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    utterance.onend = () => this.#say(pieces, voice, at + 1, turn);
    utterance.onerror = () => {
      if (turn === this.#turn) this.stop();
    };
    speechSynthesis.speak(utterance);
  }
}

type SpokenWords = Pick<RestWords['reading']['aloud'], 'codeLeftOut' | 'formula'>;

/** Maximum length of a piece, in characters. Some voices break off or cannot pause in longer pieces. */
const maxPieceCharacters = 240;
const blockSelector = 'h1, h2, h3, h4, h5, h6, p, pre, tr, label, .math.display';
const silentSelector = '.block-head, .host, .picture, button, [hidden]';

/** Splits the drawn `parts` of a reply into pieces to speak. Code and formulas become short placeholders. */
export function toSpokenPieces(parts: Iterable<Element>, words: SpokenWords): string[] {
  return [...parts].flatMap((part) =>
    [...part.querySelectorAll(blockSelector)]
      .filter(({ parentElement }) => !parentElement?.closest(blockSelector))
      .flatMap((block) => cutIntoPieces(toSpokenText(block, words))),
  );
}

function toSpokenText(block: Element, words: SpokenWords): string {
  if (block.matches('pre')) return words.codeLeftOut(block.textContent.split('\n').length);
  if (block.matches('.math')) return words.formula;
  if (block.matches('tr')) return Array.from(block.children, (cell) => readText(cell, words)).join(', ');
  return readText(block, words);
}

function readText(element: Element, words: SpokenWords): string {
  const copy = element.cloneNode(true) as Element;
  for (const left of copy.querySelectorAll(silentSelector)) left.remove();
  for (const math of copy.querySelectorAll('.math')) math.textContent = words.formula;
  return copy.textContent.replace(/\s+/g, ' ').trim();
}

function cutIntoPieces(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > maxPieceCharacters) {
    const near = rest.slice(0, maxPieceCharacters);
    const sentence = /^[^]*(?:[.!?…]\s|[。！？；])/u.exec(near)?.[0].length ?? 0;
    const end = sentence || near.lastIndexOf(' ') + 1 || maxPieceCharacters;
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

const languagesByScript: readonly (readonly [language: string, letters: RegExp])[] = [
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

/** The likely language of `text`, as a primary BCP 47 tag. Text in Latin letters counts as `defaultLanguage`. */
export function languageOfText(text: string, defaultLanguage: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const found = languagesByScript.find(([, script]) => (text.match(script)?.length ?? 0) > letters / 5);
  return found?.[0] ?? defaultLanguage;
}
