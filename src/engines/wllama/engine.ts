/** llama.cpp as WebAssembly: on one core, or on several, or on the graphics chip. What it does where it errs: facts in docs/decisions/2026-11-21-wllama.md. */
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
import { checkOwnFile, keepForOffline } from '../../egress/own-files';
import { brokenDown, faultIn } from '../gguf/errors';
import { findInnerWorker } from '../gguf/inner-worker';
import { readGguf } from '../gguf/header';
import { readWeights } from '../gguf/read-weights';
import { renderPrompt } from '../gguf/render-prompt';
import { settleInTime } from '../gguf/settle-in-time';
import { anyText } from '../gguf/sampler';
import { createTokenCounter, type TokenCounter } from '../gguf/token-counter';
import { isSlowerThanOne } from './threads';
import { wllamaWasm } from './wasm';

interface Loaded {
  wllama: Wllama;
  template: ChatTemplate;
  countTokens: TokenCounter;
  /** Of a reply that was stopped or left: llama.cpp is at work on it until then, and a second one beside it would wait for ever. */
  ending: Promise<void>;
  /** The instance is dead after such an error; only a new worker helps. */
  isDeadly: (error: unknown) => boolean;
}

export function createWllama(): TextEngine {
  let loaded: Loaded | undefined;
  const whenLoaded = () => {
    if (!loaded) throw new AppError('engine-crashed', 'No model is loaded.');
    return loaded;
  };
  return {
    constraints: 'grammar',

    async load(model, options) {
      if (!('Suspending' in WebAssembly)) {
        throw new AppError('browser-too-old', 'WebAssembly JSPI is missing.');
      }
      // Side by side: on a fresh visit each comes from the network.
      const [library, file] = await Promise.all([fetchLibrary(), readFiles(model, options)]);
      const { header } = await readGguf(file);
      options.onProgress({ step: 'start', loadedBytes: 0, totalBytes: 0 });
      const wllama = await startBest(library, file, model, options.signal);
      // Kept with the model when that came; but this one may have come before that was so.
      void keepForOffline(wllamaWasm);
      loaded = {
        wllama,
        template: model.template,
        countTokens: createTokenCounter(header),
        ending: Promise.resolve(),
        isDeadly: (error) => error instanceof library.WllamaRuntimeError,
      };
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

type Library = Awaited<ReturnType<typeof fetchLibrary>>;
type Hardware = NonNullable<ModelSpec['hardware']>;
/** Milliseconds for a few tokens; what takes longer is slower than one core. */
const mostProbeMs = 15_000;
const oneCore: Hardware = { threads: 1, isOnGpu: false };

/** On what was wished for, where that works and is no slower than one core; else on one. */
async function startBest(library: Library, file: Blob, model: ModelSpec, signal: AbortSignal) {
  const { hardware = oneCore } = model;
  const wished = { library, file, model, signal };
  if (hardware.threads === 1 && !hardware.isOnGpu) return start({ ...wished, hardware });
  let wllama: Wllama | undefined;
  try {
    wllama = await start({ ...wished, hardware });
    const msPerToken = await timeToken(wllama, model, signal);
    if (!isSlowerThanOne(msPerToken, file.size)) return wllama;
  } catch {
    signal.throwIfAborted();
  }
  await wllama?.exit().catch(() => undefined);
  return start({ ...wished, hardware: oneCore });
}

/** Milliseconds, over a few tokens. */
async function timeToken(wllama: Wllama, { template }: ModelSpec, signal: AbortSignal): Promise<number> {
  const prompt = renderPrompt([{ role: 'user', content: 'Hello' }], template);
  const { timings } = await wllama.createCompletion({
    ...{ prompt, max_tokens: 4, temperature: 0, grammar: anyText, timings_per_token: true },
    abortSignal: AbortSignal.any([signal, AbortSignal.timeout(mostProbeMs)]),
  });
  return timings && timings.predicted_n > 0 ? timings.predicted_ms / timings.predicted_n : 0;
}

interface Starting {
  library: Library;
  file: Blob;
  model: ModelSpec;
  hardware: Hardware;
  signal: AbortSignal;
}

async function start({ library, file, model, hardware, signal }: Starting): Promise<Wllama> {
  const { Wllama } = library;
  const complaints: string[] = [];
  const complain = (...parts: unknown[]) => void complaints.push(parts.map(String).join(' '));
  const ignore = () => undefined;
  const logger = { debug: ignore, log: ignore, warn: ignore, error: complain };
  const wllama = new Wllama({ default: wllamaWasm }, { logger });
  // The default fetches another build from a CDN in some browsers: a request nobody asked for.
  wllama.setCompat(null);
  const starting = wllama.loadModel([file], {
    n_ctx: model.contextTokens,
    n_parallel: 1,
    n_threads: hardware.threads,
    // What it is to warm up is measured right after: where that is slow, it is not waited for.
    warmup: hardware.threads === 1 && !hardware.isOnGpu,
    // More than any model has.
    n_gpu_layers: hardware.isOnGpu ? 999 : 0,
    ...(model.sampling.seed !== undefined && { seed: model.sampling.seed }),
  });
  await settleInTime(
    () =>
      starting.catch((error: unknown) => {
        throw brokenDown(error);
      }),
    signal,
  );
  // A file that is no model, or too large, *resolves*; only the log says so.
  const fault = faultIn(complaints);
  if (fault) throw fault;
  return wllama;
}

async function fetchLibrary() {
  try {
    return await import('@wllama/wllama/esm/index.js');
  } catch (error) {
    throw new AppError('model-unreachable', `The engine could not be fetched: ${writeError(error)}`, {
      cause: error,
    });
  }
}

/** The engine's own file is read too, although wllama fetches it again from the cache: a missing one would hang it for ever. */
async function readFiles(model: ModelSpec, options: LoadOptions): Promise<Blob> {
  const checking = checkOwnFile(wllamaWasm, { signal: options.signal, magic: '\0asm' });
  const [file] = await Promise.all([readWeights(model, options), checking]);
  return file;
}

async function* generate(
  loaded: Loaded,
  { messages, constraint, sampling, maxTokens }: GenerateRequest,
  signal: AbortSignal,
): AsyncGenerator<TextDelta> {
  const { wllama, template, isDeadly } = loaded;
  const prompt = renderPrompt(messages, template);
  let usage: Usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
  const finish = (finishReason: 'stop' | 'length' | 'aborted'): TextDelta => ({
    type: 'finish',
    finishReason,
    usage,
    prompt,
  });
  const isStopped = () => signal.aborted;
  if (isStopped()) {
    yield finish('aborted');
    return;
  }
  await loaded.ending;
  await findInnerWorker(wllama);
  let reason: string | null = null;
  // Not all of what llama.cpp's server understands is in wllama's types: hence no literal in the call.
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
    // Bytes that are no UTF-8 end in an exception of the engine, and a small model writes such now and then. Costs nothing measurable.
    grammar: constraint?.grammar ?? anyText,
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
      if (isDeadly(error)) throw brokenDown(error);
      const errorMessage = writeError(error);
      yield { type: 'finish', finishReason: 'error', errorMessage, usage, prompt };
      return;
    }
  } finally {
    leaving.abort();
    if (!isOver) loaded.ending = readToEnd(chunks);
  }
  if (isStopped()) yield finish('aborted');
  else yield finish(reason === 'length' ? 'length' : 'stop');
}

/** Returning early from wllama's iterator would leave llama.cpp at work; it ends, by an exception, once it sees the signal. */
async function readToEnd(chunks: AsyncIterator<unknown>): Promise<void> {
  try {
    while (!(await chunks.next()).done);
  } catch {
    // As asked.
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
