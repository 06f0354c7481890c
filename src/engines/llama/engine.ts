/**
 * Our own build of llama.cpp as a text engine, for every GGUF file and for the model that ships. It needs no more than
 * WebAssembly with SIMD, and uses several threads where the page is isolated.
 * Why not a published build: docs/decisions/2026-11-29-own-llama-cpp.md.
 */
import { AppError } from '../../contracts/app-error';
import type {
  ChatTemplate,
  GenerateRequest,
  ModelSpec,
  PromptMessage,
  TextDelta,
  TextEngine,
  Usage,
} from '../../contracts/model';
import { keepThreads, readThreads } from '../../egress/kept-files';
import { brokenDown } from '../gguf/errors';
import { renderBeginning, renderPrompt } from '../gguf/render-prompt';
import { settleInTime } from '../gguf/settle-in-time';
import { type Chooser, createLlamaChooser, createOwnChooser, readVocabulary } from './choose-token';
import {
  type Conversations,
  createConversations,
  createStatesOnDevice,
  type KeptState,
  sharedTokens,
  type StatesOnDevice,
} from './kept-states';
import { batchTokens, type Llama, loadLlama, UnreadableGrammar } from './llama';
import { fetchProgram, keepProgram, programName } from './program';
import { createThreadTuner, type ThreadTuner } from './thread-tuner';
import { openWeights } from './weights';

export { createLlamaEmbedder } from './embedder';

interface Threads {
  writing: number;
  reading: number;
}

interface Loaded {
  llama: Llama;
  template: ChatTemplate;
  beginReply: (request: GenerateRequest) => Chooser;
  /** Texts that end a reply and are not tokens of this model. */
  stopTexts: readonly string[];
  cached: number[];
  /** Tokens read at once: as many as take `batchMs`. */
  pace: number;
  /** The last measured milliseconds to read a token. */
  msPerToken: number;
  worthKeepingMs: number;
  writing: ThreadTuner;
  reading: ThreadTuner;
  knownThreads: Threads | undefined;
  keepThreads: (threads: Threads) => Promise<void>;
  conversations: Conversations;
  /** Missing for a model that reads its system text faster than it can look it up. */
  onDevice?: StatesOnDevice;
}

/**
 * Approximate milliseconds for a batch of the prompt. Meanwhile the worker receives no messages unless the page is isolated; the page
 * itself shows a Stop at once (`streamReply`).
 */
const batchMs = 400;
/** The kernels read 32 tokens in hardly more time than one. */
const leastBatch = 32;
/** Milliseconds of writing after which we look whether Stop was pressed. */
const maxWritingMs = 12;

