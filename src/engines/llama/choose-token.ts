/**
 * Chooses the tokens of a reply: by llama.cpp's own sampler, or by ours for the small model that ships. Ours makes a call only if a call
 * is likelier than all words together, and reports how sure each choice was.
 */
import type { GenerateRequest } from '../../contracts/model';
import {
  beginReply,
  chooseToken,
  createRandom,
  packTokens,
  takeMajority,
  type Candidate,
  type Vocabulary,
} from '../gguf/sampler';
import type { Llama } from './llama';

export interface Chooser {
  /** The next token, or the end of the reply. `logProbability`: natural logarithm, missing if unknown. */
  next: () => { token: number; logProbability?: number } | 'end';
}

export function createLlamaChooser(llama: Llama, { sampling, constraint }: GenerateRequest): Chooser {
  llama.beginReply(sampling, constraint?.grammar);
  return {
    next() {
      const token = llama.sample();
      return token === undefined || llama.endsReply(token) ? 'end' : { token };
    },
  };
}

/** We try the most likely tokens first: one of them nearly always fits, and ranking all tokens takes longer. */
const firstLook = 64;

export function createOwnChooser(
  llama: Llama,
  vocabulary: Vocabulary,
  { sampling, constraint }: GenerateRequest,
): Chooser {
  const random = createRandom(sampling.seed);
  let position = beginReply(constraint?.grammar);
  let opening = sampling.temperature <= 0 ? constraint?.majorityFor : undefined;
  const take = (candidates: Candidate[]) => chooseToken(candidates, position, vocabulary, sampling, random);

  function choose() {
    if (opening !== undefined) {
      const { taken, share } = takeMajority(llama.rank(Infinity), vocabulary, opening);
      const choice = take(taken);
      // What counts is the probability that a call opens, not that of its first token.
      if (choice) return choice === 'end' ? choice : { ...choice, p: share };
    }
    const early = opening === undefined ? take(llama.rank(firstLook)) : undefined;
    return early ?? take(llama.rank(Infinity)) ?? 'end';
  }

  return {
    next() {
      const choice = choose();
      opening = undefined;
      if (choice === 'end') return choice;
      position = choice.position;
      return { token: choice.token, logProbability: Math.log(choice.p) };
    },
  };
}

/** Reads the bytes of every token. Only for a small vocabulary. */
export function readVocabulary(llama: Llama): Vocabulary {
  const tokens = Array.from({ length: llama.vocabularySize }, (_, token) => token);
  return {
    bytesOf: packTokens(tokens.map((token) => llama.pieceOf(token).slice())),
    ends: new Set(tokens.filter((token) => llama.endsReply(token))),
  };
}
