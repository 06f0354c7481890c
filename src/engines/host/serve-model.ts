/** The worker's side of a model or embedder: validates arguments, sends events in batches, and stops on request. */
import { AppError, writeError } from '../../contracts/app-error';
import { type LoadProgress, type ModelEvent, ModelSpec, ReplyRequest } from '../../contracts/model';
import { requireLoaded } from '../engine';
import type { LoadModel } from './running-model';
import { transfer } from 'comlink';
import { z } from '../../contracts/schema';
import type { Embed } from '../../contracts/tool';

export type ModelWorkerApi = ReturnType<typeof serveModel>;

/** Arguments are `unknown`, because Comlink does not validate them. Call `load` only once: to cancel, end the worker. */
export function serveModel(load: LoadModel) {
  let loading: ReturnType<LoadModel> = Promise.reject(new AppError('engine-crashed', 'No model is loaded.'));
  loading.catch(() => undefined);
  let stopFlag: Int32Array | undefined;
  const isStopped = () => stopFlag !== undefined && Atomics.load(stopFlag, 0) !== 0;

  return {
    /** Resolves to undefined, or to an error as text, because Comlink drops an error's code. `onLost` gets such text too. */
    async load(
      untrusted: unknown,
      onProgress: (progress: unknown) => void,
      onLost: (fault: unknown) => void,
    ): Promise<string | undefined> {
      try {
        loading = load(ModelSpec.parse(untrusted), {
          signal: new AbortController().signal,
          onProgress: throttleProgress(onProgress),
          onLost: (fault) => onLost(writeError(fault)),
          isStopped,
        });
        await loading;
        return undefined;
      } catch (error) {
        return writeError(error);
      }
    },

    /** Posts arrays of events to `port`. To stop the reply, post any message to `port` and set `flag`, which a busy worker sees sooner. */
    async respond(untrusted: unknown, port: MessagePort, flag?: SharedArrayBuffer): Promise<void> {
      const request = ReplyRequest.parse(untrusted);
      const abort = new AbortController();
      port.onmessage = () => abort.abort();
      stopFlag = flag && new Int32Array(flag);
      const batch = createEventBatch((events) => port.postMessage(events));
      const model = await loading;
      try {
        for await (const event of model.respond(request, abort.signal)) batch.push(event);
        batch.flush();
      } catch (error) {
        batch.flush();
        // Use the reply's port, so the failure arrives after the reply's events. Send a string, because a cloned error loses its code.
        port.postMessage({ failure: writeError(error) });
      } finally {
        stopFlag = undefined;
      }
    },

    async measure(untrusted: unknown): Promise<unknown> {
      const { messages, tools, summary } = ReplyRequest.parse(untrusted);
      return (await loading).measure(messages, tools, summary);
    },
  };
}

const minProgressIntervalMs = 100;

/** Sends at most ten reports per second and the last one, because the page renders each report. */
function throttleProgress(send: (progress: LoadProgress) => void): (progress: LoadProgress) => void {
  let sentAt = -Infinity;
  return (progress) => {
    const at = performance.now();
    if (progress.step !== 'start' && at - sentAt < minProgressIntervalMs) return;
    sentAt = at;
    send(progress);
  };
}

/** Sends the first event at once and gathers later ones for 16 ms, so the page does not wake for every token. */
function createEventBatch(send: (events: ModelEvent[]) => void) {
  let gathered: ModelEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.length === 0) return;
    send(gathered);
    gathered = [];
    timer = setTimeout(flush, 16);
  };
  return {
    flush,
    push(event: ModelEvent): void {
      const last = gathered.at(-1);
      if (isTextEvent(last) && isTextEvent(event) && last.type === event.type) last.text += event.text;
      else gathered.push({ ...event });
      if (timer === undefined) flush();
    },
  };
}

function isTextEvent(
  event?: ModelEvent,
): event is Extract<ModelEvent, { type: 'text-delta' | 'reasoning-delta' }> {
  return event?.type === 'text-delta' || event?.type === 'reasoning-delta';
}

/** Never aborts, because the page terminates the worker instead. */
const { signal } = new AbortController();

export type EmbedderWorkerApi = ReturnType<typeof serveEmbedder>;

/** Callers must call `openEmbedder` first, and only once. */
export function serveEmbedder(load: (model: ModelSpec, signal: AbortSignal) => Promise<Embed>) {
  let queue: Promise<unknown> = Promise.resolve();
  let embed: Embed | undefined;

  return {
    async openEmbedder(untrusted: unknown): Promise<string | undefined> {
      try {
        embed = await load(ModelSpec.parse(untrusted), signal);
        return undefined;
      } catch (error) {
        return writeError(error);
      }
    },

    /** Resolves to `vectors`, or to a `failure` as text from `writeError`. */
    async embed(untrusted: unknown): Promise<unknown> {
      const texts = z.array(z.string()).parse(untrusted);
      const made = queue.then(() => requireLoaded(embed)(texts, signal));
      queue = made.catch(() => undefined);
      try {
        const vectors = await made;
        return transfer(
          { vectors },
          vectors.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
        );
      } catch (error) {
        return { failure: writeError(error) };
      }
    },
  };
}
