/**
 * Stands in for `MLCEngine` in tests, and in the build for end-to-end tests: all but the model and the GPU. Which conversation keeps the cache, and what is rendered of
 * it, is decided by web-llm's own code, taken from the package. What is imitated, measured on the real engine:
 *
 * - the token that ends a reply is sampled, counted and not put into the cache; so is the last of a reply that is cut off;
 * - `usage` comes in the last chunk, without choices; `prompt_tokens` are those newly prefilled;
 * - an interrupt ends the reply within a token, not a prefill; it is forgotten when the next request begins;
 * - a request longer than the context is refused before anything runs;
 * - the stream holds back what ends in half a character, and never sends it; `getMessage` has it;
 * - a lost device rejects the stream with "NDArray has already been disposed".
 */
import {
  type ChatCompletionChunk,
  type ChatCompletionRequestStreaming,
  MLCEngine,
  type MLCEngineConfig,
} from '@mlc-ai/web-llm';
import type { WebLlmBackend } from '../web-llm/engine';

export interface Said {
  text: string;
  /** Over in the middle: the device is lost. */
  isLost?: boolean;
  /** In the place of its last token. */
  end?: (() => Promise<never>) | undefined;
  /** Called before each token, to interrupt in time. */
  onToken?: (index: number) => void;
}

/** As web-llm's `LLMChatPipeline` shows itself to the code that decides about the cache. */
interface Conversation {
  reset(): void;
  appendMessage(role: string, text: string, name?: string): void;
  appendReplyHeader(role: string): void;
  finishReply(text: string): void;
  getPromptArray(): string[];
  getPromptArrayLastRound(): string[];
}

interface Pipeline {
  getConversationObject: () => Conversation;
  getFinishReason: () => string | undefined;
  resetChat: () => void;
  setConversation: (conversation: Conversation) => void;
}

type ChatConfig = Record<string, unknown> & { context_window_size: number };

interface RealDecision {
  preparePrefillInput(
    request: object,
    pipeline: Pipeline,
    config: ChatConfig,
  ): { inputStr: string; lastMsgRole: string; inputRoleStr?: string };
}

/** As the file of a Qwen model says; the record's overrides go over it. */
const chatConfig = {
  context_window_size: 32_768,
  conv_template: {
    system_template: '<|im_start|>system\n{system_message}<|im_end|>\n',
    system_message: 'You are a helpful assistant.',
    roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant' },
    role_templates: { user: '{user_message}', assistant: '{assistant_message}', tool: '{tool_message}' },
    seps: ['<|im_end|>\n'],
    role_content_sep: '\n',
    role_empty_sep: '\n',
    stop_str: [],
    stop_token_ids: [],
  },
};

type Tokenize = (text: string) => string[];

/** A token is a mark in angle brackets, or a character. */
export function tokensOf(text: string): string[] {
  return text.match(/<\|[^|>]*\|>|[\s\S]/gu) ?? [];
}

export class WebLlmStandIn implements WebLlmBackend {
  readonly requests: ChatCompletionRequestStreaming[] = [];
  /** What it will say, a request each. */
  script: (string | Said)[];
  /** What the cache of the GPU holds, as text. */
  cache: string[] = [];
  /** Where WebLLM keeps its tokenizer. */
  readonly loadedModelIdToPipeline: Map<string, unknown>;
  /** Called by `reload`; its rejection is the load's. */
  onReload: () => Promise<void> = () => Promise.resolve();

  readonly #config: MLCEngineConfig;
  readonly #real = new MLCEngine({ appConfig: { model_list: [] } }) as unknown as RealDecision;
  readonly #chatConfig: ChatConfig;
  readonly #pipeline: Pipeline;
  readonly #tokenize: Tokenize;
  #conversation: Conversation | undefined;
  #finishReason: string | undefined;
  #message = '';
  #isInterrupted = false;

  constructor(config: MLCEngineConfig, script: (string | Said)[] = [], tokenize: Tokenize = tokensOf) {
    this.#tokenize = tokenize;
    this.#config = config;
    this.script = script;
    const [record] = config.appConfig?.model_list ?? [];
    this.#chatConfig = { ...chatConfig, ...record?.overrides };
    this.#pipeline = {
      getConversationObject: () => this.#held(),
      getFinishReason: () => this.#finishReason,
      resetChat: () => {
        this.cache = [];
        this.#conversation?.reset();
      },
      setConversation: (conversation) => (this.#conversation = conversation),
    };
    // A text completion hands an empty conversation over, which nothing else makes.
    this.#real.preparePrefillInput({ prompt: '' }, this.#pipeline, this.#chatConfig);
    this.#held().reset();
    const tokenizer = { encode: tokenize };
    this.loadedModelIdToPipeline = new Map([[record?.model_id ?? '', { tokenizer }]]);
  }