/** `worthKeepingMs`: minimum milliseconds of reading that justify a copy of the state. */
export function createLlama({ worthKeepingMs = 700 } = {}): TextEngine {
  let loaded: Loaded | undefined;
  const whenLoaded = () => {
    if (!loaded) throw new AppError('engine-crashed', 'No model is loaded.');
    return loaded;
  };
  return {
    constraints: 'grammar',
    get contextTokens() {
      return loaded?.llama.contextTokens;
    },

    async load(model, { signal, onProgress, isStopped }) {
      const maxThreads = model.hardware?.threads ?? 1;
      const [program, weights] = await Promise.all([
        fetchProgram(maxThreads, signal),
        openWeights(model, { signal, onProgress }),
      ]);
      const totalBytes = weights.size;
      onProgress({ step: 'start', loadedBytes: 0, totalBytes });
      const llama = await settleInTime(
        () =>
          loadLlama(program, weights, {
            contextTokens: model.contextTokens,
            maxThreads,
            use: model.isSmall ? 'chat-small-cache' : 'chat',
            ...(isStopped && { isStopped }),
            onRead: (loadedBytes) => onProgress({ step: 'start', loadedBytes, totalBytes }),
          }),
        signal,
      );
      void keepProgram();
      const known = maxThreads > 1 ? await readThreads(model.file.path) : undefined;
      loaded = { ...wrap(llama, model, maxThreads, known), worthKeepingMs };
    },

    async *generate(request, signal) {
      yield* generate(whenLoaded(), request, signal);
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- an error must become a rejection.
    async count(messages) {
      const { llama, template } = whenLoaded();
      return messages.map(
        ({ role, content }) => llama.tokenize(template[role].before + content + template[role].after).length,
      );
    },
  };
}

function wrap(
  llama: Llama,
  { template, isSmall, file }: ModelSpec,
  maxThreads: number,
  known?: Threads,
): Omit<Loaded, 'worthKeepingMs'> {
  const stopTexts: string[] = [];
  for (const text of template.stop) {
    const [token, ...others] = llama.tokenize(text);
    if (token !== undefined && others.length === 0) llama.addEnd(token);
    else stopTexts.push(text);
  }
  const vocabulary = isSmall ? readVocabulary(llama) : undefined;
  const beginReply = vocabulary
    ? (request: GenerateRequest) => createOwnChooser(llama, vocabulary, request)
    : (request: GenerateRequest) => createLlamaChooser(llama, request);
  return {
    ...{ llama, template, beginReply, stopTexts, cached: [], pace: leastBatch, msPerToken: 0 },
    writing: createThreadTuner(maxThreads, known?.writing),
    reading: createThreadTuner(maxThreads, known?.reading),
    keepThreads: (threads) =>
      maxThreads > 1 ? keepThreads(file.path, threads).catch(() => undefined) : Promise.resolve(),
    knownThreads: known,
    conversations: createConversations(),
    ...(!isSmall && { onDevice: createStatesOnDevice(file.path, programName()) }),
  };
}

async function* generate(
  loaded: Loaded,
  request: GenerateRequest,
  signal: AbortSignal,
): AsyncGenerator<TextDelta> {
  const { messages, onlyRead } = request;
  const prompt = onlyRead
    ? renderBeginning(messages, loaded.template)
    : renderPrompt(messages, loaded.template);
  const usage: Usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
  let finishReason: 'stop' | 'length' | 'aborted' = 'aborted';
  if (!signal.aborted) {
    try {
      finishReason = yield* write(loaded, prompt, request, usage, signal);
    } catch (error) {
      if (error instanceof UnreadableGrammar) {
        yield { type: 'finish', finishReason: 'error', errorMessage: error.message, usage, prompt };
        return;
      }
      // After a trap the state of the program is unknown: only a new worker helps.
      throw error instanceof AppError ? error : brokenDown(error);
    }
  }
  noteThreads(loaded);
  yield { type: 'finish', finishReason, usage, prompt };
}

function noteThreads(loaded: Loaded): void {
  const { writing, reading, knownThreads } = loaded;
  const threads = { writing: writing.choice, reading: reading.choice };
  if (knownThreads?.writing === threads.writing && knownThreads.reading === threads.reading) return;
  loaded.knownThreads = threads;
  void loaded.keepThreads(threads);
}

async function* write(
  loaded: Loaded,
  prompt: string,
  request: GenerateRequest,
  usage: Usage,
  signal: AbortSignal,
): AsyncGenerator<TextDelta, 'stop' | 'length' | 'aborted'> {
  const { llama } = loaded;
  const begun = performance.now();
  const tokens = llama.tokenize(prompt, { addsBegin: true });
  usage.promptTokens = tokens.length;
  if (tokens.length >= llama.contextTokens) return 'length';
  const system = systemTextOf(request.messages);
  const beginning = sharedTokens(
    llama.tokenize(renderBeginning(system, loaded.template), { addsBegin: true }),
    tokens,
  );
  if (request.onlyRead && sharedTokens(tokens, loaded.cached) === tokens.length) return 'stop';
  const mostCached = request.onlyRead ? tokens.length : tokens.length - 1;
  if (!(yield* read(loaded, { tokens, beginning, mostCached }, usage, signal))) return 'aborted';
  if (request.onlyRead) return 'stop';

  const chooser = loaded.beginReply(request);
  const decoder = new TextDecoder();
  const stopper = createStopper(loaded.stopTexts);
  const maxTokens = Math.min(request.maxTokens, llama.contextTokens - tokens.length);
  let first: number | undefined;
  let heardAt = performance.now();
  /** Includes tokens whose text was not sent yet. */
  let logProbability = 0;
  for (;;) {
    const choice = chooser.next();
    const now = performance.now();
    first ??= now;
    usage.firstTokenMs = first - begun;
    usage.decodeMs = now - first;
    if (signal.aborted) return 'aborted';
    if (choice === 'end') break;

    usage.outputTokens += 1;
    logProbability += choice.logProbability ?? 0;
    const { text, isOver } = stopper.push(
      decoder.decode(llama.pieceOf(choice.token).slice(), { stream: true }),
    );
    if (text !== '') {
      yield { type: 'text-delta', text, ...(choice.logProbability !== undefined && { logProbability }) };
      logProbability = 0;
    }
    if (isOver) return 'stop';
    if (usage.outputTokens >= maxTokens) {
      yield* flush(stopper);
      return 'length';
    }
    if (performance.now() - heardAt > maxWritingMs) {
      await hearMessages();
      heardAt = performance.now();
    }
    // Stop may have been pressed while we sent text or received messages.
    if (isAborted(signal)) return 'aborted';
    if (!decode(loaded, [choice.token])) return 'aborted';
  }
  yield* flush(stopper);
  return 'stop';
}

function* flush(stopper: ReturnType<typeof createStopper>): Generator<TextDelta> {
  const text = stopper.end();
  if (text !== '') yield { type: 'text-delta', text };
}

function systemTextOf(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  const end = messages.findIndex(({ role }) => role !== 'system');
  return end === -1 ? messages : messages.slice(0, end);
}

/** A function, because TypeScript assumes that `signal.aborted` has not changed since the last check. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

interface Prompt {
  tokens: readonly number[];
  /** The number of tokens of the system text, with which every chat with this model and these tools begins. */
  beginning: number;
  /** Maximum number of tokens that a cache may spare us. The last one is always read, because the reply follows from its output. */
  mostCached: number;
}

