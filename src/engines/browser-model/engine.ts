/** Runs the browser's own model through the Prompt API, on the page's thread because workers lack that API. */
import { AppError } from '../../contracts/app-error';
import type { GenerateRequest, TextDelta, TextEngine, Usage, PromptMessage } from '../../contracts/model';
import { untilAborted } from '../../contracts/until-aborted';
import { guessMessageTokens, type ReplyEnd, requireLoaded } from '../engine';
import { systemMessagesOf } from '../engine-parts';
import {
  type ApiCoreOptions,
  type ApiSession,
  measureTokens,
  type PromptApi,
  getPromptApi,
  contextUsageOf,
  contextWindowOf,
  type ApiMessage,
  toAppError,
  isSessionLost,
  findBestOptions,
  toSamplingMode,
} from './api';
import type { ImagePart, TextPart } from '../../contracts/message';

interface LoadedModel {
  /** An empty session that counts tokens and keeps the model in memory. */
  base: ApiSession;
  openSession: ReturnType<typeof createSessionOpener>;
  canSee: boolean;
}

export function createBrowserModel(): TextEngine {
  let loaded: LoadedModel | undefined;
  return {
    replyHeader: '',
    constraints: 'json-schema',
    get takesPictures() {
      return loaded?.canSee;
    },
    get contextTokens() {
      return loaded && contextWindowOf(loaded.base);
    },

    async load({ contextTokens }, { signal }) {
      const api = getPromptApi();
      if (!api) throw new AppError('browser-too-old', 'This browser has no Prompt API.');
      try {
        const { options, availability, canSee } = await untilAborted(findBestOptions(api), signal);
        if (availability !== 'available')
          throw new AppError('model-not-downloaded', `The browser says: ${availability}.`);
        const base = await untilAborted(api.create({ ...options, signal }), signal);
        const window = contextWindowOf(base) ?? contextTokens;
        loaded = { base, openSession: createSessionOpener(api, options, window, signal), canSee };
      } catch (error) {
        throw toAppError(error);
      }
    },

    async count(messages) {
      const { base } = requireLoaded(loaded);
      return Promise.all(
        messages.map((message) => {
          const { before, asked } = splitChat([message]);
          const texts = [...before, ...asked].map(({ role, content }) => ({ role, content }));
          return measureTokens(base, texts, guessTotalTokens(texts));
        }),
      );
    },

    async *generate(request: GenerateRequest, signal): AsyncGenerator<TextDelta> {
      const { openSession } = requireLoaded(loaded);
      const chat = splitChat(request.messages);
      const all = [...chat.before, ...chat.asked];
      const guessed = guessTotalTokens(all);
      const usage: Usage = { promptTokens: guessed, prefilledTokens: guessed, outputTokens: 0 };
      const prompt = all.map(({ role, content }) => `${role}: ${content}`).join('\n');
      let end: ReplyEnd = { finishReason: 'aborted' };
      let opened: OpenedSession | undefined;
      let reply = '';
      try {
        signal.throwIfAborted();
        for (let isFresh = false; ; isFresh = true) {
          opened = await openSession(chat, request, isFresh, signal);
          try {
            for await (const text of streamReplyText(opened, request, usage, signal)) {
              reply += text;
              yield { type: 'text-delta', text };
            }
            break;
          } catch (error) {
            // The browser may have discarded the saved session. If so, try again with a new one.
            if (signal.aborted || !isSessionLost(error) || opened.isNew || reply !== '') throw error;
          }
        }
        const isCut = usage.outputTokens >= request.maxTokens;
        end = { finishReason: signal.aborted ? 'aborted' : isCut ? 'length' : 'stop' };
      } catch (error) {
        const fault = toAppError(error);
        if (!signal.aborted && fault.code === 'engine-crashed') throw fault;
        end = { finishReason: 'error', errorMessage: `[${fault.code}] ${fault.message}` };
      } finally {
        // Keep the session only after a complete reply, because we cannot continue an interrupted one.
        if (end.finishReason === 'stop') opened?.keep(reply);
        else opened?.drop();
      }
      if (signal.aborted) end = { finishReason: 'aborted' };
      yield { type: 'finish', ...end, usage, prompt };
    },
  };
}

async function* streamReplyText(
  { session, input, isNew }: OpenedSession,
  { maxTokens, constraint }: GenerateRequest,
  usage: Usage,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const held = contextUsageOf(session) ?? 0;
  const measured = toApiMessages(input).map(({ role, content }) => ({ role, content }));
  const asked = await untilAborted(measureTokens(session, measured, guessTotalTokens(input)), signal);
  usage.promptTokens = held + asked;
  usage.prefilledTokens = isNew ? held + asked : asked;
  const ended = new AbortController();
  // Use no schema to continue a partial reply: with one, the model would start its JSON again.
  const form = input.at(-1)?.prefix ? undefined : constraint?.jsonSchema;
  const stream = session.promptStreaming(toApiMessages(input), {
    signal: AbortSignal.any([signal, ended.signal]),
    ...(form && { responseConstraint: form, omitResponseConstraintInput: true }),
  });
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) break;
      // The API may come from an extension, so it may yield anything.
      if (typeof value !== 'string')
        throw new AppError('browser-model-failed', 'The model wrote something other than text.');
      if (value === '') continue;
      usage.outputTokens += 1;
      yield value;
      if (usage.outputTokens >= maxTokens) return;
    }
    const written = (contextUsageOf(session) ?? 0) - held - asked;
    usage.outputTokens = Math.min(maxTokens - 1, Math.max(usage.outputTokens, Math.round(written)));
  } finally {
    ended.abort();
    reader.cancel().catch(() => undefined);
  }
}