  get record() {
    return this.#config.appConfig?.model_list[0];
  }

  async reload(): Promise<void> {
    this.#config.initProgressCallback?.({
      progress: 0.5,
      timeElapsed: 1,
      text: 'Loading model from cache[1/2]',
    });
    await this.onReload();
    this.#config.initProgressCallback?.({ progress: 1, timeElapsed: 2, text: 'Finish loading on WebGPU' });
  }

  /** Loses its cache, as an engine does that somebody else has asked. */
  forget(): void {
    this.#pipeline.resetChat();
  }

  interruptGenerate(): Promise<void> {
    this.#isInterrupted = true;
    return Promise.resolve();
  }

  getMessage(): Promise<string> {
    return Promise.resolve(this.#message);
  }

  chatCompletion(request: ChatCompletionRequestStreaming): Promise<AsyncIterable<ChatCompletionChunk>> {
    this.requests.push(structuredClone(request));
    return Promise.resolve(this.#stream(request));
  }

  async *#stream(request: ChatCompletionRequestStreaming): AsyncGenerator<ChatCompletionChunk> {
    this.#isInterrupted = false;
    const next = this.script.shift() ?? '';
    const { text, isLost = false, end, onToken }: Said = typeof next === 'string' ? { text: next } : next;
    const prefilled = this.#prefill(request);
    onToken?.(-1);
    const most = Math.min(
      request.max_tokens ?? Infinity,
      this.#chatConfig.context_window_size - this.cache.length,
    );
    const tokens = this.#tokenize(text);
    const written: string[] = [];
    this.#message = '';
    this.#finishReason = undefined;
    for (const [index, token] of tokens.entries()) {
      await Promise.resolve();
      if (this.#mustStop() && index > 0) this.#finishReason = 'abort';
      else if (written.length >= most) this.#finishReason = 'length';
      if (this.#finishReason) break;
      if (index === tokens.length - 1) {
        if (isLost) throw new Error('NDArray has already been disposed');
        await end?.();
      }
      written.push(token);
      this.#message = written.join('');
      if (!token.includes('\uFFFD')) yield chunk({ choices: [choice({ content: token })] });
      onToken?.(index);
    }
    this.#finishReason ??= written.length >= most ? 'length' : 'stop';
    this.cache.push(...(this.#finishReason === 'stop' ? written : written.slice(0, -1)));
    this.#conversation?.finishReply(this.#message);
    yield chunk({ choices: [choice({}, this.#finishReason)] });
    const completion = written.length + (this.#finishReason === 'stop' ? 1 : 0);
    yield chunk({
      choices: [],
      usage: {
        prompt_tokens: prefilled,
        completion_tokens: completion,
        total_tokens: prefilled + completion,
        extra: { time_to_first_token_s: 0.1, e2e_latency_s: 0.3 },
      },
    });
  }

  #held(): Conversation {
    if (!this.#conversation) throw new Error('web-llm has made no conversation.');
    return this.#conversation;
  }

  #mustStop(): boolean {
    return this.#isInterrupted;
  }

  /** How many tokens it put into the cache. */
  #prefill(request: ChatCompletionRequestStreaming): number {
    const input = this.#real.preparePrefillInput(request, this.#pipeline, this.#chatConfig);
    const conversation = this.#held();
    conversation.appendMessage(input.lastMsgRole, input.inputStr, input.inputRoleStr);
    conversation.appendReplyHeader('assistant');
    const texts =
      this.cache.length === 0 ? conversation.getPromptArray() : conversation.getPromptArrayLastRound();
    const tokens = texts.flatMap(this.#tokenize);
    if (this.cache.length + tokens.length > this.#chatConfig.context_window_size) {
      const error = new Error('Prompt tokens exceed context window size');
      error.name = 'ContextWindowSizeExceededError';
      throw error;
    }
    this.cache.push(...tokens);
    return tokens.length;
  }
}

function choice(delta: object, reason: string | null = null) {
  return { delta, finish_reason: reason, index: 0, logprobs: null };
}

function chunk(part: object): ChatCompletionChunk {
  const shared = { id: 'x', model: 'x', created: 0, object: 'chat.completion.chunk' };
  return { ...shared, ...part } as ChatCompletionChunk;
}
