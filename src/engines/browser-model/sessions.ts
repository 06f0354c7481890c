/** The sessions that the browser holds for us: each is a conversation, which is gone on with instead of being read anew. */
import { untilAborted } from '../../contracts/until-aborted';
import { type ApiCoreOptions, type ApiSession, type PromptApi, usageOf } from './api';
import { newIn, toApi, type WrittenChat, type WrittenMessage } from './write-messages';

/** A chat, and a sub-agent in between. */
const mostKept = 2;

interface Kept {
  session: ApiSession;
  mode: ApiCoreOptions['samplingMode'];
  said: readonly WrittenMessage[];
}

export interface Taken {
  session: ApiSession;
  /** Of the chat, what the session does not hold. */
  input: readonly WrittenMessage[];
  /** It was made for this: all of the chat is read. */
  isNew: boolean;
  /** Keeps it for the next question, with the reply that it has given. */
  keep: (reply: string) => void;
  drop: () => void;
}

export interface Sessions {
  /** `fresh`: none of those that are kept. Rejects with what the browser rejects with, or the reason of `signal`. */
  take: (
    chat: WrittenChat,
    wanted: { mode: ApiCoreOptions['samplingMode']; fresh: boolean; room: number },
    signal: AbortSignal,
  ) => Promise<Taken>;
}

/** `life` ends them all. `window`: tokens that each can hold. */
export function createSessions(
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
        // One that is full would drop its oldest messages without a word.
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
        // Stopped before it came.
        creating.then((late) => late.destroy()).catch(() => undefined);
        throw error;
      }
    },
  };
}
