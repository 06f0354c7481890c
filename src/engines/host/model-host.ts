/** Manages the page's only chat model: loads it when needed, and replaces a worker that crashes or hangs. */
import { AppError } from '../../contracts/app-error';
import type { ErrorCode } from '../../contracts/error-code';
import type {
  ChatModel,
  LoadProgress,
  ModelEvent,
  ModelSpec,
  ReplyRequest,
  Usage,
} from '../../contracts/model';
import { createStoppedEvent } from '../../contracts/pipeline';
import { untilAborted } from '../../contracts/until-aborted';
import { toFault } from '../engine';
import { engineOf } from '../registry';
import type { RunningModel } from './running-model';
import { isEngineMovedError, createMovedError } from './tabs/serve-tabs';

export type HostPhase =
  | { type: 'idle' }
  | { type: 'loading'; progress?: LoadProgress }
  /** `contextTokens`: only if the engine reports it after the load. */
  | { type: 'ready'; contextTokens?: number }
  /** `isLost`: the model failed after it was loaded. */
  | { type: 'failed'; code: ErrorCode; detail: string; isLost?: true };

export interface HostOptions {
  spec: ModelSpec;
  open: (spec: ModelSpec) => RunningModel;
  onPhase: (phase: HostPhase, spec: ModelSpec) => void;
  /** Called when a reply has been silent for a while, and when it continues. */
  onSlow: (isSlow: boolean) => void;
  onQueued: (isQueued: boolean) => void;
  /** Asks the user whether to go on waiting for a reply's first token. Returns false if nobody can be asked: we then give up at once. */
  onSilent: (silence: Silence) => boolean;
  /** Called when a silence that the user was asked about has ended. */
  onSilenceEnd: (silence: Silence) => void;
  limits: SilenceLimits;
}

/** A model that has said nothing for so long that it may have hung. */
export interface Silence {
  /** Milliseconds since its last sign of life. */
  ms: number;
  /** Asks again after as long a silence. */
  keepWaiting: () => void;
  /** Ends the model. The request then fails with `engine-timeout`. */
  giveUp: () => void;
}

export type ModelHost = ReturnType<typeof createModelHost>;

