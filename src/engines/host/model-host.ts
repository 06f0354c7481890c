/**
 * The one model of the page: loads it when first needed, watches its replies, and replaces a worker that died, hung or was
 * cancelled.
 */
import { AppError, writeError } from '../../contracts/app-error';
import { type ErrorCode, readError } from '../../contracts/error-code';
import type {
  ChatModel,
  ContextUse,
  LoadProgress,
  ModelEvent,
  ModelSpec,
  ReplyRequest,
} from '../../contracts/model';
import { stopped } from '../../contracts/pipeline';
import { untilAborted } from '../../contracts/until-aborted';
import { engineOf } from '../registry';
import type { RunningModel } from './running-model';
import { isMoved, moved } from './tabs/messages';
import { createWatch, type WatchLimits } from './watch';

export type HostPhase =
  | { type: 'idle' }
  | { type: 'loading'; progress?: LoadProgress }
  /** `contextTokens`: where only its engine knows them. */
  | { type: 'ready'; contextTokens?: number }
  /** `isLost`: it had started, and is gone. */
  | { type: 'failed'; code: ErrorCode; detail: string; isLost?: true };

export interface HostOptions {
  /** The first; `hold` puts another in its place. */
  spec: ModelSpec;
  /** Begins a life of a model; nothing is loaded yet. */
  open: (spec: ModelSpec) => RunningModel;
  /** Of the model that `spec` says at that moment. */
  onPhase: (phase: HostPhase, spec: ModelSpec) => void;
  /** A reply has given no sign of life for a while, or gives one again. */
  onSlow: (isSlow: boolean) => void;
  /** Another tab is answered first, or no longer. */
  onQueued: (isQueued: boolean) => void;
  limits: WatchLimits;
}

export interface ModelHost extends ChatModel {
  /** The model that is loaded, or would be with the next request. */
  readonly spec: ModelSpec;
  /**
   * Waits until nobody holds another model, ends that one's worker, and makes this one what is loaded. Nothing is
   * loaded yet. Resolves to what lets go. Rejects when `signal` aborts.
   */
  hold(spec: ModelSpec, signal: AbortSignal): Promise<() => void>;
  /** The holder's own: another model, at once. */
  replace(spec: ModelSpec): void;
  /** Once: a load that is running or done is the answer. Rejects with an `AppError`. */
  load(): Promise<void>;
  /** Ends a load; the next request starts another. */
  cancel(): void;
}

