/** An engine for the browser's own model, through the Prompt API. It runs on the page, because workers lack that API. */
import { AppError } from '../../contracts/app-error';
import type { GenerateRequest, TextDelta, TextEngine, Usage } from '../../contracts/model';
import { untilAborted } from '../../contracts/until-aborted';
import {
  type ApiCoreOptions,
  type ApiSession,
  measure,
  type PromptApi,
  promptApiHere,
  usageOf,
  windowOf,
} from './api';
import { faultOf, isGone } from './faults';
import { askFor, samplingMode } from './options';
import { guessAll, newIn, toApi, writeChat, type WrittenChat, type WrittenMessage } from './write-messages';

type Finish = Extract<TextDelta, { type: 'finish' }>;

interface Loaded {
  /** An empty session to measure messages with. It also keeps the model in the browser's memory. */
  base: ApiSession;
  sessions: Sessions;
  canSee: boolean;
}

export function createBrowserModel(): TextEngine {
  let loaded: Loaded | undefined;
  const whenLoaded = () => {
    if (!loaded) throw new AppError('engine-crashed', 'No model is loaded.');
    return loaded;
  };

  return {
    replyHeader: '',
    constraints: 'json-schema',
    get takesPictures() {
      return loaded?.canSee;
    },
    get contextTokens() {
      return loaded && windowOf(loaded.base);
    },

    async load({ contextTokens }, { signal }) {
      const api = promptApiHere();
      if (!api) throw new AppError('browser-too-old', 'This browser has no Prompt API.');
      try {
        const { options, availability, canSee } = await untilAborted(askFor(api), signal);
        if (availability !== 'available')
          throw new AppError('model-not-downloaded', `The browser says: ${availability}.`);
        const base = await untilAborted(api.create({ ...options, signal }), signal);
        const window = windowOf(base) ?? contextTokens;
        loaded = { base, sessions: createSessions(api, options, { life: signal, window }), canSee };
      } catch (error) {
        throw faultOf(error);
      }
    },

    async count(messages) {
      const { base } = whenLoaded();
      const chats = messages.map((message) => writeChat([message]));
      return Promise.all(
        chats.map(({ before, asked }) => {
          // The caller counts the pictures.
          const texts = [...before, ...asked].map(({ role, content }) => ({ role, content }));
          return measure(base, texts, guessAll(texts));
        }),
      );
    },

    async *generate(request: GenerateRequest, signal): AsyncGenerator<TextDelta> {
      const { sessions } = whenLoaded();
      const chat = writeChat(request.messages);
      const all = [...chat.before, ...chat.asked];
      const told = guessAll(all);
      const usage: Usage = { promptTokens: told, prefilledTokens: told, outputTokens: 0 };
      const prompt = all.map(({ role, content }) => `${role}: ${content}`).join('\n');
      let end: Pick<Finish, 'finishReason' | 'errorMessage'> = { finishReason: 'aborted' };
      let taken: Taken | undefined;
      let reply = '';
      try {
        signal.throwIfAborted();
        for (let isOver = false, fresh = false; !isOver;) {
          const wanted = { mode: samplingMode(request.sampling), fresh, room: request.maxTokens };
          taken = await sessions.take(chat, wanted, signal);
          try {
            for await (const text of piecesOf(taken, request, usage, signal)) {
              reply += text;
              yield { type: 'text-delta', text };
            }
            isOver = true;
          } catch (error) {
            // The browser may have discarded a kept session between two questions.
            if (signal.aborted || !isGone(error) || taken.isNew || reply !== '') throw error;
            fresh = true;
          }
        }
        const isCut = usage.outputTokens >= request.maxTokens;
        end = { finishReason: signal.aborted ? 'aborted' : isCut ? 'length' : 'stop' };
      } catch (error) {
        const fault = faultOf(error);
        if (!signal.aborted && fault.code === 'engine-crashed') throw fault;
        end = { finishReason: 'error', errorMessage: `[${fault.code}] ${fault.message}` };
      } finally {
        // A chat never continues an interrupted reply, so its session is not kept.
        if (end.finishReason === 'stop') taken?.keep(reply);
        else taken?.drop();
      }
      const finish = signal.aborted ? { finishReason: 'aborted' as const } : end;
      yield { type: 'finish', ...finish, usage, prompt };
    },
  };
}

