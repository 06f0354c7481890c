/** WebLLM: models compiled for WebGPU. What it really does is in docs/decisions/2026-11-21-web-llm.md. */
import {
  type ChatCompletionChunk,
  type ChatCompletionRequestStreaming,
  MLCEngine,
  type MLCEngineConfig,
} from '@mlc-ai/web-llm';
import { AppError, writeError } from '../../contracts/app-error';
import type {
  ChatTemplate,
  GenerateRequest,
  LoadOptions,
  MlcRecord,
  ModelSpec,
  PrefillReason,
  PromptMessage,
  TextDelta,
  TextEngine,
  Usage,
} from '../../contracts/model';
import { keepForOffline } from '../../egress/own-files';
import { type DeviceFacts, probeGpu } from '../../platform/webgpu';
import { createPrefillCheck, type PrefillCheck } from './prefill-check';
import { testModel } from './self-test';
import { overridesOf, rendererOf, replyHeaderOf, type WebLlmMessage } from './conversation';
import { generateFailure, isRefusal, loadFailure } from './errors';
import { folderOf, libraryKeyOf, missingFilesOf } from './files';
import { findTokenizer } from './tokenizer';

/** The methods of `MLCEngine` that are used. */
export interface WebLlmBackend {
  reload(modelId: string): Promise<void>;
  chatCompletion(request: ChatCompletionRequestStreaming): Promise<AsyncIterable<ChatCompletionChunk>>;
  interruptGenerate(): Promise<void>;
  getMessage(): Promise<string>;
  unload(): Promise<void>;
}

export interface WebLlmOptions {
  createBackend: (config: MLCEngineConfig) => WebLlmBackend;
  storage: CacheStorage;
  /** Keeps the engine itself for offline use. */
  keep: () => Promise<void>;
  /** Asked when a load has failed: what the GPU lacks says more than what came of it. */
  probe: () => Promise<DeviceFacts['gpu']>;
  /** So long a load may be silent, in milliseconds. */
  silentMs: number;
}

interface Loaded {
  backend: WebLlmBackend;
  render: (messages: readonly PromptMessage[]) => WebLlmMessage[];
  /** Tokens of a text; undefined where the engine does not show its tokenizer. */
  tokensOf: ((text: string) => number) | undefined;
  template: ChatTemplate;
  /** What the model's own conversation puts before a reply, where it brings one along. */
  replyHeader: string | undefined;
  check: PrefillCheck;
}

export function createWebLlm(changes: Partial<WebLlmOptions> = {}): TextEngine {
  const options: WebLlmOptions = {
    createBackend: (config) => new MLCEngine(config),
    storage: globalThis.caches,
    keep: () => keepForOffline(import.meta.url),
    probe: probeGpu,
    silentMs: 180_000,
    ...changes,
  };
  let loaded: Loaded | undefined;
  const notLoaded = () => new AppError('engine-crashed', 'No model is loaded.');

  return {
    constraints: 'structural-tag',
    get replyHeader() {
      return loaded?.replyHeader;
    },

    async load(model, loading) {
      const record = model.mlc;
      if (!record) throw new AppError('engine-crashed', `${model.id} has no record for WebLLM.`);
      loading.onProgress({ step: 'engine', loadedBytes: 0, totalBytes: model.file.bytes });
      await options.keep();
      const [missing, ...more] = await missingFilesOf(record, options.storage);
      if (missing !== undefined) {
        throw new AppError('model-not-downloaded', `Not in the cache: ${missing} and ${more.length} more.`);
      }
      const backend = await start(options, model, record, loading);
      const started: Loaded = {
        backend,
        render: rendererOf(model, record),
        tokensOf: findTokenizer(backend, model.id),
        template: model.template,
        replyHeader: replyHeaderOf(record),
        check: createPrefillCheck(),
      };
      await testModel((...request) => generate(started, ...request), model.isOwn === true);
      // The self-test has filled the cache with a text that belongs to no chat.
      loaded = { ...started, check: createPrefillCheck() };
      watchForLoss(backend, loading.onLost);
    },

    async *generate(request, signal) {
      if (!loaded) throw notLoaded();
      yield* generate(loaded, request, signal);
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- what it throws is to be a rejection.
    async count(messages) {
      if (!loaded) throw notLoaded();
      const { tokensOf = guessTokens, template } = loaded;
      try {
        return messages.map(({ role, content }) => {
          const { before, after } = template[role];
          return tokensOf(before + content + after);
        });
      } catch (error) {
        // The tokenizer goes with the device.
        throw generateFailure(error);
      }
    },
  };
}

/** web-llm drops all it has when its device is lost, and tells nobody: nobody else asks it to once a model is loaded. */
function watchForLoss(backend: WebLlmBackend, onLost: LoadOptions['onLost']): void {
  const unload = backend.unload.bind(backend);
  backend.unload = () => {
    onLost?.(new AppError('gpu-lost', 'The device was lost.'));
    return unload();
  };
}

async function start(
  { createBackend, probe, silentMs }: WebLlmOptions,
  model: ModelSpec,
  record: MlcRecord,
  { signal, onProgress }: LoadOptions,
): Promise<WebLlmBackend> {
  const totalBytes = model.file.bytes;
  let beat = () => {};
  const backend = createBackend({
    appConfig: {
      model_list: [
        {
          model: folderOf(record),
          model_id: model.id,
          model_lib: libraryKeyOf(record),
          overrides: overridesOf(model, record),
        },
      ],
      cacheBackend: 'cache',
    },
    logLevel: 'SILENT',
    initProgressCallback: ({ progress, text }) => {
      beat();
      const isWeights = progress < 1 && !/shader/i.test(text);
      const loadedBytes = Math.round((Number.isFinite(progress) ? progress : 0) * totalBytes);
      onProgress(
        isWeights
          ? { step: 'weights', loadedBytes, totalBytes }
          : { step: 'start', loadedBytes: 0, totalBytes: 0 },
      );
    },
  });
  await new Promise<void>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    beat = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reject(new AppError('engine-timeout', `The load was silent for ${silentMs / 1000} s.`));
      }, silentMs);
    };
    beat();
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    void backend
      .reload(model.id)
      .then(resolve, async (error: unknown) => reject(loadFailure(error, model.id, await probe())))
      .finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      });
  });
  return backend;
}

