/** Runs models compiled for WebGPU with WebLLM. How WebLLM really behaves: docs/decisions/2026-11-21-web-llm.md. */
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
import { isRecord } from '../../contracts/schema';
import { cacheForOffline } from '../../egress/own-files';
import { type DeviceFacts, probeGpu } from '../../platform/webgpu';
import { testModel } from './self-test';
import { overridesOf, rendererOf, replyHeaderOf, type WebLlmMessage } from './conversation';
import { folderOf, libraryKeyOf, findMissingFiles, recordOf } from './files';
import type { ErrorCode } from '../../contracts/error-code';
import { guessTokens, isOutOfMemory, requireLoaded } from '../engine';
import { renderMessages, settleInTime } from '../engine-parts';

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
  keep: () => Promise<void>;
  /** Called after a failed load, because the GPU's limits explain more than the error. */
  probe: () => Promise<DeviceFacts['gpu']>;
  silentMs: number;
}

interface LoadedModel {
  backend: WebLlmBackend;
  render: (messages: readonly PromptMessage[]) => WebLlmMessage[];
  tokensOf: ((text: string) => number) | undefined;
  template: ChatTemplate;
  replyHeader: string | undefined;
  check: PrefillCheck;
}

export function createWebLlm(changes: Partial<WebLlmOptions> = {}): TextEngine {
  const options: WebLlmOptions = {
    createBackend: (config) => new MLCEngine(config),
    storage: globalThis.caches,
    keep: () => cacheForOffline(import.meta.url),
    probe: probeGpu,
    silentMs: 180_000,
    ...changes,
  };
  let loaded: LoadedModel | undefined;

  return {
    constraints: 'structural-tag',
    get replyHeader() {
      return loaded?.replyHeader;
    },

    async load(model, loading) {
      const record = recordOf(model);
      loading.onProgress({ step: 'engine', loadedBytes: 0, totalBytes: model.file.bytes });
      await options.keep();
      const [missing, ...more] = await findMissingFiles(record, options.storage);
      if (missing !== undefined) {
        throw new AppError('model-not-downloaded', `Not in the cache: ${missing} and ${more.length} more.`);
      }
      const backend = await startModel(options, model, record, loading);
      const started: LoadedModel = {
        backend,
        render: rendererOf(model, record),
        tokensOf: findTokenizer(backend, model.id),
        template: model.template,
        replyHeader: replyHeaderOf(record),
        check: createPrefillCheck(),
      };
      await testModel((...request) => generateReply(started, ...request), model.isOwn === true);
      // Start a new check. The old one remembers the self-test's messages and would treat them as an earlier chat.
      loaded = { ...started, check: createPrefillCheck() };
      watchForLoss(backend, loading.onLost);
    },

    async *generate(request, signal) {
      yield* generateReply(requireLoaded(loaded), request, signal);
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- an error must become a rejection.
    async count(messages) {
      const { tokensOf = guessTokens, template } = requireLoaded(loaded);
      try {
        return messages.map((message) => tokensOf(renderMessages([message], template)));
      } catch (error) {
        throw toGenerateError(error);
      }
    },
  };
}

/** Watches for a lost GPU device, because web-llm then unloads everything without an error. */
function watchForLoss(backend: WebLlmBackend, onLost: LoadOptions['onLost']): void {
  const unload = backend.unload.bind(backend);
  backend.unload = () => {
    onLost?.(new AppError('gpu-lost', 'The device was lost.'));
    return unload();
  };
}

async function startModel(
  { createBackend, probe, silentMs }: WebLlmOptions,
  model: ModelSpec,
  record: MlcRecord,
  { signal, onProgress }: LoadOptions,
): Promise<WebLlmBackend> {
  const totalBytes = model.file.bytes;
  let restartTimeout = () => {};
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
      restartTimeout();
      const isWeights = progress < 1 && !/shader/i.test(text);
      const loadedBytes = Math.round((Number.isFinite(progress) ? progress : 0) * totalBytes);
      onProgress(
        isWeights
          ? { step: 'weights', loadedBytes, totalBytes }
          : { step: 'start', loadedBytes: 0, totalBytes: 0 },
      );
    },
  });
  await settleInTime(
    async (restart) => {
      restartTimeout = restart;
      await backend.reload(model.id).catch(async (error: unknown) => {
        throw toLoadError(error, model.id, await probe());
      });
    },
    signal,
    silentMs,
    `The load was silent for ${silentMs / 1000} s.`,
  );
  return backend;
}

