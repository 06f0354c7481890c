/** Runs GGUF files and the shipped model on our own build of llama.cpp. Why our own: docs/decisions/2026-11-29-own-llama-cpp.md. */
import { AppError } from '../../contracts/app-error';
import type { GenerateRequest, ModelSpec, TextDelta, TextEngine, Usage } from '../../contracts/model';
import { saveThreadCounts, readThreadCounts } from '../../egress/kept-files';
import { requireLoaded } from '../engine';
import { toEngineCrash, settleInTime, renderMessages, renderPrompt, systemMessagesOf } from '../engine-parts';
import {
  createTokenChooser,
  createGrammarTokenChooser,
  readVocabulary,
  maxBatchTokens,
  type Llama,
  loadLlama,
  GrammarError,
  openWeights,
} from './llama';
import { createStateCache, createStateStorage, type SavedState, countSharedTokens } from './kept-states';
import { type FetchedProgram, fetchProgram, keepBuildForOffline } from './program';
import type { Embed } from '../../contracts/tool';

type LoadedModel = Awaited<ReturnType<typeof createLoadedModel>>;

const targetBatchMs = 400;
/** Minimum tokens per batch. Reading 32 tokens takes hardly longer than reading one. */
const minBatchTokens = 32;
/** Maximum milliseconds of writing between two checks for a stop request. */
const maxMsBetweenStopChecks = 12;