/** The reply of one session, up to its maximum of tokens. Updates the counts. */
async function* piecesOf(
  { session, input, isNew }: Taken,
  { maxTokens, constraint }: GenerateRequest,
  usage: Usage,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const held = usageOf(session) ?? 0;
  const measured = toApi(input).map(({ role, content }) => ({ role, content }));
  const asked = await untilAborted(measure(session, measured, guessAll(input)), signal);
  usage.promptTokens = held + asked;
  usage.prefilledTokens = isNew ? held + asked : asked;
  const ended = new AbortController();
  // We continue a partial reply; a response schema would restart the JSON.
  const form = input.at(-1)?.prefix ? undefined : constraint?.jsonSchema;
  const stream = session.promptStreaming(toApi(input), {
    signal: AbortSignal.any([signal, ended.signal]),
    ...(form && { responseConstraint: form, omitResponseConstraintInput: true }),
  });
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) break;
      if (value === '') continue;
      usage.outputTokens += 1;
      yield value;
      if (usage.outputTokens >= maxTokens) return;
    }
    const written = (usageOf(session) ?? 0) - held - asked;
    usage.outputTokens = Math.min(maxTokens - 1, Math.max(usage.outputTokens, Math.round(written)));
  } finally {
    ended.abort();
    // Ignore the rest of the stream, and the error that it was aborted.
    reader.cancel().catch(() => undefined);
  }
}

const mostKept = 2;

interface Kept {
  session: ApiSession;
  mode: ApiCoreOptions['samplingMode'];
  said: readonly WrittenMessage[];
}

interface Taken {
  session: ApiSession;
  /** The messages that the session does not hold yet. */
  input: readonly WrittenMessage[];
  /** The session was created for this request, so it reads the whole chat. */
  isNew: boolean;
  /** Keeps the session with its reply for the next question. */
  keep: (reply: string) => void;
  drop: () => void;
}

interface Sessions {
  /** `fresh`: use no kept session. Rejects with the browser's error or the reason of `signal`. */
  take: (
    chat: WrittenChat,
    wanted: { mode: ApiCoreOptions['samplingMode']; fresh: boolean; room: number },
    signal: AbortSignal,
  ) => Promise<Taken>;
}

/** `life` ends all sessions. `window`: maximum tokens of each. */
function createSessions(
  api: PromptApi,
  options: ApiCoreOptions,
  { life, window }: { life: AbortSignal; window: number },
): Sessions {
  let kept: Kept[] = [];

  function taken(
    found: Kept,
    input: readonly WrittenMessage[],
    all: readonly WrittenMessage[],
    isNew: boolean,
  ): Taken {
    const { session } = found;
    return {
      ...{ session, input, isNew },
      keep(reply) {
        const last = all.at(-1);
        const before = last?.prefix ? all.slice(0, -1) : all;
        const whole = (last?.prefix ? last.content : '') + reply;
        kept = [...kept, { ...found, said: [...before, { role: 'assistant', content: whole }] }];
        for (const { session: oldest } of kept.slice(0, -mostKept)) oldest.destroy();
        kept = kept.slice(-mostKept);
      },
      drop: () => session.destroy(),
    };
  }

  return {
    async take(chat, { mode, fresh, room }, signal) {
      const all = [...chat.before, ...chat.asked];
      for (const one of fresh ? [] : kept.toReversed()) {
        const input = one.mode === mode ? newIn(chat, one.said) : undefined;
        // A full session silently drops its oldest messages.
        if (!input || (usageOf(one.session) ?? 0) + room > window) continue;
        kept = kept.filter((other) => other !== one);
        return taken(one, input, all, false);
      }
      const creating = api.create({
        ...options,
        ...(mode && { samplingMode: mode }),
        signal: life,
        ...(chat.before.length > 0 && { initialPrompts: toApi(chat.before) }),
      });
      try {
        const session = await untilAborted(creating, signal);
        return taken({ session, mode, said: [] }, chat.asked, all, true);
      } catch (error) {
        // Stopped before the session was created.
        creating.then((late) => late.destroy()).catch(() => undefined);
        throw error;
      }
    },
  };
}