async function* generateReply(
  { backend, render, tokensOf, check }: LoadedModel,
  { messages, constraint, sampling, maxTokens }: GenerateRequest,
  signal: AbortSignal,
): AsyncGenerator<TextDelta> {
  const rendered = render(messages);
  const prompt = rendered.map(({ content }) => content).join('');
  const { isFirst, reason } = check.judge(rendered);
  let usage: Usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
  let fresh = 0;
  let text = '';
  let endedBy: CachedChat['endedBy'] = 'aborted';
  const isStopped = () => signal.aborted;
  // Repeat the interrupt after every token, because WebLLM ignores it before the reply starts.
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
      // Send a reply exactly as the model wrote it, or WebLLM's cache does not match.
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
      // After a stop while reading the prompt, WebLLM still sends one piece. Drop it.
      if (delta !== '' && !isStopped()) {
        text += delta;
        yield { type: 'text-delta', text: delta };
      }
      if (choice?.finish_reason) endedBy = finishReasons[choice.finish_reason] ?? 'stop';
      if (isStopped()) interrupt();
    }
    // The stream leaves out an incomplete last character, but the engine's message contains it.
    const held = await backend.getMessage();
    if (!isStopped() && held.length > text.length && held.startsWith(text)) {
      yield { type: 'text-delta', text: held.slice(text.length) };
    }
    check.hold(rendered, held, endedBy);
  } catch (error) {
    const failure = toGenerateError(error);
    if (!isRefusedRequest(error)) throw failure;
    yield { type: 'finish', finishReason: 'error', errorMessage: writeError(failure), usage, prompt };
    return;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
  const { prefilledTokens: prefilled } = usage;
  const isExcess = !isFirst && tokensOf !== undefined && prefilled > fresh;
  const prefillReason: PrefillReason | undefined =
    reason ?? (isExcess ? { code: 'excess', prefilled, fresh } : undefined);
  if (prefillReason) usage = { ...usage, prefillReason };
  yield { type: 'finish', finishReason: endedBy, usage, prompt };
}

/** Finish reasons by WebLLM's names. All other names count as `stop`. */
const finishReasons: Readonly<Record<string, 'length' | 'aborted'>> = { length: 'length', abort: 'aborted' };

function usageOf(
  { prompt_tokens: prefilled, completion_tokens: written, extra }: NonNullable<ChatCompletionChunk['usage']>,
  promptTokens: number,
): Usage {
  const firstTokenMs = extra.time_to_first_token_s * 1000;
  return {
    promptTokens: Math.max(promptTokens, prefilled),
    prefilledTokens: prefilled,
    outputTokens: written,
    firstTokenMs,
    decodeMs: Math.max(0, extra.e2e_latency_s * 1000 - firstTokenMs),
  };
}

/** Errors that WebLLM throws before it runs anything, so it stays usable. Any other error makes it unusable. */
const refusedRequestErrors = new Set([
  'ContextWindowSizeExceededError',
  'MessageOrderError',
  'SystemMessageOrderError',
  'ContentTypeError',
  'UnsupportedRoleError',
  'UserMessageContentErrorForNonVLM',
  'InvalidResponseFormatError',
  'InvalidResponseFormatGrammarError',
  'InvalidResponseFormatStructuralTagError',
  'GrammarMatcherInitError',
  'SeedTypeError',
  'UnsupportedFieldsError',
  'InvalidStreamOptionsError',
  'MinValueError',
  'NonNegativeError',
  'DependencyError',
]);

function isRefusedRequest(error: unknown): boolean {
  return (
    error instanceof Error &&
    (refusedRequestErrors.has(error.name) || refusedRequestErrors.has(error.constructor.name))
  );
}

function toGenerateError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const detail = textOfError(error);
  if (/ContextWindowSizeExceeded/.test(detail)) return new AppError('message-too-long', detail);
  if (isOutOfMemory(detail)) return new AppError('out-of-memory', detail, { cause: error });
  // These errors follow a lost GPU device: disposed arrays or modules, a deleted tokenizer, no model.
  const isLost =
    /device (?:was |is )?lost|DeviceLost|mapAsync|already been disposed|deleted object|already deleted|ModelNotLoaded/i.test(
      detail,
    );
  return new AppError(isLost ? 'gpu-lost' : 'engine-crashed', detail, { cause: error });
}

/** Error codes by the text of WebLLM's error. The first match wins. */
const loadErrorCodes: readonly (readonly [RegExp, ErrorCode])[] = [
  [/unload\(\) is called|AbortError/, 'load-cancelled'],
  [/compatible GPU|WebGPUNotAvailable|WebGPUNotFound|navigator\.gpu/i, 'gpu-missing'],
  [
    /shader-f16|ShaderF16|FeatureSupport|maxComputeWorkgroupStorageSize|maxStorageBuffer|requiredLimits/i,
    'gpu-unfit',
  ],
  // A device is lost during a load if the model is too large, as web-llm's own message says.
  [/DeviceLost|device (?:was |is )?lost/i, 'out-of-memory'],
  [/LinkError|CompileError|WebAssembly|wasm|import object/i, 'library-unusable'],
  [/IntegrityError|JSON|Tokenizer|tensor|param/i, 'model-damaged'],
  [/Failed to (?:execute 'add'|fetch)|Cannot fetch|NetworkError|Content Security/i, 'model-not-downloaded'],
];