export function createModelHost(options: HostOptions) {
  const { limits } = options;
  let wanted = options.spec;
  let holders = 0;
  let waiting: (() => void)[] = [];
  let current: { remote: RunningModel; loading: Promise<void> } | undefined;
  const losses = new Map<RunningModel, AppError>();
  const replies = new Set<{ isQueued: boolean }>();
  /** How long each model takes to read a token here, in milliseconds, by model id. */
  const readingMsById = new Map<string, number>();

  /** Closes a worker. Changes the state only if it is the current worker, because callers may close a worker twice. */
  function drop(remote: RunningModel, reason: AppError): void {
    remote.close(reason);
    losses.delete(remote);
    if (current?.remote !== remote) return;
    current = undefined;
    options.onPhase({ type: 'idle' }, wanted);
    if (isEngineMovedError(reason)) load();
  }

  /** Closes and reports a lost model, but not during a reply: the reply still receives text and then ends by itself. */
  function dropIfLost(remote: RunningModel): void {
    const loss = losses.get(remote);
    if (!loss || replies.size > 0 || current?.remote !== remote) return;
    drop(remote, loss);
    if (isEngineMovedError(loss)) return;
    options.onPhase({ type: 'failed', code: loss.code, detail: loss.message, isLost: true }, wanted);
  }

  function load(): { remote: RunningModel; loading: Promise<void> } {
    if (current) return current;
    options.onPhase({ type: 'loading' }, wanted);
    const remote = options.open(wanted);
    const watch = createSilenceWatch(limits.slowMs, (reason) => remote.close(reason));
    watch.restart(limits.loadMs);
    let isOver = false;
    const onProgress = (progress: LoadProgress) => {
      // Progress has its own port, so it may arrive after the load.
      if (isOver) return;
      watch.restart(limits.loadMs);
      if (current?.remote === remote) options.onPhase({ type: 'loading', progress }, wanted);
    };
    const onLost = (fault: AppError) => {
      losses.set(remote, fault);
      dropIfLost(remote);
    };
    const loading = remote
      .load(wanted, onProgress, onLost)
      .finally(() => {
        isOver = true;
        watch.stop();
      })
      .then(
        () => {
          if (current?.remote !== remote) return;
          const { contextTokens } = remote;
          options.onPhase({ type: 'ready', ...(contextTokens !== undefined && { contextTokens }) }, wanted);
        },
        (error: unknown) => {
          const failure = toFault(error);
          const isCurrent = current?.remote === remote;
          drop(remote, failure);
          if (isCurrent) {
            options.onPhase({ type: 'failed', code: failure.code, detail: failure.message }, wanted);
          }
          throw failure;
        },
      );
    loading.catch(() => undefined);
    current = { remote, loading };
    return current;
  }

  /** Shows that replies of other tabs come first, unless a reply of this page is already running. */
  function showQueue(): void {
    options.onQueued(replies.size > 0 && [...replies].every(({ isQueued }) => isQueued));
  }

  async function* respond(
    ...[request, signal]: Parameters<ChatModel['respond']>
  ): ReturnType<ChatModel['respond']> {
    for (let tries = 1; ; tries++) {
      const { remote, loading } = load();
      try {
        await untilAborted(loading, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        yield createStoppedEvent();
        return;
      }
      if (yield* watched(remote, request, signal, tries === maxAttempts)) return;
    }
  }

  /** Returns false if the caller should retry. With `isLast`, throws instead. */
  async function* watched(
    remote: RunningModel,
    request: ReplyRequest,
    signal: AbortSignal,
    isLast: boolean,
  ): AsyncGenerator<ModelEvent, boolean> {
    const { id } = wanted;
    let firstTokenMs = firstTokenLimit(limits, undefined, readingMsById.get(id));
    const betweenTokensMs = engineOf(wanted)?.mayPause ? limits.firstTokenMs : limits.betweenTokensMs;
    const giveUp = (reason: AppError) => drop(remote, reason);
    const watch = createSilenceWatch(limits.slowMs, giveUp, options.onSlow);
    const waitForFirstToken = () => watch.restart(firstTokenMs, options);
    waitForFirstToken();
    const reply = { isQueued: false };
    const onQueued = (isQueued: boolean) => {
      reply.isQueued = isQueued;
      if (isQueued) watch.stop();
      else waitForFirstToken();
      showQueue();
    };
    replies.add(reply);
    let hasSpoken = false;
    try {
      const asked = { ...request, sampling: request.sampling ?? wanted.sampling };
      for await (const event of remote.respond(asked, signal, onQueued)) {
        if (event.type === 'context') {
          firstTokenMs = firstTokenLimit(limits, event.context.promptTokens, readingMsById.get(id));
        }
        const hasReplyPart = !['context', 'server-wait', 'prompt-progress'].includes(event.type);
        if (hasReplyPart) watch.restart(betweenTokensMs);
        else waitForFirstToken();
        hasSpoken ||= hasReplyPart;
        const readingMs = event.type === 'finish' ? readingMsOf(event.usage) : undefined;
        if (readingMs !== undefined) readingMsById.set(id, readingMs);
        yield event;
      }
      return true;
    } catch (error) {
      drop(remote, toFault(error));
      // Retry if the engine moved to another tab, or failed in another request before it started ours.
      if ((isEngineMovedError(error) || reply.isQueued) && !hasSpoken && !isLast) return false;
      throw error;
    } finally {
      watch.stop();
      replies.delete(reply);
      showQueue();
      dropIfLost(remote);
    }
  }

  /** Switches to another model at once. Call this only while you hold the current model (see `hold`). */
  function replace(spec: ModelSpec): void {
    if (isSameModel(spec, wanted)) {
      wanted = spec;
      return;
    }
    // Close the current model before the next one loads, because memory may not hold both.
    if (current) drop(current.remote, new AppError('load-cancelled', 'Another model takes its place.'));
    wanted = spec;
  }

  return {
    get spec() {
      return wanted;
    },
    /** Waits until nobody holds another model, then selects this one. Resolves to a function that releases it. Rejects when `signal` aborts. */
    async hold(spec: ModelSpec, signal: AbortSignal): Promise<() => void> {
      while (holders > 0 && !isSameModel(spec, wanted)) {
        await untilAborted(new Promise<void>((resolve) => waiting.push(resolve)), signal);
      }
      holders += 1;
      replace(spec);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holders -= 1;
        if (holders > 0) return;
        for (const wake of waiting) wake();
        waiting = [];
      };
    },
    replace,
    load: (): Promise<void> => load().loading,
    cancel(): void {
      if (current) drop(current.remote, new AppError('load-cancelled', 'Loading was cancelled.'));
    },
    respond,
    async measure(...given: Parameters<ChatModel['measure']>) {
      for (let tries = 1; ; tries++) {
        const { remote, loading } = load();
        await loading;
        try {
          return await remote.measure(...given);
        } catch (error) {
          if (!isEngineMovedError(error) || tries === maxAttempts) throw error;
          drop(remote, createMovedError());
        }
      }
    },
  };
}

