/** A model whose engine another part of the app has, most often another tab: reached by messages, and noticed when it falls silent. */
import { AppError, writeError } from '../../../contracts/app-error';
import { readError } from '../../../contracts/error-code';
import type { ContextUse, LoadOptions, ModelEvent, ReplyRequest } from '../../../contracts/model';
import { untilAborted } from '../../../contracts/until-aborted';
import type { Channel } from '../../../platform/channels';
import type { RunningModel } from '../running-model';
import { type ReplyInbox, streamReply } from '../reply-stream';
import type { FromGuest, FromHolder } from './messages';

/**
 * Milliseconds between Stop and the end of the reply on the screen. An engine that reads a long prompt on the GPU, or compiles a
 * grammar, cannot react sooner; the next reply waits in the queue until it does.
 */
const maxStopMs = 100;
/** Milliseconds. Counted by questions without an answer: a tab that was asleep itself has asked none meanwhile. */
export const beatMs = 1000;
/** So many questions that were not answered, one after another, mean that nobody is there. */
const mostUnanswered = 6;

/** Again after as many more: what was done about it may have failed. */
export const isInVain = (unanswered: number) => unanswered > 0 && unanswered % mostUnanswered === 0;

export interface GuestModel extends Pick<RunningModel, 'respond' | 'measure'> {
  /** Rejects with an `AppError`. */
  load: (onProgress: LoadOptions['onProgress'], onLost: LoadOptions['onLost']) => Promise<void>;
  /** What waits for it is rejected with `reason`, and the one that has the engine is told. */
  leave: (reason: Error) => void;
  /** The one that had the engine has it no more. */
  lose: (fault: AppError) => void;
}

export interface GuestOptions {
  /** Messages are checked before, where they come from another tab. */
  open: (onMessage: (message: FromHolder) => void) => Channel<FromGuest>;
  newId: () => string;
  /** The one that has the engine does not answer. `isSilent`: it still does not. */
  onSilence: (isSilent: () => boolean) => void;
  /** It is over, for whatever reason; once. */
  onOver: () => void;
}

interface Reply extends ReplyInbox {
  queue: (isQueued: boolean) => void;
}

export function createGuestModel({ open, newId, onSilence, onOver }: GuestOptions): GuestModel {
  /** Aborted with why it is over. */
  const life = new AbortController();
  const replies = new Map<string, Reply>();
  const measures = new Map<string, (context: ContextUse) => void>();
  let tellProgress: LoadOptions['onProgress'] = () => undefined;
  let tellLoaded = () => {};
  let tellLoss: LoadOptions['onLost'];
  /** What is waited for. The other is asked for a sign of life only meanwhile. */
  let waits = 0;
  let unanswered = 0;
  let beat: ReturnType<typeof setInterval> | undefined;
  const channel = open(take);
  const post = (message: FromGuest) => channel.post(message);

  function ping(): void {
    if (isInVain(unanswered)) onSilence(() => unanswered >= mostUnanswered && !life.signal.aborted);
    unanswered += 1;
    post({ type: 'ping' });
  }

  /** Returns what ends the watch. */
  function watch(): () => void {
    life.signal.throwIfAborted();
    if (waits++ === 0) {
      unanswered = 0;
      beat = setInterval(ping, beatMs);
    }
    return () => {
      if (--waits === 0) clearInterval(beat);
    };
  }

  function take(said: FromHolder): void {
    unanswered = 0;
    switch (said.type) {
      case 'progress':
        tellProgress(said.progress);
        break;
      case 'loaded':
        tellLoaded();
        break;
      case 'over':
        end(faultOf(said.fault));
        break;
      case 'queued':
      case 'begun':
        replies.get(said.id)?.queue(said.type === 'queued');
        break;
      case 'event':
        replies.get(said.id)?.push([said.event]);
        break;
      case 'measured':
        measures.get(said.id)?.(said.context);
        break;
      case 'pong':
        break;
    }
  }

  function end(reason: Error): void {
    if (life.signal.aborted) return;
    life.abort(reason);
    channel.close();
    clearInterval(beat);
    for (const reply of replies.values()) reply.fail(reason);
    // Whoever waits for it hears of it first.
    if (reason instanceof AppError) queueMicrotask(() => tellLoss?.(reason));
    onOver();
  }

  /** Until `settle` is called, or this is over. */
  async function answer<Value>(begin: (settle: (value: Value) => void) => void): Promise<Value> {
    const endWatch = watch();
    return untilAborted(new Promise(begin), life.signal).finally(endWatch);
  }

  async function* respond(
    request: ReplyRequest,
    signal: AbortSignal,
    onQueued: (isQueued: boolean) => void = () => undefined,
  ): AsyncGenerator<ModelEvent> {
    const endWatch = watch();
    const id = newId();
    let isQueued = false;
    yield* streamReply(
      {
        ask(inbox) {
          replies.set(id, {
            ...inbox,
            queue(isWaiting) {
              isQueued = isWaiting;
              onQueued(isWaiting);
            },
          });
          post({ type: 'respond', id, request });
        },
        stop: () => post({ type: 'stop', id }),
        // Nothing is lost if a queued reply ends at once.
        patienceMs: () => (isQueued ? 0 : maxStopMs),
        close() {
          replies.delete(id);
          endWatch();
        },
      },
      signal,
    );
  }

  return {
    async load(onProgress, onLost) {
      tellProgress = onProgress;
      await answer<undefined>((settle) => {
        tellLoaded = () => settle(undefined);
        post({ type: 'load' });
      });
      tellLoss = onLost;
    },
    async measure(messages, tools, summary) {
      const id = newId();
      const context = answer<ContextUse>((settle) => {
        measures.set(id, settle);
        post({ type: 'measure', id, messages, tools, ...(summary && { summary }) });
      });
      return context.finally(() => measures.delete(id));
    },
    respond,
    leave(reason) {
      const isSilent = reason instanceof AppError && reason.code === 'engine-timeout';
      post({ type: 'leave', ...(isSilent && { fault: writeError(reason) }) });
      tellLoss = undefined;
      end(reason);
    },
    lose: end,
  };
}

function faultOf(written: string): AppError {
  const { code = 'engine-crashed', detail } = readError(written);
  return new AppError(code, detail);
}