const maxSavedSessions = 2;

interface SavedSession {
  session: ApiSession;
  mode: ReturnType<typeof toSamplingMode>;
  said: readonly PlainMessage[];
}

type OpenedSession = Awaited<ReturnType<ReturnType<typeof createSessionOpener>>>;

/** `window`: context length in tokens. `life`: a signal whose abort ends all sessions. */
function createSessionOpener(api: PromptApi, options: ApiCoreOptions, window: number, life: AbortSignal) {
  let saved: SavedSession[] = [];

  function opened(
    found: SavedSession,
    input: readonly PlainMessage[],
    all: readonly PlainMessage[],
    isNew: boolean,
  ) {
    const { session } = found;
    return {
      session,
      input,
      isNew,
      keep(reply: string): void {
        const last = all.at(-1);
        const before = last?.prefix ? all.slice(0, -1) : all;
        const whole = (last?.prefix ? last.content : '') + reply;
        saved = [...saved, { ...found, said: [...before, { role: 'assistant', content: whole }] }];
        for (const { session: oldest } of saved.slice(0, -maxSavedSessions)) oldest.destroy();
        saved = saved.slice(-maxSavedSessions);
      },
      drop: () => session.destroy(),
    };
  }

  /** `isFresh`: whether to ignore saved sessions. Rejects with the browser's error or the reason of `signal`. */
  return async (
    chat: SplitChat,
    { sampling, maxTokens }: GenerateRequest,
    isFresh: boolean,
    signal: AbortSignal,
  ) => {
    const mode = toSamplingMode(sampling);
    const all = [...chat.before, ...chat.asked];
    for (const one of isFresh ? [] : saved.toReversed()) {
      const input = one.mode === mode ? findUnseenMessages(chat, one.said) : undefined;
      // Skip a session without room: it would silently drop its oldest messages.
      if (!input || (contextUsageOf(one.session) ?? 0) + maxTokens > window) continue;
      saved = saved.filter((other) => other !== one);
      return opened(one, input, all, false);
    }
    const creating = api.create({
      ...options,
      samplingMode: mode,
      signal: life,
      ...(chat.before.length > 0 && { initialPrompts: toApiMessages(chat.before) }),
    });
    try {
      const session = await untilAborted(creating, signal);
      return opened({ session, mode, said: [] }, chat.asked, all, true);
    } catch (error) {
      creating.then((late) => late.destroy()).catch(() => undefined);
      throw error;
    }
  };
}

/** A message in a form that is easy to compare, before we convert it for the API. */
interface PlainMessage {
  role: ApiMessage['role'];
  content: string;
  parts?: readonly (TextPart | ImagePart)[];
  pictureTokens?: number;
  prefix?: true;
}

interface SplitChat {
  before: PlainMessage[];
  /** The question: the user's last message and everything after it. */
  asked: PlainMessage[];
}

function splitChat(messages: readonly PromptMessage[]): SplitChat {
  const instructions = systemMessagesOf(messages);
  const system = instructions.map(({ content }) => content).join('\n\n');
  const rest = messages.slice(instructions.length).map(toPlainMessage);
  const last = rest.at(-1);
  if (last?.role === 'assistant') last.prefix = true;
  const all: PlainMessage[] = system === '' ? rest : [{ role: 'system', content: system }, ...rest];
  const asks = Math.max(
    all.findLastIndex(({ role }) => role === 'user'),
    system === '' ? 0 : 1,
  );
  return { before: all.slice(0, asks), asked: all.slice(asks) };
}

/** Converts a message after the system messages. The API accepts a system message only at the start. */
function toPlainMessage({ role, content, parts }: PromptMessage): PlainMessage {
  const seen = parts?.type === 'question' && { parts: parts.content, pictureTokens: parts.pictureTokens };
  return { role: role === 'assistant' ? role : 'user', content, ...seen };
}

/** Returns the messages that a session has not seen. Undefined if the chat does not continue the session. */
function findUnseenMessages(
  { before, asked }: SplitChat,
  held: readonly PlainMessage[],
): readonly PlainMessage[] | undefined {
  const all = [...before, ...asked];
  if (held.length === 0 || held.length >= all.length) return undefined;
  const isSame = held.every((message, at) => isSameMessage(message, all[at]));
  const rest = all.slice(held.length);
  // A chat that ends with a partial reply cannot continue its session, because the interruption of the reply ended the session.
  return isSame && rest[0]?.role === 'user' ? rest : undefined;
}

function isSameMessage(one: PlainMessage, other: PlainMessage | undefined): boolean {
  if (one.role !== other?.role || one.content !== other.content) return false;
  const [shown, others] = [picturesIn(one), picturesIn(other)];
  return shown.length === others.length && shown.every((data, at) => data === others[at]);
}

function picturesIn({ parts = [] }: PlainMessage): string[] {
  return parts.flatMap((part) => (part.type === 'image' ? [part.data] : []));
}

function toApiMessages(messages: readonly PlainMessage[]): ApiMessage[] {
  return messages.map(({ role, content, parts, prefix }) => ({
    role,
    content:
      parts?.map((part) =>
        part.type === 'text'
          ? { type: 'text' as const, value: part.text }
          : { type: 'image' as const, value: toBlob(part) },
      ) ?? content,
    ...(prefix && { prefix }),
  }));
}

function toBlob({ data, mimeType: type }: ImagePart): Blob {
  return new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], { type });
}

function guessTotalTokens(messages: readonly PlainMessage[]): number {
  return messages.reduce(
    (sum, { content, pictureTokens = 0 }) => sum + guessMessageTokens(content) + pictureTokens,
    0,
  );
}
