/** Uses an engine that usually runs in another tab, the owner. Detects an owner that stops answering. */
import { AppError, writeError } from '../../../contracts/app-error';
import type { ContextUse, LoadOptions, ModelEvent } from '../../../contracts/model';
import { untilAborted } from '../../../contracts/until-aborted';
import type { Channel } from '../../../platform/channels';
import { toFault } from '../../engine';
import type { RunningModel } from '../running-model';
import { type ReplyInbox, streamReply } from '../remote-model';
import type { GuestMessage, OwnerMessage } from './serve-tabs';

/** Maximum milliseconds from Stop to the end of the reply on the screen. The engine may stop later. */
const maxStopMs = 100;
/** Milliseconds between pings. We count missed answers, not time, because a sleeping tab sends no pings. */
export const pingIntervalMs = 1000;
/** Number of unanswered pings after which we treat the owner as gone. */
const maxUnansweredPings = 6;

/** True if it is time to try a takeover, which is after every `maxUnansweredPings` unanswered pings. */
export const isTakeoverDue = (unanswered: number) => unanswered > 0 && unanswered % maxUnansweredPings === 0;

export type GuestModel = ReturnType<typeof createGuestModel>;

export interface GuestOptions {
  /** `open` must validate messages from other tabs. */
  open: (onMessage: (message: OwnerMessage) => void) => Channel<GuestMessage>;
  newId: () => string;
  /** Called when the owner stops answering. `isSilent` returns true while it is still silent. */
  onSilence: (isSilent: () => boolean) => void;
  onOver: () => void;
}

export function createGuestModel({ open, newId, onSilence, onOver }: GuestOptions) {
  const life = new AbortController();
  const replies = new Map<string, ReplyInbox & { queue: (isQueued: boolean) => void }>();
  const measures = new Map<string, (context: ContextUse) => void>();
  let tellProgress: LoadOptions['onProgress'] = () => undefined;
  let tellLoaded = () => {};
  let tellLoss: LoadOptions['onLost'];
  let waits = 0;
  let unanswered = 0;
  let beat: ReturnType<typeof setInterval> | undefined;
  const channel = open(take);
  const post = (message: GuestMessage) => channel.post(message);

  function ping(): void {
    if (isTakeoverDue(unanswered)) onSilence(() => unanswered >= maxUnansweredPings && !life.signal.aborted);
    unanswered += 1;
    post({ type: 'ping' });
  }

  function watch(): () => void {
    life.signal.throwIfAborted();
    if (waits++ === 0) {
      unanswered = 0;
      beat = setInterval(ping, pingIntervalMs);
    }
    return () => {
      if (--waits === 0) clearInterval(beat);
    };
  }

  function take(said: OwnerMessage): void {
    unanswered = 0;
    if (said.type === 'progress') tellProgress(said.progress);
    else if (said.type === 'loaded') tellLoaded();
    else if (said.type === 'over') end(toFault(said.fault));
    else if (said.type === 'event') replies.get(said.id)?.push([said.event]);
    else if (said.type === 'measured') measures.get(said.id)?.(said.context);
    else if (said.type !== 'pong') replies.get(said.id)?.queue(said.type === 'queued');
  }

  function end(reason: Error): void {
    if (life.signal.aborted) return;
    life.abort(reason);
    channel.close();
    clearInterval(beat);
    for (const reply of replies.values()) reply.fail(reason);
    // Report the loss only after the pending calls are rejected.
    if (reason instanceof AppError) queueMicrotask(() => tellLoss?.(reason));
    onOver();
  }

  /** Resolves when `settle` is called. Rejects when the model is closed or lost. */
  async function answer<Value>(begin: (settle: (value: Value) => void) => void): Promise<Value> {
    const endWatch = watch();
    return untilAborted(new Promise(begin), life.signal).finally(endWatch);
  }

  async function* respond(
    ...[request, signal, onQueued]: Parameters<RunningModel['respond']>
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
              onQueued?.(isWaiting);
            },
          });
          post({ type: 'respond', id, request });
        },
        stop: () => post({ type: 'stop', id }),
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
    async load(onProgress: LoadOptions['onProgress'], onLost: LoadOptions['onLost']): Promise<void> {
      tellProgress = onProgress;
      await answer<undefined>((settle) => {
        tellLoaded = () => settle(undefined);
        post({ type: 'load' });
      });
      tellLoss = onLost;
    },
    async measure(...[messages, tools, summary]: Parameters<RunningModel['measure']>): Promise<ContextUse> {
      const id = newId();
      const context = answer<ContextUse>((settle) => {
        measures.set(id, settle);
        post({ type: 'measure', id, messages, tools, ...(summary && { summary }) });
      });
      return context.finally(() => measures.delete(id));
    },
    respond,
    /** Rejects pending calls with `reason`, and tells the owner that we left. */
    leave(reason: Error): void {
      const isSilent = reason instanceof AppError && reason.code === 'engine-timeout';
      post({ type: 'leave', ...(isSilent && { fault: writeError(reason) }) });
      tellLoss = undefined;
      end(reason);
    },
    lose: end,
  };
}