/** Converts an error of a load. Looks for 16-bit numbers (`f16`) in the model's id, because the flag for them in WebLLM's record is unreliable. */
function toLoadError(error: unknown, modelId: string, gpu: DeviceFacts['gpu']): AppError {
  if (error instanceof AppError) return error;
  const detail = textOfError(error);
  if (isOutOfMemory(detail)) return new AppError('out-of-memory', detail, { cause: error });
  const code = loadErrorCodes.find(([pattern]) => pattern.test(detail))?.[1];
  const lacking = typeof gpu === 'object' ? 'gpu-unfit' : 'gpu-missing';
  const isLacking = typeof gpu !== 'object' || (!gpu.hasF16 && /q\d+f16/.test(modelId));
  return new AppError(code ?? (isLacking ? lacking : 'engine-crashed'), detail, { cause: error });
}

function textOfError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : writeError(error);
}

/** Returns undefined if a newer web-llm keeps its tokenizer elsewhere. */
function findTokenizer(backend: object, modelId: string): ((text: string) => number) | undefined {
  const found: unknown = 'loadedModelIdToPipeline' in backend ? backend.loadedModelIdToPipeline : undefined;
  const pipeline: unknown = found instanceof Map ? found.get(modelId) : undefined;
  const tokenizer = isRecord(pipeline) ? pipeline['tokenizer'] : undefined;
  return isTokenizer(tokenizer) ? (text) => tokenizer.encode(text).length : undefined;
}

function isTokenizer(value: unknown): value is { encode(text: string): { length: number } } {
  return isRecord(value) && typeof value['encode'] === 'function';
}

type CachedMessage = Record<'role' | 'content', string>;

interface CachedChat {
  messages: readonly CachedMessage[];
  endedBy: 'stop' | 'length' | 'aborted';
}

type PrefillCheck = ReturnType<typeof createPrefillCheck>;

export function createPrefillCheck() {
  let held: CachedChat | undefined;
  return {
    judge(messages: readonly CachedMessage[]): { isFirst: boolean; reason?: PrefillReason } {
      if (!held) {
        const hasHistory = messages.some(({ role }) => role === 'assistant');
        return { isFirst: true, ...(hasHistory && { reason: { code: 'loaded' } }) };
      }
      const reason = findPrefillReason(held, messages);
      return { isFirst: false, ...(reason && { reason }) };
    },
    hold(messages: readonly CachedMessage[], reply: string, endedBy: CachedChat['endedBy']): void {
      held = { messages: [...messages, { role: 'assistant', content: reply }], endedBy };
    },
  };
}

function findPrefillReason(
  { messages: held, endedBy }: CachedChat,
  asked: readonly CachedMessage[],
): PrefillReason | undefined {
  if (isStartDropped(held, asked)) return { code: 'start-dropped' };
  if (isOtherChat(held, asked)) return { code: 'other-chat' };
  if (endedBy === 'aborted') return { code: 'stopped' };
  if (endedBy === 'length') return { code: 'cut-off' };
  const at = held.findIndex((message, index) => !isSameMessage(message, asked[index]));
  if (at === 0 && held[0]?.role === 'system') return { code: 'system' };
  if (at >= 0) return { code: 'history', message: at + 1, of: held.length };
  const messages = asked.length - held.length;
  return messages === 1 ? undefined : { code: 'several-new', messages };
}

/** True if the first questions differ, because a chat keeps its first question. */
function isOtherChat(held: readonly CachedMessage[], asked: readonly CachedMessage[]): boolean {
  const first = (all: readonly CachedMessage[]) => all.find(({ role }) => role !== 'system')?.content ?? '';
  return !first(held).startsWith(first(asked)) && !first(asked).startsWith(first(held));
}

function isStartDropped(held: readonly CachedMessage[], asked: readonly CachedMessage[]): boolean {
  const from = asked.findIndex(({ role }) => role !== 'system');
  const first = asked[from];
  if (!first) return false;
  return held.some(({ content }, at) => {
    // Compare only how the message ends. Its beginning may be the template's closing text of the previous reply.
    if (at <= from || !content.endsWith(first.content)) return false;
    return held.slice(at + 1).every((message, index) => isSameMessage(message, asked[from + 1 + index]));
  });
}

function isSameMessage(one: CachedMessage, other: CachedMessage | undefined): boolean {
  return one.role === other?.role && one.content === other.content;
}
