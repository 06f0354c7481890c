/** The page's connection to a model worker. Comlink carries calls, and a separate port carries generated text. */
import { proxy, transfer } from 'comlink';
import { AppError } from '../../contracts/app-error';
import { ContextUse, LoadProgress, ModelEvent, type ModelSpec } from '../../contracts/model';
import { z } from '../../contracts/schema';
import { untilAborted } from '../../contracts/until-aborted';
import { hasSharedMemory } from '../../platform/wasm-features';
import { createWorkerClient, type WorkerClient } from '../../platform/worker-client';
import { toFault } from '../engine';
import type { RunningModel } from './running-model';
import type { EmbedderWorkerApi, ModelWorkerApi } from './serve-model';
import { appendEvent } from '../../contracts/chat-logic';
import { createInbox } from '../../contracts/inbox';
import type { AssistantMessage } from '../../contracts/message';
import { createStoppedEvent } from '../../contracts/pipeline';

const RemoteFailure = z.object({ failure: z.string() });
const EventBatch = z.union([z.array(ModelEvent), RemoteFailure]);

export function createRemoteModel(worker: Worker): RunningModel {
  /** Reports the loss of a loaded model even while no call is pending. */
  let tellLoss: ((fault: AppError) => void) | undefined;
  let isLoaded = false;
  const client = createWorkerClient<ModelWorkerApi>(worker, (detail) => {
    // If the worker reports an error without details before a model is loaded, the browser could not download the worker's code.
    const fault =
      detail === '' && !isLoaded
        ? new AppError('model-unreachable', 'The code of the model worker could not be fetched.')
        : new AppError('engine-crashed', detail || 'The model worker crashed.');
    // Report the loss only after the pending calls are rejected.
    queueMicrotask(() => tellLoss?.(fault));
    return fault;
  });
  return {
    async load(spec, onProgress, onLost) {
      const take = (progress: unknown) => onProgress(LoadProgress.parse(progress));
      const takeLoss = (fault: unknown) => onLost?.(toFault(z.string().parse(fault)));
      const failure = await client.ask((remote) => remote.load(spec, proxy(take), proxy(takeLoss)));
      if (failure !== undefined) throw toFault(failure);
      tellLoss = onLost;
      isLoaded = true;
    },
    async measure(messages, tools, summary) {
      const request = { messages, tools, toolChoice: 'auto', ...(summary && { summary }) };
      return ContextUse.parse(await client.ask((remote) => remote.measure(request)));
    },
    respond(request, signal) {
      const { port1: port, port2 } = new MessageChannel();
      const stopFlag = hasSharedMemory() ? new SharedArrayBuffer(4) : undefined;
      const sender: ReplySender = {
        ask({ push, fail }) {
          port.onmessage = ({ data }: MessageEvent<unknown>) => {
            const batch = EventBatch.safeParse(data);
            if (!batch.success) fail(batch.error);
            else if ('failure' in batch.data) fail(new Error(batch.data.failure));
            else push(batch.data);
          };
          // Ignore when this call resolves: the last batch may still arrive through the port. Only a rejection ends the reply.
          client.ask((remote) => remote.respond(request, transfer(port2, [port2]), stopFlag)).catch(fail);
        },
        stop() {
          port.postMessage('stop');
          if (stopFlag) Atomics.store(new Int32Array(stopFlag), 0, 1);
        },
        close: () => port.close(),
      };
      return streamReply(sender, signal);
    },
    close: client.end,
  };
}

export interface ReplyInbox {
  push: (events: readonly ModelEvent[]) => void;
  fail: (reason: unknown) => void;
}

interface ReplySender {
  ask: (inbox: ReplyInbox) => void;
  /** Asks the engine to end the reply early. May be called twice. */
  stop: () => void;
  /** Milliseconds after `stop` at which the stream ends anyway. Absent: the stream waits for the engine. */
  patienceMs?: () => number;
  close: () => void;
}

/** Yields the events passed to `push`. Throws the reason passed to `fail`. */
export async function* streamReply(sender: ReplySender, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const inbox = createInbox<readonly ModelEvent[]>();
  let content: AssistantMessage['content'] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    sender.stop();
    if (sender.patienceMs)
      timer ??= setTimeout(() => inbox.push([createStoppedEvent(content)]), sender.patienceMs());
  };
  signal.addEventListener('abort', stop);
  sender.ask(inbox);
  if (signal.aborted) stop();

  let isWhole = false;
  try {
    for await (const events of inbox) {
      for (const event of events) {
        content = appendEvent(content, event);
        isWhole = event.type === 'finish';
        yield event;
        if (isWhole) return;
      }
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    if (!isWhole) sender.stop();
    sender.close();
  }
}

const EmbedResult = z.union([z.object({ vectors: z.array(z.instanceof(Float32Array)) }), RemoteFailure]);

export type Embedder = ReturnType<typeof createRemoteEmbedder>;

/** Timeouts in milliseconds, long enough for a large file on a slow disk and for texts on a slow processor. */
const [loadMs, embedMs] = [180_000, 300_000];

/** Starts the worker when texts arrive and ends it when idle. */
export function createRemoteEmbedder({
  startWorker,
  findModel,
  idleMs = 60_000,
}: {
  startWorker: () => Worker;
  /** Rejects with an `AppError` if the model is not on this device. */
  findModel: () => Promise<ModelSpec>;
  idleMs?: number;
}) {
  let current: { client: WorkerClient<EmbedderWorkerApi>; opening: Promise<void> } | undefined;
  let waiting = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    clearTimeout(timer);
    current?.client.end(new AppError('load-cancelled', 'It is not needed any more.'));
    current = undefined;
  }

  function open() {
    if (current && !current.client.ended.aborted) return current;
    const crashed = (text: string) => new AppError('engine-crashed', text || 'The embedding worker crashed.');
    const client = createWorkerClient<EmbedderWorkerApi>(startWorker(), crashed);
    const opening = findModel().then(async (model) => {
      const failure = await client.ask((remote) => remote.openEmbedder(model), {
        limit: createVectorTimeout(loadMs),
      });
      if (failure !== undefined) throw toFault(failure);
    });
    opening.catch(() => undefined);
    current = { client, opening };
    return current;
  }

  return {
    end,
    embed: async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
      signal.throwIfAborted();
      clearTimeout(timer);
      waiting += 1;
      try {
        const { client, opening } = open();
        await untilAborted(opening, signal);
        const asked = await client.ask((remote) => remote.embed(texts), {
          signal,
          limit: createVectorTimeout(embedMs),
        });
        const answer = EmbedResult.parse(asked);
        if ('failure' in answer) throw toFault(answer.failure);
        return answer.vectors;
      } finally {
        waiting -= 1;
        if (waiting === 0) timer = setTimeout(end, idleMs);
      }
    },
  };
}

function createVectorTimeout(ms: number) {
  return { ms, error: new AppError('engine-timeout', `No vectors within ${ms / 1000} s.`) };
}
