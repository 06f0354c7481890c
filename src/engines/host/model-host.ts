/** Manages the page's only chat model: loads it when needed, monitors it, and replaces a worker that crashed or hangs. */
import { AppError } from '../../contracts/app-error';
import type { ErrorCode } from '../../contracts/error-code';
import type { ChatModel, LoadProgress, ModelEvent, ModelSpec, ReplyRequest } from '../../contracts/model';
import { stoppedEvent } from '../../contracts/pipeline';
import { untilAborted } from '../../contracts/until-aborted';
import { toFault } from '../engine';
import { engineOf } from '../registry';
import type { RunningModel } from './running-model';
import { isEngineMoved, engineMovedError } from './tabs/serve-tabs';

export type HostPhase =
  | { type: 'idle' }
  | { type: 'loading'; progress?: LoadProgress }
  /** `contextTokens` is set if it is only known after the load. */
  | { type: 'ready'; contextTokens?: number }
  /** `isLost`: the model had already been running. */
  | { type: 'failed'; code: ErrorCode; detail: string; isLost?: true };

export interface HostOptions {
  spec: ModelSpec;
  open: (spec: ModelSpec) => RunningModel;
  onPhase: (phase: HostPhase, spec: ModelSpec) => void;
  /** Called when a reply has shown no sign of life for a while, and when it shows one again. */
  onSlow: (isSlow: boolean) => void;
  onQueued: (isQueued: boolean) => void;
  limits: WatchLimits;
}

export type ModelHost = ReturnType<typeof createModelHost>;

export function createModelHost(options: HostOptions) {
  const { limits } = options;
  let wanted = options.spec;
  let holders = 0;
  /** Wakes each caller that waits until nobody holds another model. */
  let waiting: (() => void)[] = [];
  let current: { remote: RunningModel; loading: Promise<void> } | undefined;
  const losses = new Map<RunningModel, AppError>();
  const replies = new Set<{ isQueued: boolean }>();

  /** Closes a worker. Callers may close a worker twice, so this changes the state only for the current worker. */
  function drop(remote: RunningModel, reason: AppError): void {
    remote.close(reason);
    losses.delete(remote);
    if (current?.remote !== remote) return;
    current = undefined;
    options.onPhase({ type: 'idle' }, wanted);
    if (isEngineMoved(reason)) load();
  }

  /** Does not drop a running reply, because its remaining text is still arriving and it then ends by itself. */
  function dropIfLost(remote: RunningModel): void {
    const loss = losses.get(remote);
    if (!loss || replies.size > 0 || current?.remote !== remote) return;
    drop(remote, loss);
    if (isEngineMoved(loss)) return;
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
      // Progress arrives on its own port, possibly after the load has finished.
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

  /** Tells the user that another tab goes first, unless this page already has a running reply. */
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
        yield stoppedEvent();
        return;
      }
      if (yield* watched(remote, request, signal, tries === maxAttempts)) return;
    }
  }

  /** Returns false if the caller should retry. With `isLast`, it throws instead. */
  async function* watched(
    remote: RunningModel,
    request: ReplyRequest,
    signal: AbortSignal,
    isLast: boolean,
  ): AsyncGenerator<ModelEvent, boolean> {
    const { firstTokenMs } = limits;
    const betweenTokensMs = engineOf(wanted)?.mayPause ? firstTokenMs : limits.betweenTokensMs;
    const watch = createSilenceWatch(limits.slowMs, (reason) => drop(remote, reason), options.onSlow);
    watch.restart(firstTokenMs);
    const reply = { isQueued: false };
    const onQueued = (isQueued: boolean) => {
      reply.isQueued = isQueued;
      if (isQueued) watch.stop();
      else watch.restart(firstTokenMs);
      showQueue();
    };
    replies.add(reply);
    let hasSpoken = false;
    try {
      const asked = { ...request, sampling: request.sampling ?? wanted.sampling };
      for await (const event of remote.respond(asked, signal, onQueued)) {
        const isSaid = !['context', 'server-wait', 'prompt-progress'].includes(event.type);
        watch.restart(isSaid ? betweenTokensMs : firstTokenMs);
        hasSpoken ||= isSaid;
        yield event;
      }
      return true;
    } catch (error) {
      drop(remote, toFault(error));
      // The engine moved to another tab, or failed in another request before it started ours, so retry.
      if ((isEngineMoved(error) || reply.isQueued) && !hasSpoken && !isLast) return false;
      throw error;
    } finally {
      watch.stop();
      replies.delete(reply);
      showQueue();
      dropIfLost(remote);
    }
  }

  /** Switches to another model immediately. Only the current holder may call this. */
  function replace(spec: ModelSpec): void {
    if (isSameModel(spec, wanted)) {
      wanted = spec;
      return;
    }
    // Close it before the next model loads, because memory may not hold two models.
    if (current) drop(current.remote, new AppError('load-cancelled', 'Another model takes its place.'));
    wanted = spec;
  }

  return {
    get spec() {
      return wanted;
    },
    /**
     * Waits until nobody holds another model, then terminates its worker and selects this model without loading it. Resolves to a function
     * that releases the hold. Rejects when `signal` aborts.
     */
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
          if (!isEngineMoved(error) || tries === maxAttempts) throw error;
          drop(remote, engineMovedError());
        }
      }
    },
  };
}

/** Maximum number of attempts per request, because some requests crash every engine. */
const maxAttempts = 4;

/** Specs are plain data, so compare their JSON. Ignore the sampling, which is sent with each request. */
function isSameModel(
  { sampling: one, ...rest }: ModelSpec,
  { sampling: other, ...others }: ModelSpec,
): boolean {
  return one.seed === other.seed && JSON.stringify(rest) === JSON.stringify(others);
}

export type WatchLimits = typeof watchLimits;

export const watchLimits = {
  /** Maximum milliseconds without load progress. Longer than engines' own timeouts, and than processors need for instructions. */
  loadMs: 600_000,
  firstTokenMs: 180_000,
  betweenTokensMs: 30_000,
  slowMs: 10_000,
};

/** Reports when an engine shows no sign of life. Call `restart` at each sign, with the milliseconds until the next one is overdue. */
function createSilenceWatch(
  slowMs: number,
  onSilent: (reason: AppError) => void,
  onSlow: (isSlow: boolean) => void = () => undefined,
) {
  let isSlow = false;
  let timers: ReturnType<typeof setTimeout>[] = [];

  const setSlow = (value: boolean) => {
    if (isSlow === value) return;
    isSlow = value;
    onSlow(value);
  };
  const stop = () => {
    timers.forEach(clearTimeout);
    setSlow(false);
  };
  return {
    stop,
    restart(ms: number): void {
      stop();
      const tellSilent = () =>
        onSilent(new AppError('engine-timeout', `No sign of life for ${ms / 1000} s.`));
      timers = [setTimeout(() => setSlow(true), slowMs), setTimeout(tellSilent, ms)];
    },
  };
}