async function* read(
  loaded: Loaded,
  prompt: Prompt,
  usage: Usage,
  signal: AbortSignal,
): AsyncGenerator<TextDelta, boolean> {
  const { cached } = loaded;
  const { tokens, beginning } = prompt;
  await recall(loaded, prompt);
  const total = tokens.length - cached.length;
  const started = performance.now();
  for (let at = cached.length; at < tokens.length; at = cached.length) {
    // A batch ends with the system text, so that its state can be saved.
    const part = tokens.slice(at, at + batchSize(loaded, (at < beginning ? beginning : tokens.length) - at));
    const begun = performance.now();
    if (!decode(loaded, part)) return false;
    usage.prefilledTokens += part.length;
    const ms = performance.now() - begun;
    // A short batch is slower per token, so it does not set the pace.
    if (part.length >= leastBatch) loaded.pace = paceFor(part.length / Math.max(ms, 1));
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
    await hearMessages();
    if (signal.aborted) return false;
  }
  return true;
}

/**
 * Fills the cache with the longest possible beginning of the prompt without reading: from the current state, another conversation in
 * memory, or the system text on the device.
 */
async function recall(loaded: Loaded, { tokens, beginning, mostCached }: Prompt): Promise<void> {
  const { llama, cached, conversations, onDevice } = loaded;
  const isWorthIt = (count: number) => count * loaded.msPerToken > loaded.worthKeepingMs;
  const usable = (shared: number) => Math.min(shared, mostCached);
  const held = usable(sharedTokens(cached, tokens));
  const other = conversations.find(tokens);
  const shared = usable(other?.shared ?? 0);
  if (isWorthIt(cached.length - held)) {
    const state = llama.saveState();
    if (state) conversations.add({ tokens: [...cached], state });
  }
  const isRestored = (kept: KeptState) => {
    cached.length = 0;
    if (!llama.restoreState(kept.state)) return false;
    cached.push(...kept.tokens);
    return true;
  };
  if (other && isWorthIt(shared - held) && isRestored(other.kept)) {
    keep(loaded, shared);
    return;
  }
  keep(loaded, held);
  const missing = beginning - cached.length;
  if (missing < leastBatch || beginning > usable(beginning)) return;
  const state = await onDevice?.find(tokens.slice(0, beginning));
  if (state) isRestored({ tokens: tokens.slice(0, beginning), state });
}

/** Tokens of the next batch: all that are left, if the batch after this one would be short. */
function batchSize({ pace, llama }: Loaded, left: number): number {
  return Math.min(left <= 1.5 * pace ? left : pace, llama.batchTokens);
}

function paceFor(tokensPerMs: number): number {
  const batches = Math.floor((batchMs * tokensPerMs) / leastBatch);
  return Math.min(Math.max(1, batches) * leastBatch, batchTokens);
}

/** Drops all tokens after the first `count`, or all tokens if the model cannot drop some. */
function keep({ llama, cached }: Loaded, count: number): void {
  if (count >= cached.length) return;
  cached.length = llama.keep(count) ? count : 0;
}

/** A shorter batch is too small to compare thread counts by. */
const minTimedBatch = 16;

/** False if it was stopped. Then the cache is unchanged. */
function decode(loaded: Loaded, tokens: readonly number[]): boolean {
  const { llama, cached, writing, reading } = loaded;
  llama.setThreads({ writing: writing.threads, reading: reading.threads });
  const begun = performance.now();
  if (llama.decode(tokens)) {
    cached.push(...tokens);
    const msPerToken = (performance.now() - begun) / tokens.length;
    if (tokens.length === 1) writing.add(msPerToken);
    else if (tokens.length >= minTimedBatch) reading.add(msPerToken);
    return true;
  }
  if (!llama.keep(cached.length)) cached.length = 0;
  return false;
}

/** Lets the worker receive the messages that came while llama.cpp ran. */
function hearMessages(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Ends a text before the first of `stops`. It holds back a possible beginning of one. */
export function createStopper(stops: readonly string[]) {
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
    /** The held-back rest that belongs to the text. */
    end(): string {
      const rest = held;
      held = '';
      return rest;
    },
  };
}