/** Maximum attempts per request, because some requests crash every engine. */
const maxAttempts = 4;

/** Compares specs as JSON, but ignores all sampling settings except the seed, because each request contains its own sampling settings. */
function isSameModel({ sampling: one, ...rest }: ModelSpec, { sampling: other, ...others }: ModelSpec) {
  return one.seed === other.seed && JSON.stringify(rest) === JSON.stringify(others);
}

export type SilenceLimits = typeof silenceLimits;

export const silenceLimits = {
  /** Maximum milliseconds without load progress. Must be longer than the engines' own timeouts. */
  loadMs: 600_000,
  /** Minimum limit for the first token. A longer prompt or a slower device gets more time. */
  firstTokenMs: 180_000,
  /** Limit for the first token while we do not know how fast the model reads here. */
  unknownSpeedMs: 300_000,
  betweenTokensMs: 30_000,
  slowMs: 10_000,
};

/** How many times longer than expected a model may read its prompt. A chip that heats up or draws other pages becomes slower. */
const readingPatience = 3;
/** Minimum number of tokens to measure a speed with. The fixed cost of a request would dominate a shorter prompt. */
const minMeasuredTokens = 64;

/** Returns the maximum milliseconds of silence while the model reads its prompt. WebLLM reports no progress, so the limit must cover all of it. */
function firstTokenLimit(
  { firstTokenMs, unknownSpeedMs }: SilenceLimits,
  promptTokens: number | undefined,
  readingMs: number | undefined,
): number {
  if (promptTokens === undefined || readingMs === undefined) return unknownSpeedMs;
  return Math.max(firstTokenMs, readingPatience * promptTokens * readingMs);
}

/** Returns the milliseconds that the model took to read one token. Undefined if the reply cannot tell. */
function readingMsOf({ prefilledTokens, firstTokenMs }: Usage): number | undefined {
  if (firstTokenMs === undefined || prefilledTokens < minMeasuredTokens) return undefined;
  return firstTokenMs / prefilledTokens;
}

/** Reports an engine that is silent. Call `restart` at each sign of life, with the maximum milliseconds until the next one. */
function createSilenceWatch(
  slowMs: number,
  giveUp: (reason: AppError) => void,
  onSlow: (isSlow: boolean) => void = () => undefined,
) {
  let isSlow = false;
  let timers: ReturnType<typeof setTimeout>[] = [];
  let endQuestion: (() => void) | undefined;

  const setSlow = (value: boolean) => {
    if (isSlow === value) return;
    isSlow = value;
    onSlow(value);
  };
  const stop = () => {
    timers.forEach(clearTimeout);
    timers = [];
    setSlow(false);
    endQuestion?.();
  };
  return {
    stop,
    /** With `asker`, asks the user at the limit instead of giving up. Without an answer, we keep waiting. */
    restart(ms: number, asker?: Pick<HostOptions, 'onSilent' | 'onSilenceEnd'>): void {
      stop();
      /** Runs at the end of the `times`-th period of silence. */
      const tell = (times: number) => {
        const silentMs = ms * times;
        const end = () => giveUp(new AppError('engine-timeout', `No sign of life for ${silentMs / 1000} s.`));
        let isOpen = true;
        /** Ignores an answer that comes after the silence has ended. */
        const answer = (act: () => void) => () => {
          if (!isOpen) return;
          endQuestion?.();
          act();
        };
        const keepWaiting = answer(() => timers.push(setTimeout(() => tell(times + 1), ms)));
        const silence = { ms: silentMs, keepWaiting, giveUp: answer(end) };
        if (!asker?.onSilent(silence)) end();
        else
          endQuestion = () => {
            isOpen = false;
            endQuestion = undefined;
            asker.onSilenceEnd(silence);
          };
      };
      timers = [setTimeout(() => setSlow(true), slowMs), setTimeout(() => tell(1), ms)];
    },
  };
}