/** `worthKeepingMs`: we save a state only if reading its text again would take longer than this. */
export function createLlama({ worthKeepingMs = 700 } = {}): TextEngine {
  let loaded: LoadedModel | undefined;
  return {
    constraints: 'grammar',
    get contextTokens() {
      return loaded?.llama.contextTokens;
    },

    async load(model, { signal, onProgress, isStopped }) {
      const [program, weights] = await Promise.all([
        fetchProgram(model.hardware?.threads ?? 1, signal),
        openWeights(model, { signal, onProgress }),
      ]);
      const totalBytes = weights.size;
      onProgress({ step: 'start', loadedBytes: 0, totalBytes });
      const llama = await settleInTime(
        () =>
          loadLlama(program, weights, {
            contextTokens: model.contextTokens,
            use: model.isSmall ? 'chat-small-cache' : 'chat',
            ...(isStopped && { isStopped }),
            onRead: (loadedBytes) => onProgress({ step: 'start', loadedBytes, totalBytes }),
          }),
        signal,
      );
      void keepBuildForOffline();
      loaded = await createLoadedModel(llama, model, program, worthKeepingMs);
    },

    async *generate(request, signal) {
      yield* generateReply(requireLoaded(loaded), request, signal);
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- an error must become a rejection.
    async count(messages) {
      const { llama, template } = requireLoaded(loaded);
      return messages.map((message) => llama.tokenize(renderMessages([message], template)).length);
    },
  };
}

async function createLoadedModel(
  llama: Llama,
  { template, isSmall, file }: ModelSpec,
  { maxThreads, fileName }: FetchedProgram,
  worthKeepingMs: number,
) {
  const cached: number[] = [];
  /** Texts that end a reply but are not single tokens of this model. */
  const stopTexts: string[] = [];
  for (const text of template.stop) {
    const [token, ...others] = llama.tokenize(text);
    if (token !== undefined && others.length === 0) llama.addEnd(token);
    else stopTexts.push(text);
  }
  const vocabulary = isSmall ? readVocabulary(llama) : undefined;
  let knownThreads = maxThreads > 1 ? await readThreadCounts(file.path) : undefined;
  const writing = createThreadTuner(maxThreads, knownThreads?.writing);
  const reading = createThreadTuner(maxThreads, knownThreads?.reading);
  return {
    llama,
    template,
    worthKeepingMs,
    stopTexts,
    cached,
    /** Number of tokens that we can read in about `targetBatchMs`. */
    targetBatchTokens: minBatchTokens,
    msPerToken: 0,
    writing,
    reading,
    /** Undefined for the small model, which reads its system text faster than it could load a saved state. */
    onDevice: isSmall ? undefined : createStateStorage(file.path, fileName),
    conversations: createStateCache(),
    createChooser: (request: GenerateRequest) =>
      vocabulary ? createGrammarTokenChooser(llama, vocabulary, request) : createTokenChooser(llama, request),
    saveThreads(): void {
      const threads = { writing: writing.choice, reading: reading.choice };
      const isKnown = knownThreads?.writing === threads.writing && knownThreads.reading === threads.reading;
      if (isKnown || maxThreads === 1) return;
      knownThreads = threads;
      void saveThreadCounts(file.path, threads).catch(() => undefined);
    },
  };
}

async function* generateReply(
  loaded: LoadedModel,
  request: GenerateRequest,
  signal: AbortSignal,
): AsyncGenerator<TextDelta> {
  const render = request.onlyRead ? renderMessages : renderPrompt;
  const prompt = render(request.messages, loaded.template);
  const usage: Usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
  let finishReason: 'stop' | 'length' | 'aborted' = 'aborted';
  if (!signal.aborted) {
    try {
      finishReason = yield* writeReply(loaded, prompt, request, usage, signal);
    } catch (error) {
      if (error instanceof GrammarError) {
        yield { type: 'finish', finishReason: 'error', errorMessage: error.message, usage, prompt };
        return;
      }
      // After a WebAssembly trap, llama.cpp's state is unknown, so only a new worker helps.
      throw error instanceof AppError ? error : toEngineCrash(error);
    }
  }
  loaded.saveThreads();
  yield { type: 'finish', finishReason, usage, prompt };
}

async function* writeReply(
  loaded: LoadedModel,
  prompt: string,
  request: GenerateRequest,
  usage: Usage,
  signal: AbortSignal,
): AsyncGenerator<TextDelta, 'stop' | 'length' | 'aborted'> {
  const { llama } = loaded;
  const isStopped = () => signal.aborted;
  const begun = performance.now();
  const tokens = llama.tokenize(prompt, { addsBegin: true });
  usage.promptTokens = tokens.length;
  if (tokens.length >= llama.contextTokens) return 'length';
  const system = systemMessagesOf(request.messages);
  const beginning = countSharedTokens(
    llama.tokenize(renderMessages(system, loaded.template), { addsBegin: true }),
    tokens,
  );
  if (request.onlyRead && countSharedTokens(tokens, loaded.cached) === tokens.length) return 'stop';
  const maxCached = request.onlyRead ? tokens.length : tokens.length - 1;
  if (!(yield* readPrompt(loaded, { tokens, beginning, maxCached }, usage, signal))) return 'aborted';
  if (request.onlyRead) return 'stop';

  const chooseNext = loaded.createChooser(request);
  const decoder = new TextDecoder();
  const stopper = createStopTextFilter(loaded.stopTexts);
  const maxTokens = Math.min(request.maxTokens, llama.contextTokens - tokens.length);
  let first: number | undefined;
  let heardAt = performance.now();
  let logProbability = 0;
  let finishReason: 'stop' | 'length' = 'stop';
  for (;;) {
    const choice = chooseNext();
    const now = performance.now();
    first ??= now;
    usage.firstTokenMs = first - begun;
    usage.decodeMs = now - first;
    if (isStopped()) return 'aborted';
    if (choice === 'end') break;

    usage.outputTokens += 1;
    logProbability += choice.logProbability ?? 0;
    const piece = decoder.decode(llama.pieceOf(choice.token).slice(), { stream: true });
    const { text, isOver } = stopper.push(piece);
    if (text !== '') {
      yield { type: 'text-delta', text, ...(choice.logProbability !== undefined && { logProbability }) };
      logProbability = 0;
    }
    if (isOver) return 'stop';
    if (usage.outputTokens >= maxTokens) {
      finishReason = 'length';
      break;
    }
    if (performance.now() - heardAt > maxMsBetweenStopChecks) {
      await receiveMessages();
      heardAt = performance.now();
    }
    // The user may have pressed Stop since the check above.
    if (isStopped()) return 'aborted';
    if (!decodeTokens(loaded, [choice.token])) return 'aborted';
  }
  const rest = stopper.end();
  if (rest !== '') yield { type: 'text-delta', text: rest };
  return finishReason;
}

interface Prompt {
  tokens: readonly number[];
  beginning: number;
  /** Maximum tokens to take from a cache. Excludes the last token before a reply, because we need its output. */
  maxCached: number;
}

async function* readPrompt(
  loaded: LoadedModel,
  prompt: Prompt,
  usage: Usage,
  signal: AbortSignal,
): AsyncGenerator<TextDelta, boolean> {
  const { cached } = loaded;
  const { tokens, beginning } = prompt;
  await restorePromptStart(loaded, prompt);
  const total = tokens.length - cached.length;
  const started = performance.now();
  for (let at = cached.length; at < tokens.length; at = cached.length) {
    // End a batch after the system text, so we can save that state.
    const end = at < beginning ? beginning : tokens.length;
    const part = tokens.slice(at, at + chooseBatchTokens(loaded, end - at));
    const begun = performance.now();
    if (!decodeTokens(loaded, part)) return false;
    usage.prefilledTokens += part.length;
    const ms = performance.now() - begun;
    // Do not measure the speed with a short batch, because it is slower per token.
    if (part.length >= minBatchTokens)
      loaded.targetBatchTokens = batchTokensFor(part.length / Math.max(ms, 1));
    const msPerToken = (performance.now() - started) / usage.prefilledTokens;
    loaded.msPerToken = msPerToken;
    if (cached.length === beginning && beginning * msPerToken > loaded.worthKeepingMs) {
      const state = loaded.llama.saveState();
      if (state) void loaded.onDevice?.add({ tokens: [...cached], state });
    }
    if (cached.length < tokens.length) {
      const readTokens = usage.prefilledTokens;
      const remainingMs = Math.round(msPerToken * (total - readTokens));
      yield { type: 'prompt-progress', readTokens, totalTokens: total, remainingMs };
    }
    await receiveMessages();
    if (signal.aborted) return false;
  }
  return true;
}

/** Restores the longest known start of the prompt: from the current state, another conversation in memory, or the device. */
async function restorePromptStart(loaded: LoadedModel, { tokens, beginning, maxCached }: Prompt) {
  const { llama, cached, conversations, onDevice } = loaded;
  const isWorthIt = (count: number) => count * loaded.msPerToken > loaded.worthKeepingMs;
  const usable = (shared: number) => Math.min(shared, maxCached);
  const held = usable(countSharedTokens(cached, tokens));
  const other = conversations.find(tokens);
  const shared = usable(other?.shared ?? 0);
  if (isWorthIt(cached.length - held)) {
    const state = llama.saveState();
    if (state) conversations.add({ tokens: [...cached], state });
  }
  const isRestored = (kept: SavedState) => {
    cached.length = 0;
    if (!llama.restoreState(kept.state)) return false;
    cached.push(...kept.tokens);
    return true;
  };
  if (other && isWorthIt(shared - held) && isRestored(other.kept)) {
    keepFirstTokens(loaded, shared);
    return;
  }
  keepFirstTokens(loaded, held);
  const missing = beginning - cached.length;
  if (missing < minBatchTokens || beginning > usable(beginning)) return;
  const state = await onDevice?.find(tokens.slice(0, beginning));
  if (state) isRestored({ tokens: tokens.slice(0, beginning), state });
}

/** Returns the size of the next batch. `left`: tokens to read. We read all of them at once if only a short batch would follow. */
function chooseBatchTokens({ targetBatchTokens, llama }: LoadedModel, left: number): number {
  return Math.min(left <= 1.5 * targetBatchTokens ? left : targetBatchTokens, llama.batchTokens);
}

function batchTokensFor(tokensPerMs: number): number {
  const batches = Math.floor((targetBatchMs * tokensPerMs) / minBatchTokens);
  return Math.min(Math.max(1, batches) * minBatchTokens, maxBatchTokens);
}

/** Drops all tokens after the first `count`, or all tokens if the model cannot drop only some. */
function keepFirstTokens({ llama, cached }: LoadedModel, count: number): void {
  if (count >= cached.length) return;
  cached.length = llama.keep(count) ? count : 0;
}

/** To compare thread counts, we time only batches with at least this many tokens. */
const minTimedBatchTokens = 16;

/** Returns false and caches none of the tokens if the user stopped the reply. */
function decodeTokens(loaded: LoadedModel, tokens: readonly number[]): boolean {
  const { llama, cached, writing, reading } = loaded;
  llama.setThreads({ writing: writing.threads, reading: reading.threads });
  const begun = performance.now();
  if (llama.decode(tokens)) {
    cached.push(...tokens);
    const msPerToken = (performance.now() - begun) / tokens.length;
    if (tokens.length === 1) writing.add(msPerToken);
    else if (tokens.length >= minTimedBatchTokens) reading.add(msPerToken);
    return true;
  }
  if (!llama.keep(cached.length)) cached.length = 0;
  return false;
}

/** Lets the worker receive the messages that arrived while llama.cpp ran. */
function receiveMessages(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

export function createStopTextFilter(stops: readonly string[]) {
  let held = '';
  return {
    push(text: string): { text: string; isOver: boolean } {
      held += text;
      const found = stops.map((stop) => held.indexOf(stop)).filter((at) => at !== -1);
      if (found.length > 0) return { text: held.slice(0, Math.min(...found)), isOver: true };
      const isBegun = (at: number) => stops.some((stop) => stop.startsWith(held.slice(at)));
      const longest = Math.max(0, ...stops.map((stop) => stop.length - 1));
      let safe = Math.max(0, held.length - longest);
      while (safe < held.length && !isBegun(safe)) safe += 1;
      const sent = held.slice(0, safe);
      held = held.slice(safe);
      return { text: sent, isOver: false };
    },
    end: (): string => held,
  };
}

/** Averages all tokens if the model was not trained for embeddings. Rejects with an `AppError` or the reason of `signal`. */
export async function createLlamaEmbedder(model: ModelSpec, signal: AbortSignal): Promise<Embed> {
  const [program, weights] = await Promise.all([
    fetchProgram(1, signal),
    openWeights(model, { signal, onProgress: () => undefined }),
  ]);
  const options = { contextTokens: maxBatchTokens, use: 'embedding' } as const;
  const llama = await settleInTime(() => loadLlama(program, weights, options), signal);
  return async (texts, stop) => {
    const vectors: Float32Array[] = [];
    try {
      for (const text of texts) {
        stop.throwIfAborted();
        const vector = llama.embed(llama.tokenize(text, { addsBegin: true }).slice(0, maxBatchTokens));
        if (!vector.every(Number.isFinite)) throw new AppError('model-garbled', 'A vector holds no numbers.');
        vectors.push(vector);
        await receiveMessages();
      }
    } catch (error) {
      stop.throwIfAborted();
      throw error instanceof AppError
        ? error
        : new AppError('engine-crashed', String(error), { cause: error });
    }
    return vectors;
  };
}

/** Timings per thread count. Only the fastest is compared with other counts, because other programs may have slowed the rest. */
const samplesPerThreadCount = 3;
/** We time other thread counts again after this many `decode` calls. The interval doubles each time the same thread count wins. */
const minCallsBetweenTimings = 16;
const maxCallsBetweenTimings = 256;
/** Minimum speedup that is worth another core. */
const minSpeedup = 1.1;

/** Finds the fastest thread count by timing real work. `known`: the result of an earlier visit. */
export function createThreadTuner(max: number, known?: number) {
  const candidates = [1, 2, 4, 8].filter((count) => count <= max);
  const first = candidates.find((count) => count === known);
  let choice = first ?? 1;
  let waiting = candidates.length === 1 || first !== undefined ? [] : alternateThreadCounts(candidates);
  let best = new Map<number, number>();
  let left = 0;
  let round = minCallsBetweenTimings;

  function choose(): void {
    // Use more threads only if they are faster by `minSpeedup`.
    const timed = candidates.filter((count) => best.has(count));
    const timeOf = (count: number) => best.get(count) ?? Infinity;
    const before = choice;
    choice = timed.reduce((one, more) => (timeOf(more) * minSpeedup < timeOf(one) ? more : one));
    best = new Map();
    round = choice === before ? Math.min(2 * round, maxCallsBetweenTimings) : minCallsBetweenTimings;
    left = round;
  }

  return {
    get threads(): number {
      return waiting[0] ?? choice;
    },
    get choice(): number {
      return choice;
    },
    add(msPerToken: number): void {
      const [timed, ...rest] = waiting;
      if (timed !== undefined) {
        best.set(timed, Math.min(msPerToken, best.get(timed) ?? Infinity));
        waiting = rest;
        if (rest.length === 0) choose();
        return;
      }
      if (candidates.length === 1 || --left > 0) return;
      const place = candidates.indexOf(choice);
      waiting = alternateThreadCounts(candidates.slice(Math.max(0, place - 1), place + 2));
    },
  };
}

/** Alternates the thread counts, so a change in system load affects all of them. */
function alternateThreadCounts(counts: readonly number[]): number[] {
  return Array.from({ length: samplesPerThreadCount }, () => counts.toReversed()).flat();
}