export function createModelHost(options: HostOptions): ModelHost {
  let wanted = options.spec;
  /** Turns under way with this model. */
  let holders = 0;
  let freed = createSignal();
  let current: { remote: RunningModel; loading: Promise<void> } | undefined;
  /** Why each worker can no longer be used, once it has lost the device or memory it runs on. */
  const losses = new Map<RunningModel, AppError>();
  /** Replies of this page that the engine runs or has queued. */
  const replies = new Set<{ isQueued: boolean }>();

  /** Ends this worker's life; only if it is still the current one, for its end may be noticed twice. */
  function drop(remote: RunningModel, reason: AppError): void {
    remote.close(reason);
    losses.delete(remote);
    if (current?.remote !== remote) return;
    current = undefined;
    options.onPhase({ type: 'idle' }, wanted);
    // It was there, and is wanted here as before.
    if (isMoved(reason)) load();
  }

  /** In the middle of a reply the reply ends with it by itself: what it has written is still on its way. */
  function dropIfLost(remote: RunningModel): void {
    const loss = losses.get(remote);
    if (!loss || replies.size > 0 || current?.remote !== remote) return;
    drop(remote, loss);
    if (isMoved(loss)) return;
    options.onPhase({ type: 'failed', code: loss.code, detail: loss.message, isLost: true }, wanted);
  }

  function load(): { remote: RunningModel; loading: Promise<void> } {
    if (current) return current;
    options.onPhase({ type: 'loading' }, wanted);
    const remote = options.open(wanted);
    const watch = createWatch(
      { ...options.limits, firstTokenMs: options.limits.loadMs, betweenTokensMs: options.limits.loadMs },
      {
        onSlow: () => undefined,
        onSilent: (seconds) => remote.close(silent(seconds)),
      },
    );
    let isOver = false;
    const onProgress = (progress: LoadProgress) => {
      // It comes by a port of its own, and may come after the end that it was sent before.
      if (isOver) return;
      watch.seen(true);
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
        watch.end();
      })
      .then(
        () => {
          if (current?.remote !== remote) return;
          const { contextTokens } = remote;
          options.onPhase({ type: 'ready', ...(contextTokens !== undefined && { contextTokens }) }, wanted);
        },
        (error: unknown) => {
          const failure =
            error instanceof AppError ? error : new AppError('engine-crashed', writeError(error));
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

  /** Tells the user that another tab comes first, unless a reply of this page is the one that runs. */
  function showQueue(): void {
    options.onQueued(replies.size > 0 && [...replies].every(({ isQueued }) => isQueued));
  }

  async function* respond(
    ...[request, signal]: Parameters<ChatModel['respond']>
  ): AsyncGenerator<ModelEvent> {
    for (let tries = 1; ; tries++) {
      const { remote, loading } = load();
      try {
        await untilAborted(loading, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        yield stopped();
        return;
      }
      if (yield* watched(remote, request, signal, tries === mostTries)) return;
    }
  }

  /** Returns whether the reply has come. Where `isLast`, it rejects instead. */
  async function* watched(
    remote: RunningModel,
    request: ReplyRequest,
    signal: AbortSignal,
    isLast: boolean,
  ): AsyncGenerator<ModelEvent, boolean> {
    const { limits } = options;
    const pauses = engineOf(wanted)?.pauses === true;
    const watch = createWatch(pauses ? { ...limits, betweenTokensMs: limits.firstTokenMs } : limits, {
      onSlow: options.onSlow,
      onSilent: (seconds) => drop(remote, silent(seconds)),
    });
    const reply = { isQueued: false };
    const onQueued = (isQueued: boolean) => {
      reply.isQueued = isQueued;
      if (isQueued) watch.pause();
      else watch.seen(false);
      showQueue();
    };
    replies.add(reply);
    let hasSpoken = false;
    try {
      const asked = { ...request, sampling: request.sampling ?? wanted.sampling };
      for await (const event of remote.respond(asked, signal, onQueued)) {
        const isSaid = !['context', 'server-wait', 'prompt-progress'].includes(event.type);
        watch.seen(isSaid);
        hasSpoken ||= isSaid;
        yield event;
      }
      return true;
    } catch (error) {
      const { code = 'engine-crashed', detail } = readError(writeError(error));
      drop(remote, new AppError(code, detail, { cause: error }));
      // The engine moved to another tab, or failed in the reply before this one: ask again.
      if ((isMoved(error) || reply.isQueued) && !hasSpoken && !isLast) return false;
      throw error;
    } finally {
      watch.end();
      replies.delete(reply);
      showQueue();
      dropIfLost(remote);
    }
  }

  function replace(spec: ModelSpec): void {
    if (isSame(spec, wanted)) {
      wanted = spec;
      return;
    }
    // Before the next one begins: two of them would not fit in memory.
    if (current) drop(current.remote, new AppError('load-cancelled', 'Another model takes its place.'));
    wanted = spec;
  }

  return {
    get spec() {
      return wanted;
    },
    async hold(spec, signal) {
      while (holders > 0 && !isSame(spec, wanted)) await untilAborted(freed.promise, signal);
      holders += 1;
      replace(spec);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holders -= 1;
        if (holders > 0) return;
        freed.resolve();
        freed = createSignal();
      };
    },
    replace,
    load: () => load().loading,
    cancel() {
      if (current) drop(current.remote, new AppError('load-cancelled', 'Loading was cancelled.'));
    },
    respond,
    async measure(...given): Promise<ContextUse> {
      for (let tries = 1; ; tries++) {
        const { remote, loading } = load();
        await loading;
        try {
          return await remote.measure(...given);
        } catch (error) {
          if (!isMoved(error) || tries === mostTries) throw error;
          drop(remote, moved());
        }
      }
    },
  };
}

/** A request that ends the tab of every engine that takes it must not go on to the next for ever. */
const mostTries = 4;

function silent(seconds: number): AppError {
  return new AppError('engine-timeout', `No sign of life for ${seconds} s.`);
}

/** Specs are plain data: the same words make the same model. How it samples is told with each request. */
function isSame({ sampling: one, ...rest }: ModelSpec, { sampling: other, ...others }: ModelSpec): boolean {
  return one.seed === other.seed && JSON.stringify(rest) === JSON.stringify(others);
}

function createSignal() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
