/**
 * llama.cpp as WebAssembly for the model that ships with the app: an older wllama, a quarter of the size, which starts in
 * half the time and needs no JSPI. It cannot hold a reply to a grammar, so the tokens are chosen here.
 * Why: docs/decisions/2026-11-22-small-llama.md.
 */
import { AppError } from '../../contracts/app-error';
import type {
  ChatTemplate,
  GenerateRequest,
  ModelSpec,
  TextDelta,
  TextEngine,
  Usage,
} from '../../contracts/model';
import type { GrammarPosition } from '../gguf/gbnf-matcher';
import { brokenDown } from '../gguf/errors';
import { findInnerWorker } from '../gguf/inner-worker';
import { renderPrompt } from '../gguf/render-prompt';
import { type Started, startSmallLlama } from './start';
import { sweep } from './sweep';
import {
  beginReply,
  type Candidate,
  chooseToken,
  createRandom,
  readVocabulary,
  type Choice,
  takeMajority,
  type Vocabulary,
} from '../gguf/sampler';
import { createTokenCounter, type TokenCounter } from '../gguf/token-counter';

// In one file with the engine: loaded apart, it would tear out of it what both need, and a first answer would wait for more files.
export { createLlamaEmbedder } from './embedder';

/** Tokens of a prompt that are read at once: Stop waits for no more. */
const readAtOnce = 64;
/** How many of the likeliest are looked at first: one of them fits nearly always, and all of them take a while to come over. */
const firstLook = 64;
const all = -1;

interface Loaded {
  wllama: Started['wllama'];
  vocabulary: Vocabulary;
  countTokens: TokenCounter;
  template: ChatTemplate;
  contextTokens: number;
  /** The tokens in the engine's KV cache, in their order. */
  cached: number[];
}

export function createSmallLlama(): TextEngine {
  let loaded: Loaded | undefined;
  const whenLoaded = () => {
    if (!loaded) throw new AppError('engine-crashed', 'No model is loaded.');
    return loaded;
  };
  return {
    constraints: 'grammar',

    async load(model: ModelSpec, options) {
      const { wllama, header } = await startSmallLlama(model, options);
      const vocabulary = readVocabulary(header, model.template.stop);
      if (!vocabulary) throw new AppError('model-damaged', 'Its vocabulary is of a kind that is not known.');
      loaded = {
        wllama,
        vocabulary,
        countTokens: createTokenCounter(header),
        template: model.template,
        contextTokens: model.contextTokens,
        cached: [],
      };
      // The header was read into thousands of pieces, the weights came in hundreds.
      sweep();
    },

    async *generate(request, signal) {
      yield* generate(whenLoaded(), request, signal);
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- what it throws is to be a rejection.
    async count(messages) {
      const { countTokens, template } = whenLoaded();
      return messages.map(({ role, content }) =>
        countTokens(template[role].before + content + template[role].after),
      );
    },
  };
}

async function* generate(
  loaded: Loaded,
  request: GenerateRequest,
  signal: AbortSignal,
): AsyncGenerator<TextDelta> {
  const prompt = renderPrompt(request.messages, loaded.template);
  const usage: Usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
  let finishReason: 'stop' | 'length' | 'aborted' = 'aborted';
  try {
    await findInnerWorker(loaded.wllama);
    if (!signal.aborted) finishReason = yield* write(loaded, prompt, request, usage, signal);
  } catch (error) {
    // It answers nothing after an error, or answers from a memory that is not what it seems.
    throw brokenDown(error);
  }
  yield { type: 'finish', finishReason, usage, prompt };
}

/** Fills `usage` on the way. */
async function* write(
  loaded: Loaded,
  prompt: string,
  { constraint, sampling, maxTokens }: GenerateRequest,
  usage: Usage,
  signal: AbortSignal,
): AsyncGenerator<TextDelta, 'stop' | 'length' | 'aborted'> {
  const begun = performance.now();
  const tokens = await loaded.wllama.tokenize(prompt);
  usage.promptTokens = tokens.length;
  const random = createRandom(sampling.seed);
  let position = beginReply(constraint?.grammar);
  if (tokens.length >= loaded.contextTokens) return 'length';
  if (!(await read(loaded, tokens, usage, signal))) return 'aborted';

  const decoder = new TextDecoder();
  const mostTokens = Math.min(maxTokens, loaded.contextTokens - tokens.length);
  let first: number | undefined;
  /** Of tokens that have not made up a character yet, too. */
  let logProbability = 0;
  for (;;) {
    const opening =
      usage.outputTokens === 0 && sampling.temperature <= 0 ? constraint?.majorityFor : undefined;
    const choice = await choose(loaded, position, { sampling, random, opening });
    first ??= performance.now();
    usage.firstTokenMs = first - begun;
    usage.decodeMs = performance.now() - first;
    if (signal.aborted) return 'aborted';
    if (choice === 'end') return 'stop';

    position = choice.position;
    usage.outputTokens += 1;
    logProbability += Math.log(choice.p);
    const text = decoder.decode(loaded.vocabulary.bytesOf(choice.token), { stream: true });
    if (text !== '') {
      yield { type: 'text-delta', text, logProbability };
      logProbability = 0;
    }
    if (usage.outputTokens >= mostTokens) return 'length';
    // While the text was on its way.
    if (isAborted(signal)) return 'aborted';
    await decode(loaded, [choice.token]);
  }
}

/** Another look, which the compiler takes for the same. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Reads what of the prompt is not in the engine's memory yet. False where it was stopped. */
async function read(loaded: Loaded, tokens: number[], usage: Usage, signal: AbortSignal): Promise<boolean> {
  const { wllama, cached } = loaded;
  const other = tokens.findIndex((token, index) => token !== cached[index]);
  // The last is always read: what comes next follows from it.
  const kept = Math.min(other === -1 ? tokens.length : other, tokens.length - 1);
  if (kept < cached.length) {
    if (kept > 0) await wllama.kvRemove(kept, -1);
    // With nothing to keep, the other call says it has failed.
    else await wllama.kvClear();
    cached.length = kept;
  }
  for (let at = kept; at < tokens.length; at += readAtOnce) {
    if (signal.aborted) return false;
    const part = tokens.slice(at, at + readAtOnce);
    await decode(loaded, part, at + part.length < tokens.length);
    usage.prefilledTokens += part.length;
  }
  return true;
}

async function decode({ wllama, cached }: Loaded, tokens: number[], skipLogits = false): Promise<void> {
  await wllama.decode(tokens, { skipLogits });
  cached.push(...tokens);
}

interface ChoiceOptions {
  sampling: GenerateRequest['sampling'];
  random: () => number;
  /** At the beginning of a reply. */
  opening: string | undefined;
}

async function choose(
  { wllama, vocabulary }: Loaded,
  position: GrammarPosition,
  { sampling, random, opening }: ChoiceOptions,
): Promise<Choice | 'end'> {
  const take = (candidates: Candidate[]) => chooseToken(candidates, position, vocabulary, sampling, random);
  if (opening !== undefined) {
    const { taken, share } = takeMajority(await wllama.getLogits(all), vocabulary, opening);
    const choice = take(taken);
    // How likely this beginning was says little: what was decided is whether it opens.
    if (choice) return choice === 'end' ? choice : { ...choice, p: share };
  }
  const early = opening === undefined ? take(await wllama.getLogits(firstLook)) : undefined;
  // No token can be said here: what the grammar wants is not in the vocabulary.
  return early ?? take(await wllama.getLogits(all)) ?? 'end';
}
