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
import { testModel } from './self-test';
import { overridesOf, rendererOf, replyHeaderOf, type WebLlmMessage } from './conversation';
import { folderOf, libraryKeyOf, missingFilesOf } from './files';
import type { ErrorCode } from '../../contracts/error-code';
import { isOutOfMemory } from '../out-of-memory';

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

/** Refused before anything ran; the engine goes on. Any other error while it generates leaves it dead. */
const refusals = new Set([
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

function isRefusal(error: unknown): boolean {
  return error instanceof Error && (refusals.has(error.name) || refusals.has(error.constructor.name));
}

function generateFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const detail = said(error);
  if (/ContextWindowSizeExceeded/.test(detail)) return new AppError('message-too-long', detail);
  if (isOutOfMemory(detail)) return new AppError('out-of-memory', detail, { cause: error });
  // Errors after a lost device: disposed arrays and modules, a deleted tokenizer, no model at all.
  const isLost =
    /device (?:was |is )?lost|DeviceLost|mapAsync|already been disposed|deleted object|already deleted|ModelNotLoaded/i.test(
      detail,
    );
  return new AppError(isLost ? 'gpu-lost' : 'engine-crashed', detail, { cause: error });
}

/** By the first that fits; a bare string is what a load that was broken off rejects with. */
const loadCodes: readonly (readonly [RegExp, ErrorCode])[] = [
  [/unload\(\) is called|AbortError/, 'load-cancelled'],
  [/compatible GPU|WebGPUNotAvailable|WebGPUNotFound|navigator\.gpu/i, 'gpu-missing'],
  [
    /shader-f16|ShaderF16|FeatureSupport|maxComputeWorkgroupStorageSize|maxStorageBuffer|requiredLimits/i,
    'gpu-unfit',
  ],
  // Lost while it loads, it was too large: web-llm's own words for it say so.
  [/DeviceLost|device (?:was |is )?lost/i, 'out-of-memory'],
  [/LinkError|CompileError|WebAssembly|wasm|import object/i, 'library-unusable'],
  [/IntegrityError|JSON|Tokenizer|tensor|param/i, 'model-damaged'],
  [/Failed to (?:execute 'add'|fetch)|Cannot fetch|NetworkError|Content Security/i, 'model-not-downloaded'],
];

/** A record's own flag for 16-bit numbers is unreliable: its id says what it was compiled for. */
function loadFailure(error: unknown, modelId: string, gpu: DeviceFacts['gpu']): AppError {
  if (error instanceof AppError) return error;
  const detail = said(error);
  if (isOutOfMemory(detail)) return new AppError('out-of-memory', detail, { cause: error });
  const code = loadCodes.find(([pattern]) => pattern.test(detail))?.[1];
  const lacking =
    typeof gpu !== 'object'
      ? 'gpu-missing'
      : !gpu.hasF16 && /q\d+f16/.test(modelId)
        ? 'gpu-unfit'
        : undefined;
  return new AppError(code ?? lacking ?? 'engine-crashed', detail, { cause: error });
}

/** Its class says more than its message. */
function said(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : writeError(error);
}

interface Tokenizer {
  encode(text: string): { length: number };
}

/** Undefined where it is not found: a newer web-llm may keep it elsewhere. */
function findTokenizer(backend: object, modelId: string): ((text: string) => number) | undefined {
  const pipelines: unknown =
    'loadedModelIdToPipeline' in backend ? backend.loadedModelIdToPipeline : undefined;
  const pipeline: unknown = pipelines instanceof Map ? pipelines.get(modelId) : undefined;
  if (typeof pipeline !== 'object' || pipeline === null || !('tokenizer' in pipeline)) return undefined;
  const { tokenizer } = pipeline;
  return isTokenizer(tokenizer) ? (text) => tokenizer.encode(text).length : undefined;
}

function isTokenizer(value: unknown): value is Tokenizer {
  return (
    typeof value === 'object' && value !== null && 'encode' in value && typeof value.encode === 'function'
  );
}

interface Held {
  messages: readonly SaidMessage[];
  endedBy: 'stop' | 'length' | 'aborted';
}

interface SaidMessage {
  role: string;
  content: string;
}

interface PrefillCheck {
  /** Why the request will be prefilled anew; without a reason only its last message will, or all of it is new. */
  judge(messages: readonly SaidMessage[]): { isFirst: boolean; reason?: PrefillReason };
  /** Takes note of what the engine holds after a reply. */
  hold(messages: readonly SaidMessage[], reply: string, endedBy: Held['endedBy']): void;
}

export function createPrefillCheck(): PrefillCheck {
  let held: Held | undefined;
  return {
    judge(messages) {
      if (!held) {
        const hasHistory = messages.some(({ role }) => role === 'assistant');
        return { isFirst: true, ...(hasHistory && { reason: { code: 'loaded' } }) };
      }
      const reason = differenceOf(held, messages);
      return { isFirst: false, ...(reason !== undefined && { reason }) };
    },
    hold(messages, reply, endedBy) {
      held = { messages: [...messages, { role: 'assistant', content: reply }], endedBy };
    },
  };
}

function differenceOf(
  { messages: held, endedBy }: Held,
  asked: readonly SaidMessage[],
): PrefillReason | undefined {
  if (isWithoutStart(held, asked)) return { code: 'start-dropped' };
  if (isOther(held, asked)) return { code: 'other-chat' };
  if (endedBy === 'aborted') return { code: 'stopped' };
  if (endedBy === 'length') return { code: 'cut-off' };
  const at = held.findIndex((message, index) => !isSame(message, asked[index]));
  if (at === 0 && held[0]?.role === 'system') return { code: 'system' };
  if (at >= 0) return { code: 'history', message: at + 1, of: held.length };
  const messages = asked.length - held.length;
  return messages === 1 ? undefined : { code: 'several-new', messages };
}

/** A chat is known by its first question, behind which a reply that goes on may stand. */
function isOther(held: readonly SaidMessage[], asked: readonly SaidMessage[]): boolean {
  const first = (messages: readonly SaidMessage[]) =>
    messages.find(({ role }) => role !== 'system')?.content ?? '';
  return !first(held).startsWith(first(asked)) && !first(asked).startsWith(first(held));
}

/** Whether the request begins in the middle of what the engine holds: the oldest turns were dropped. */
function isWithoutStart(held: readonly SaidMessage[], asked: readonly SaidMessage[]): boolean {
  const from = asked.findIndex(({ role }) => role !== 'system');
  const first = asked[from];
  if (!first) return false;
  return held.some(({ content }, at) => {
    // In the middle of a chat a message begins with what ends the reply before it.
    if (at <= from || !content.endsWith(first.content)) return false;
    return held.slice(at + 1).every((message, index) => isSame(message, asked[from + 1 + index]));
  });
}

function isSame(one: SaidMessage, other: SaidMessage | undefined): boolean {
  return one.role === other?.role && one.content === other.content;
}
