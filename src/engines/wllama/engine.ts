/** Runs GGUF files on the GPU with wllama, a published build of llama.cpp. Its bugs: docs/decisions/2026-11-21-wllama.md. */
import type { RawCompletionChunk, Wllama } from '@wllama/wllama/esm/index.js';
import { AppError, writeError } from '../../contracts/app-error';
import type {
  ChatTemplate,
  GenerateRequest,
  LoadOptions,
  ModelSpec,
  TextDelta,
  TextEngine,
  Usage,
} from '../../contracts/model';
import { untilAborted } from '../../contracts/until-aborted';
import { checkSiteFile, cacheForOffline } from '../../egress/own-files';
import { guessTokens, isOutOfMemory, requireLoaded } from '../engine';
import { toEngineCrash, readWeights, renderMessages, renderPrompt, settleInTime } from '../engine-parts';
import { readGguf, type GgufValue } from '../gguf/header';
import { anyTextGrammar } from '../gguf/sampler';
import { createLlama } from '../llama/engine';
import { wllamaWasmUrl } from '../llama/program';

interface LoadedModel {
  wllama: Wllama;
  template: ChatTemplate;
  /** Settles when llama.cpp has ended the last reply. A new reply that starts earlier would wait forever. */
  ending: Promise<void>;
  /** True if the error makes the engine unusable, so only a new worker helps. */
  isDeadly: (error: unknown) => boolean;
}

type LoadedEngine = Pick<TextEngine, 'contextTokens' | 'generate' | 'count'>;

/** Uses the processor instead if the GPU fails or is slower than one core. */
export function createWllama(): TextEngine {
  let engine: LoadedEngine | undefined;
  return {
    constraints: 'grammar',
    get contextTokens() {
      return engine?.contextTokens;
    },

    async load(model, options) {
      try {
        engine = await loadOnGpu(model, options);
      } catch {
        options.signal.throwIfAborted();
        const llama = createLlama();
        engine = llama;
        await llama.load(model, options);
      }
    },

    async *generate(request, signal) {
      yield* requireLoaded(engine).generate(request, signal);
    },

    count: async (messages) => requireLoaded(engine).count(messages),
  };
}

async function loadOnGpu(model: ModelSpec, options: LoadOptions): Promise<LoadedEngine> {
  const [library, file] = await Promise.all([
    importWllama(),
    readWeights(model, options),
    // Check the engine's file first, because wllama hangs forever if the file is missing.
    checkSiteFile(wllamaWasmUrl, { signal: options.signal, magic: '\0asm' }),
  ]);
  const { header } = await readGguf(file);
  options.onProgress({ step: 'start', loadedBytes: 0, totalBytes: 0 });
  const wllama = await startWllama(library, file, model, options.signal);
  const msPerToken = await measureTokenMs(wllama, model, options.signal);
  // Milliseconds per token on one slow core, which reads all weights for each token.
  const coreMsPerToken = (1000 * file.size) / slowCoreBytesPerSecond;
  if (msPerToken > Math.max(fastEnoughMsPerToken, coreMsPerToken)) {
    await wllama.exit().catch(() => undefined);
    throw new AppError('gpu-unfit', `A token takes ${Math.round(msPerToken)} ms.`);
  }
  // Store the GPU build now, because the user may have chosen the GPU only after the model's download.
  void cacheForOffline(wllamaWasmUrl);
  const countTokens = createTokenCounter(header);
  const loaded: LoadedModel = {
    wllama,
    template: model.template,
    ending: Promise.resolve(),
    isDeadly: (error) => error instanceof library.WllamaRuntimeError,
  };
  return {
    generate: (request, signal) => generateReply(loaded, request, signal),
    count: (messages) =>
      Promise.resolve(messages.map((message) => countTokens(renderMessages([message], model.template)))),
  };
}

const importWllama = () => import('@wllama/wllama/esm/index.js');

/** Timeout in milliseconds for a few tokens. If the GPU needs longer, one core is faster. */
const maxProbeMs = 15_000;
/** Bytes of weights per second that a slow core reads. The cores that we measured read three times as many. */
const slowCoreBytesPerSecond = 5e8;
/** A GPU that needs at most this many milliseconds per token is fast enough, however large the model is. */
const fastEnoughMsPerToken = 100;

