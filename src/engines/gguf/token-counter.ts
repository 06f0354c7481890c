/**
 * Counts the tokens of a text with the vocabulary in the model's own file, because wllama cannot. Exact for the `llama` tokenizer (SentencePiece
 * by score, like llama.cpp); an overestimate for others.
 */
import type { GgufValue } from './header';

export type TokenCounter = (text: string) => number;

/** Token types of the GGUF specification that are matched before all others. */
const specialTypes = new Set<GgufValue>([2, 3, 4]);

export function createTokenCounter(header: ReadonlyMap<string, GgufValue>): TokenCounter {
  const tokens = header.get('tokenizer.ggml.tokens');
  const scores = header.get('tokenizer.ggml.scores');
  const types = header.get('tokenizer.ggml.token_type');
  const isKnown = header.get('tokenizer.ggml.model') === 'llama';
  if (!isKnown || !Array.isArray(tokens) || !Array.isArray(scores) || !Array.isArray(types)) return guess;

  const scoreOf = new Map<string, number>();
  const special: string[] = [];
  tokens.forEach((token, index) => {
    if (typeof token !== 'string') return;
    if (specialTypes.has(types[index] ?? 0)) special.push(token);
    else scoreOf.set(token, Number(scores[index]));
  });
  special.sort((one, other) => other.length - one.length);
  const pattern = new RegExp(special.map(escape).join('|') || '(?!)');

  return (text) => {
    let count = 0;
    let rest = text;
    for (;;) {
      const found = pattern.exec(rest);
      count += countPieces(rest.slice(0, found?.index).replaceAll(' ', '\u2581'), scoreOf);
      if (!found) return count;
      count += 1;
      rest = rest.slice(found.index + found[0].length);
    }
  };
}

/** Assumes three bytes a token, which overestimates nearly every text. */
function guess(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}

/**
 * Merges neighbours, best-scored pair first and leftmost of equals, until no pair is in the vocabulary. Remaining pieces that are not in it count
 * as bytes. A heap keeps long texts at n log n; they cannot be split into words, because a token may span several words.
 */
function countPieces(text: string, scoreOf: ReadonlyMap<string, number>): number {
  const pieces = Array.from(text);
  const next = pieces.map((_, index) => index + 1);
  const previous = pieces.map((_, index) => index - 1);
  const heap = createHeap();
  const propose = (left: number, right: number) => {
    if (left < 0 || right >= pieces.length) return;
    const merged = `${pieces[left]}${pieces[right]}`;
    const score = scoreOf.get(merged);
    if (score !== undefined) heap.push({ score, left, right, merged });
  };
  for (let index = 1; index < pieces.length; index++) propose(index - 1, index);

  for (let pair = heap.pop(); pair; pair = heap.pop()) {
    const { left, right, merged } = pair;
    // One of the two was merged with another neighbour in the meantime.
    if (next[left] !== right || `${pieces[left]}${pieces[right]}` !== merged || pieces[right] === '')
      continue;
    pieces[left] = merged;
    pieces[right] = '';
    const after = next[right] ?? pieces.length;
    next[left] = after;
    if (after < pieces.length) previous[after] = left;
    propose(previous[left] ?? -1, left);
    propose(left, after);
  }

  const encoder = new TextEncoder();
  return pieces.reduce((count, piece) => {
    if (piece === '') return count;
    return count + (scoreOf.has(piece) ? 1 : encoder.encode(piece).length);
  }, 0);
}

interface Pair {
  score: number;
  left: number;
  right: number;
  merged: string;
}

function isBefore(one: Pair, other: Pair): boolean {
  return one.score > other.score || (one.score === other.score && one.left < other.left);
}

function createHeap() {
  const pairs: Pair[] = [];
  const at = (index: number) => pairs[index] as Pair;
  const swap = (one: number, other: number) => {
    [pairs[one], pairs[other]] = [at(other), at(one)];
  };
  return {
    push(pair: Pair): void {
      let index = pairs.push(pair) - 1;
      for (
        let parent = (index - 1) >> 1;
        index > 0 && isBefore(at(index), at(parent));
        parent = (index - 1) >> 1
      ) {
        swap(index, parent);
        index = parent;
      }
    },
    pop(): Pair | undefined {
      const best = pairs[0];
      const last = pairs.pop();
      if (!best || !last || pairs.length === 0) return best;
      pairs[0] = last;
      for (let index = 0; ;) {
        const left = 2 * index + 1;
        if (left >= pairs.length) return best;
        const child = left + 1 < pairs.length && isBefore(at(left + 1), at(left)) ? left + 1 : left;
        if (!isBefore(at(child), at(index))) return best;
        swap(index, child);
        index = child;
      }
    },
  };
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