async function* generate(
  { backend, render, tokensOf, check }: Loaded,
  { messages, constraint, sampling, maxTokens }: GenerateRequest,
  signal: AbortSignal,
): AsyncGenerator<TextDelta> {
  const rendered = render(messages);
  const prompt = rendered.map(({ content }) => content).join('');
  const { isFirst, reason } = check.judge(rendered);
  let usage: Usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
  /** Tokens of the last message, the only one that should have to be prefilled. */
  let fresh: number | undefined;
  let text = '';
  let endedBy: 'stop' | 'length' | 'aborted' = 'aborted';
  const isStopped = () => signal.aborted;
  // Asked before a reply begins, it would be forgotten: so it is asked again with every token.
  const interrupt = () => void backend.interruptGenerate();
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    const all = rendered.map(({ content }) => tokensOf?.(content) ?? guessTokens(content));
    fresh = all.at(-1) ?? 0;
    usage.promptTokens = all.reduce((sum, tokens) => sum + tokens, 0);
    if (isStopped()) {
      yield { type: 'finish', finishReason: 'aborted', usage, prompt };
      return;
    }
    const stream = await backend.chatCompletion({
      // Empty texts are legal; a message of the assistant is what it wrote, to the character.
      messages: rendered,
      stream: true,
      stream_options: { include_usage: true },
      temperature: sampling.temperature,
      max_tokens: Math.max(1, maxTokens),
      ...(sampling.topP !== undefined && { top_p: sampling.topP }),
      ...(sampling.seed !== undefined && { seed: sampling.seed }),
      ...(constraint && {
        response_format: { type: 'structural_tag', structural_tag: { ...constraint.structuralTag } },
      }),
    });
    for await (const { choices, usage: counted } of stream) {
      if (counted) usage = usageOf(counted, usage.promptTokens);
      const [choice] = choices;
      const delta = choice?.delta.content ?? '';
      // WebLLM sends one more piece when it is stopped during prefill; it is dropped.
      if (delta !== '' && !isStopped()) {
        text += delta;
        yield { type: 'text-delta', text: delta };
      }
      if (choice?.finish_reason) endedBy = endOf(choice.finish_reason);
      if (isStopped()) interrupt();
    }
    // Half a character at the end is held back by the stream, and is in what the engine holds.
    const held = await backend.getMessage();
    if (!isStopped() && held.length > text.length && held.startsWith(text)) {
      yield { type: 'text-delta', text: held.slice(text.length) };
    }
    check.hold(rendered, held, endedBy);
  } catch (error) {
    if (!isRefusal(error)) throw generateFailure(error);
    yield {
      type: 'finish',
      finishReason: 'error',
      errorMessage: writeError(generateFailure(error)),
      usage,
      prompt,
    };
    return;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
  const isNew = isFirst || !tokensOf ? undefined : fresh;
  const why = reason ?? excessOf(usage.prefilledTokens, isNew);
  yield {
    type: 'finish',
    finishReason: endedBy,
    usage: { ...usage, ...(why !== undefined && { prefillReason: why }) },
    prompt,
  };
}

/** The engine took its prompt for another one than it should have. */
function excessOf(prefilled: number, fresh: number | undefined): PrefillReason | undefined {
  if (fresh === undefined || prefilled <= fresh) return undefined;
  return { code: 'excess', prefilled, fresh };
}

function endOf(reason: string): 'stop' | 'length' | 'aborted' {
  if (reason === 'length') return 'length';
  return reason === 'abort' ? 'aborted' : 'stop';
}

function usageOf(
  { prompt_tokens: prefilled, completion_tokens: written, extra }: NonNullable<ChatCompletionChunk['usage']>,
  promptTokens: number,
): Usage {
  const firstTokenMs = extra.time_to_first_token_s * 1000;
  return {
    promptTokens: Math.max(promptTokens, prefilled),
    prefilledTokens: prefilled,
    // It counts the token that ends the reply.
    outputTokens: written,
    firstTokenMs,
    decodeMs: Math.max(0, extra.e2e_latency_s * 1000 - firstTokenMs),
  };
}

/** Three bytes a token: more than nearly every text takes. */
function guessTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}