async function measureTokenMs(wllama: Wllama, { template }: ModelSpec, signal: AbortSignal): Promise<number> {
  // Do not pass an inline literal, because wllama's types lack some options.
  const options = {
    prompt: renderPrompt([{ role: 'user', content: 'Hello' }], template),
    max_tokens: 4,
    temperature: 0,
    grammar: anyTextGrammar,
    timings_per_token: true,
    abortSignal: AbortSignal.any([signal, AbortSignal.timeout(maxProbeMs)]),
  };
  const { timings } = await wllama.createCompletion(options);
  return timings && timings.predicted_n > 0 ? timings.predicted_ms / timings.predicted_n : 0;
}

async function startWllama(
  library: Awaited<ReturnType<typeof importWllama>>,
  file: Blob,
  model: ModelSpec,
  signal: AbortSignal,
): Promise<Wllama> {
  const complaints: string[] = [];
  const complain = (...parts: unknown[]) => void complaints.push(parts.map(String).join(' '));
  const ignore = () => undefined;
  const logger = { debug: ignore, log: ignore, warn: ignore, error: complain };
  const wllama = new library.Wllama({ default: wllamaWasmUrl }, { logger });
  // Without this line, some browsers load another build from a CDN.
  wllama.setCompat(null);
  const options = {
    n_ctx: model.contextTokens,
    n_parallel: 1,
    n_threads: 1,
    // Skip the slow warm-up, because we time a few tokens anyway.
    warmup: false,
    // No model has more layers, so all of them run on the GPU.
    n_gpu_layers: 999,
    ...(model.sampling.seed !== undefined && { seed: model.sampling.seed }),
  };
  await settleInTime(() => wllama.loadModel([file], options), signal);
  // Search the log, because wllama resolves even if the file is too large or not a model.
  const complaint = complaints.find((line) => isOutOfMemory(line) || damagePattern.test(line));
  if (complaint !== undefined) throw new AppError('model-damaged', complaint);
  return wllama;
}

const damagePattern = /invalid magic|not within the file bounds|failed to load/i;

async function* generateReply(
  loaded: LoadedModel,
  { messages, constraint, sampling, maxTokens, onlyRead }: GenerateRequest,
  signal: AbortSignal,
): AsyncGenerator<TextDelta> {
  const { wllama, template, isDeadly } = loaded;
  const prompt = renderPrompt(messages, template);
  let usage: Usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
  const finish = (finishReason: 'stop' | 'length' | 'aborted' | 'error') =>
    ({ type: 'finish', finishReason, usage, prompt }) as const;
  const isStopped = () => signal.aborted;
  if (isStopped() || onlyRead) {
    yield finish(onlyRead ? 'stop' : 'aborted');
    return;
  }
  await loaded.ending;
  await checkInnerWorker(wllama);
  let reason: string | null = null;
  // Do not pass an inline literal, because wllama's types lack some options.
  const options = {
    prompt,
    stream: true as const,
    max_tokens: maxTokens,
    stop: template.stop,
    cache_prompt: true,
    timings_per_token: true,
    temperature: sampling.temperature,
    ...(sampling.topK !== undefined && { top_k: sampling.topK }),
    ...(sampling.topP !== undefined && { top_p: sampling.topP }),
    ...(sampling.seed !== undefined && { seed: sampling.seed }),
    // A grammar is always necessary, because small models sometimes write invalid UTF-8, which crashes the engine.
    grammar: constraint?.grammar ?? anyTextGrammar,
  };
  const leaving = new AbortController();
  const abortSignal = AbortSignal.any([signal, leaving.signal]);
  const chunks = (await wllama.createCompletion({ ...options, abortSignal }))[Symbol.asyncIterator]();
  let isOver = false;
  try {
    while (!isStopped()) {
      const next = await chunks.next();
      if (next.done) {
        isOver = true;
        break;
      }
      const [choice] = next.value.choices;
      usage = usageOf(next.value) ?? usage;
      reason = choice?.finish_reason ?? reason;
      if (choice?.text) yield { type: 'text-delta', text: choice.text };
    }
  } catch (error) {
    isOver = true;
    if (!isStopped()) {
      if (isDeadly(error)) throw toEngineCrash(error);
      yield { ...finish('error'), errorMessage: writeError(error) };
      return;
    }
  } finally {
    leaving.abort();
    if (!isOver) loaded.ending = readToEnd(chunks);
  }
  if (isStopped()) yield finish('aborted');
  else yield finish(reason === 'length' ? 'length' : 'stop');
}

/** Reads all remaining chunks, because llama.cpp keeps writing even if we stop reading. Ignores the error after an abort. */
async function readToEnd(chunks: AsyncIterator<unknown>): Promise<void> {
  try {
    while (!(await chunks.next()).done);
  } catch {
    // The aborted signal made the iterator throw.
  }
}

