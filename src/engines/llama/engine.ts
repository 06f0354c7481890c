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
  TextDelta,
  TextEngine,
  Usage,
} from '../../contracts/model';
import { renderPrompt } from '../gguf/render-prompt';
import { settleInTime } from '../gguf/settle-in-time';
import { type Chooser, createLlamaChooser, createOwnChooser, readVocabulary } from './choose-token';
import { batchTokens, type Llama, loadLlama } from './llama';
import { fetchProgram, keepProgram } from './program';
import { createThreadTuner, type ThreadTuner } from './thread-tuner';
import { openWeights } from './weights';

export { createLlamaEmbedder } from './embedder';

interface Loaded {
  llama: Llama;
  template: ChatTemplate;
  /** Chooses the tokens of one reply. */
  beginReply: (request: GenerateRequest) => Chooser;
  /** Texts that end a reply and are no tokens of this model. */
  stopTexts: readonly string[];
  /** The tokens in the cache, in their order. */
  cached: number[];
  /** Tokens that are read at once: as many as take `maxBatchMs`. */
  pace: number;
  writing: ThreadTuner;
  reading: ThreadTuner;
}

/** Milliseconds for which the worker hears no Stop. */
const maxBatchMs = 120;
/** Milliseconds of writing after which we look whether Stop was pressed. */
const maxWritingMs = 12;
const firstPace = 16;

export function createLlama(): TextEngine {
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
      loaded = wrap(llama, model, maxThreads);
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

function wrap(llama: Llama, { template, isSmall }: ModelSpec, maxThreads: number): Loaded {
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
  const writing = createThreadTuner(maxThreads);
  const reading = createThreadTuner(maxThreads);
  return { llama, template, beginReply, stopTexts, cached: [], pace: firstPace, writing, reading };
}

async function* generate(
  loaded: Loaded,
  request: GenerateRequest,
  signal: AbortSignal,
): AsyncGenerator<TextDelta> {
  const prompt = renderPrompt(request.messages, loaded.template);
  const usage: Usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
  let finishReason: 'stop' | 'length' | 'aborted' = 'aborted';
  if (!signal.aborted) {
    try {
      finishReason = yield* write(loaded, prompt, request, usage, signal);
    } catch (error) {
      if (error instanceof AppError) throw error;
      // A trap leaves the program in a state that nobody knows.
      throw new AppError('engine-crashed', String(error), { cause: error });
    }
  }
  yield { type: 'finish', finishReason, usage, prompt };
}

/** Fills `usage` on the way. */
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
  if (!(yield* read(loaded, tokens, usage, signal))) return 'aborted';

  const chooser = loaded.beginReply(request);
  const decoder = new TextDecoder();
  const stopper = createStopper(loaded.stopTexts);
  const maxTokens = Math.min(request.maxTokens, llama.contextTokens - tokens.length);
  let first: number | undefined;
  let heardAt = performance.now();
  /** Of tokens whose text has not been sent yet, too. */
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
    if (usage.outputTokens >= maxTokens) return 'length';
    if (performance.now() - heardAt > maxWritingMs) {
      await hearMessages();
      heardAt = performance.now();
    }
    // While the text was on its way, or while we listened.
    if (isAborted(signal)) return 'aborted';
    if (!decode(loaded, [choice.token])) return 'aborted';
  }
  const held = stopper.end();
  if (held !== '') yield { type: 'text-delta', text: held };
  return 'stop';
}

/** Another look, which the compiler takes for the same. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Reads what of the prompt is not in the cache yet. False where it was stopped. */
async function* read(
  loaded: Loaded,
  tokens: readonly number[],
  usage: Usage,
  signal: AbortSignal,
): AsyncGenerator<TextDelta, boolean> {
  const { cached } = loaded;
  const started = performance.now();
  const other = tokens.findIndex((token, index) => token !== cached[index]);
  // The last token is always read: the reply follows from what it gives.
  keep(loaded, Math.min(other === -1 ? tokens.length : other, tokens.length - 1));
  const total = tokens.length - cached.length;
  for (let at = cached.length; at < tokens.length; at = cached.length) {
    const part = tokens.slice(at, at + loaded.pace);
    const begun = performance.now();
    if (!decode(loaded, part)) return false;
    usage.prefilledTokens += part.length;
    const ms = performance.now() - begun;
    const wanted = Math.round((part.length * maxBatchMs) / Math.max(ms, 1));
    // A short last part says little about the speed of a long one.
    if (part.length === loaded.pace)
      loaded.pace = Math.min(Math.max(4, wanted), 2 * loaded.pace, batchTokens);
    if (cached.length < tokens.length) {
      const readTokens = usage.prefilledTokens;
      const msPerToken = (performance.now() - started) / readTokens;
      const remainingMs = Math.round(msPerToken * (total - readTokens));
      yield { type: 'prompt-progress', readTokens, totalTokens: total, remainingMs };
    }
    await hearMessages();
    if (signal.aborted) return false;
  }
  return true;
}

/** Forgets all but the first `count` tokens, or all where the model can only do that. */
function keep({ llama, cached }: Loaded, count: number): void {
  if (count >= cached.length) return;
  cached.length = llama.keep(count) ? count : 0;
}

/** Shorter batches say little about how well threads share a long one. */
const minTimedBatch = 16;

/** False where it was stopped: then the cache is as before. */
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

/** Lets the messages in that came while llama.cpp ran. */
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

/** Ends a text before the first of `stops`; holds back what may be the beginning of one. */
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
    /** What was held back and is part of the text after all. */
    end(): string {
      const rest = held;
      held = '';
      return rest;
    },
  };
}
