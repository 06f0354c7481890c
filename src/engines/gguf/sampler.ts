/** PURE except for `random`: chooses the next token by grammar and sampling, for an engine that reports only probabilities. */
import type { Sampling } from '../../contracts/model';
import type { GrammarPosition } from './gbnf-matcher';

export interface Vocabulary {
  /** Returns a token's UTF-8 bytes, or none if it is not text. */
  bytesOf: (token: number) => Uint8Array<ArrayBuffer>;
  ends: ReadonlySet<number>;
}

export interface TokenCandidate {
  token: number;
  p: number;
}

export interface TokenChoice {
  token: number;
  position: GrammarPosition;
  /** The token's probability among all tokens, from 0 to 1, even those that do not fit the grammar. */
  p: number;
}

const utf8Encoder = new TextEncoder();

/** Packs all tokens into one array, which takes a twentieth of the memory of one array per token. */
export function packTokens(tokens: readonly Uint8Array[]): Vocabulary['bytesOf'] {
  const bytes = new Uint8Array(tokens.reduce((sum, { length }) => sum + length, 0));
  const ends = new Uint32Array(tokens.length);
  let at = 0;
  for (const [token, some] of tokens.entries()) {
    bytes.set(some, at);
    at += some.length;
    ends[token] = at;
  }
  return (token) => bytes.subarray(ends[token - 1] ?? 0, ends[token] ?? 0);
}

/** Accepts any text, but only whole characters, because we cannot display half a character. */
export const anyTextGrammar = 'root ::= .*';

const defaultTopK = 40;

/** Returns a token, `'end'`, or undefined if none fits. `candidates`: most likely first. `random`: like `Math.random`. */
export function chooseToken(
  candidates: Iterable<TokenCandidate>,
  position: GrammarPosition,
  { bytesOf, ends }: Vocabulary,
  { temperature, topK = defaultTopK, topP = 1 }: Sampling,
  random: () => number,
): TokenChoice | 'end' | undefined {
  // As in llama.cpp, a `topK` of 0 means no limit.
  const most = temperature <= 0 ? 1 : topK > 0 ? topK : Infinity;
  const fitting: { p: number; choice: TokenChoice | 'end' }[] = [];
  for (const { token, p } of candidates) {
    const end = position.canEnd ? ('end' as const) : undefined;
    const choice = ends.has(token) ? end : tryToken({ token, p }, bytesOf(token), position);
    if (choice) fitting.push({ p, choice });
    if (fitting.length === most) break;
  }
  const likely = selectLikeliest(fitting, topP);
  // This has the same effect as dividing the logits by the temperature before the softmax.
  const weights = likely.map(({ p }) => (p / (likely[0]?.p ?? p)) ** (1 / Math.max(temperature, 1e-3)));
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const chosen = likely.find((_, index) => (left -= weights[index] ?? 0) < 0) ?? likely[0];
  return chosen?.choice;
}

/** Returns the tokens that start with `opening` if they are likelier than all others together, or else the others. `share`: their probability. */
export function findMajorityTokens(
  candidates: readonly TokenCandidate[],
  { bytesOf }: Vocabulary,
  opening: string,
): { taken: TokenCandidate[]; share: number } {
  // Compare only the first byte, because a token may be shorter or longer than `opening`.
  const [first] = utf8Encoder.encode(opening);
  const opens = ({ token }: TokenCandidate) => bytesOf(token)[0] === first;
  const shareOf = (some: readonly TokenCandidate[]) => some.reduce((sum, { p }) => sum + p, 0);
  const opened = candidates.filter(opens);
  const share = shareOf(opened) / shareOf(candidates);
  if (share > 1 / 2) return { taken: opened, share };
  return { taken: candidates.filter((candidate) => !opens(candidate)), share: 1 - share };
}

function tryToken({ token, p }: TokenCandidate, bytes: Uint8Array, position: GrammarPosition) {
  // Reject an empty token, because it could repeat forever.
  const after = bytes.length > 0 ? position.advance(bytes) : undefined;
  return after && { token, position: after, p };
}

/** Returns the most likely candidates whose probabilities add up to `share` of the total. */
function selectLikeliest<T extends { p: number }>(fitting: readonly T[], share: number): T[] {
  const wanted = share * fitting.reduce((sum, { p }) => sum + p, 0);
  let sum = 0;
  return fitting.filter(({ p }, index) => {
    const isNeeded = index === 0 || sum < wanted;
    sum += p;
    return isNeeded;
  });
}

/** Returns a generator of numbers from 0 up to, but excluding, 1. Equal seeds give equal numbers (mulberry32). */
export function createRandomGenerator(seed: number | undefined): () => number {
  if (seed === undefined) return Math.random;
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