function usageOf({ timings }: RawCompletionChunk): Usage | undefined {
  if (!timings) return undefined;
  return {
    promptTokens: timings.cache_n + timings.prompt_n,
    prefilledTokens: timings.prompt_n,
    outputTokens: timings.predicted_n,
    firstTokenMs: timings.prompt_ms,
    decodeMs: timings.predicted_ms,
  };
}

export type TokenCounter = (text: string) => number;

/** GGUF's numbers for the types of special tokens. We find special tokens in the text first, then split the rest into ordinary tokens. */
const specialTokenTypes = new Set<GgufValue>([2, 3, 4]);

export function createTokenCounter(header: ReadonlyMap<string, GgufValue>): TokenCounter {
  const tokens = header.get('tokenizer.ggml.tokens');
  const scores = header.get('tokenizer.ggml.scores');
  const types = header.get('tokenizer.ggml.token_type');
  const isKnown = header.get('tokenizer.ggml.model') === 'llama';
  if (!isKnown || !Array.isArray(tokens) || !Array.isArray(scores) || !Array.isArray(types))
    return guessTokens;

  const scoreOf = new Map<string, number>();
  const special: string[] = [];
  tokens.forEach((token, index) => {
    if (typeof token !== 'string') return;
    if (specialTokenTypes.has(types[index] ?? 0)) special.push(token);
    else scoreOf.set(token, Number(scores[index]));
  });
  special.sort((one, other) => other.length - one.length);
  const pattern = new RegExp(special.map(escapePattern).join('|') || '(?!)');

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

/** Counts tokens: joins adjacent pieces into tokens of the vocabulary, best score first. A piece that stays unknown counts once per byte. */
function countPieces(text: string, scoreOf: ReadonlyMap<string, number>): number {
  const pieces = Array.from(text);
  const next = pieces.map((_, index) => index + 1);
  const previous = pieces.map((_, index) => index - 1);
  const heap = createPairHeap();
  const propose = (left: number, right: number) => {
    if (left < 0 || right >= pieces.length) return;
    const merged = `${pieces[left]}${pieces[right]}`;
    const score = scoreOf.get(merged);
    if (score !== undefined) heap.push({ score, left, right, merged });
  };
  for (let index = 1; index < pieces.length; index++) propose(index - 1, index);

  for (let pair = heap.pop(); pair; pair = heap.pop()) {
    const { left, right, merged } = pair;
    // Skip a stale pair: one of its pieces was merged with another neighbour.
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

interface PiecePair {
  score: number;
  left: number;
  right: number;
  merged: string;
}

function isBetterPair(one: PiecePair, other: PiecePair): boolean {
  return one.score > other.score || (one.score === other.score && one.left < other.left);
}

function createPairHeap() {
  const pairs: PiecePair[] = [];
  const at = (index: number) => pairs[index] as PiecePair;
  const swap = (one: number, other: number) => {
    [pairs[one], pairs[other]] = [at(other), at(one)];
  };
  return {
    push(pair: PiecePair): void {
      let index = pairs.push(pair) - 1;
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (!isBetterPair(pair, at(parent))) return;
        swap(index, parent);
        index = parent;
      }
    },
    pop(): PiecePair | undefined {
      const best = pairs[0];
      const last = pairs.pop();
      if (!best || !last || pairs.length === 0) return best;
      pairs[0] = last;
      for (let index = 0; ;) {
        const left = 2 * index + 1;
        if (left >= pairs.length) return best;
        const child = left + 1 < pairs.length && isBetterPair(at(left + 1), at(left)) ? left + 1 : left;
        if (!isBetterPair(at(child), at(index))) return best;
        swap(index, child);
        index = child;
      }
    },
  };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Maximum milliseconds for a response. A sleeping worker needs longer than an idle one. */
const maxWorkerAnswerMs = 10_000;

/** Checks that wllama's worker is alive. Call it only between replies. Rejects with an `AppError` (`engine-crashed`). */
export async function checkInnerWorker(wllama: { _getDebugInfo: () => Promise<unknown> }): Promise<void> {
  // Any response is a sign of life, even an error.
  const answered = wllama._getDebugInfo().catch(() => undefined);
  const silence = new AbortController();
  const gone = new AppError('engine-crashed', 'The worker that wllama started is gone.');
  const timer = setTimeout(() => silence.abort(gone), maxWorkerAnswerMs);
  await untilAborted(answered, silence.signal).finally(() => clearTimeout(timer));
}
