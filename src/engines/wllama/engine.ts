/** wllama: a published build of llama.cpp, for GGUF files on the graphics chip. Its bugs: docs/decisions/2026-11-21-wllama.md. */
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
import { createLlama } from '../llama/engine';
import { createTokenCounter } from '../gguf/token-counter';
import { wllamaWasm } from './wasm';

interface Loaded {
  wllama: Wllama;
  template: ChatTemplate;
  /** Settles when llama.cpp has ended a reply that was stopped or abandoned: a second one at the same time would wait forever. */
  ending: Promise<void>;
  /** The instance is dead after such an error; only a new worker helps. */
  isDeadly: (error: unknown) => boolean;
}

/** If the graphics chip fails or is slower than one core would be, the model runs on the processor. */
export function createWllama(): TextEngine {
  let engine: TextEngine | undefined;
  const whenLoaded = () => {
    if (!engine) throw new AppError('engine-crashed', 'No model is loaded.');
    return engine;
  };
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
        engine = createLlama();
        await engine.load(model, options);
      }
    },

    async *generate(request, signal) {
      yield* whenLoaded().generate(request, signal);
    },

    count: async (messages) => whenLoaded().count(messages),
  };
}

/** Rejects if the model cannot be loaded on the GPU, or is too slow there. */
async function loadOnGpu(model: ModelSpec, options: LoadOptions): Promise<TextEngine> {
  // In parallel, because on a first visit both come from the network.
  const [library, file] = await Promise.all([fetchLibrary(), readFiles(model, options)]);
  const { header } = await readGguf(file);
  options.onProgress({ step: 'start', loadedBytes: 0, totalBytes: 0 });
  const wllama = await start(library, file, model, options.signal);
  const msPerToken = await timeToken(wllama, model, options.signal);
  if (isSlowerThanOneCore(msPerToken, file.size)) {
    await wllama.exit().catch(() => undefined);
    throw new AppError('gpu-unfit', `A token takes ${Math.round(msPerToken)} ms.`);
  }
  // The model may have been stored before its engine.
  void keepForOffline(wllamaWasm);
  const countTokens = createTokenCounter(header);
  const loaded: Loaded = {
    wllama,
    template: model.template,
    ending: Promise.resolve(),
    isDeadly: (error) => error instanceof library.WllamaRuntimeError,
  };
  return {
    constraints: 'grammar',
    load: () => Promise.reject(new AppError('engine-crashed', 'It is loaded.')),
    generate: (request, signal) => generate(loaded, request, signal),
    count: (messages) =>
      Promise.resolve(
        messages.map(({ role, content }) =>
          countTokens(model.template[role].before + content + model.template[role].after),
        ),
      ),
  };
}

type Library = Awaited<ReturnType<typeof fetchLibrary>>;
/** Milliseconds for a few tokens. A slower chip loses to one core. */
const maxProbeMs = 15_000;
/** Bytes of weights that a slow core reads in a second: a third of what we measured on a shared core. */
const slowBytesPerSecond = 5e8;
/** Milliseconds for a token that are fast enough for any model. */
const quickMs = 100;

/** `bytes`: size of the weights. */
export function isSlowerThanOneCore(msPerToken: number, bytes: number): boolean {
  return msPerToken > Math.max(quickMs, (1000 * bytes) / slowBytesPerSecond);
}

/** Milliseconds per token, measured over a few tokens. */
async function timeToken(wllama: Wllama, { template }: ModelSpec, signal: AbortSignal): Promise<number> {
  const prompt = renderPrompt([{ role: 'user', content: 'Hello' }], template);
  const { timings } = await wllama.createCompletion({
    ...{ prompt, max_tokens: 4, temperature: 0, grammar: anyText, timings_per_token: true },
    abortSignal: AbortSignal.any([signal, AbortSignal.timeout(maxProbeMs)]),
  });
  return timings && timings.predicted_n > 0 ? timings.predicted_ms / timings.predicted_n : 0;
}

async function start(
  { Wllama }: Library,
  file: Blob,
  model: ModelSpec,
  signal: AbortSignal,
): Promise<Wllama> {
  const complaints: string[] = [];
  const complain = (...parts: unknown[]) => void complaints.push(parts.map(String).join(' '));
  const ignore = () => undefined;
  const logger = { debug: ignore, log: ignore, warn: ignore, error: complain };
  const wllama = new Wllama({ default: wllamaWasm }, { logger });
  // In some browsers the default fetches another build from a CDN, which nobody asked for.
  wllama.setCompat(null);
  const starting = wllama.loadModel([file], {
    n_ctx: model.contextTokens,
    n_parallel: 1,
    n_threads: 1,
    // We time a few tokens right away and do not wait for a slow warm-up.
    warmup: false,
    // More layers than any model has.
    n_gpu_layers: 999,
    ...(model.sampling.seed !== undefined && { seed: model.sampling.seed }),
  });
  await settleInTime(
    () =>
      starting.catch((error: unknown) => {
        throw brokenDown(error);
      }),
    signal,
  );
  // wllama *resolves* for a file that is too large or not a model. Only its log says so.
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

/** Also reads the engine's own file, although wllama fetches it from the cache again: a missing file would hang it forever. */
async function readFiles(model: ModelSpec, options: LoadOptions): Promise<Blob> {
  const checking = checkOwnFile(wllamaWasm, { signal: options.signal, magic: '\0asm' });
  const [file] = await Promise.all([readWeights(model, options), checking]);
  return file;
}

async function* generate(
  loaded: Loaded,
  { messages, constraint, sampling, maxTokens, onlyRead }: GenerateRequest,
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
  if (isStopped() || onlyRead) {
    yield finish(onlyRead ? 'stop' : 'aborted');
    return;
  }
  await loaded.ending;
  await findInnerWorker(wllama);
  let reason: string | null = null;
  // No literal in the call, because wllama's types lack some options of llama.cpp's server.
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
    // Invalid UTF-8 crashes the engine, and small models write some now and then. The grammar costs nothing measurable.
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

/** Leaving wllama's iterator early would keep llama.cpp running. It throws once it sees the signal. */
async function readToEnd(chunks: AsyncIterator<unknown>): Promise<void> {
  try {
    while (!(await chunks.next()).done);
  } catch {
    // Aborted, as requested.
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
