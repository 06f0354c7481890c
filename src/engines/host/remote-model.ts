/** The page's end of the model worker: a `ChatModel`. Comlink carries calls, and a separate port carries text. */
import { proxy, transfer } from 'comlink';
import { AppError } from '../../contracts/app-error';
import { readError } from '../../contracts/error-code';
import { ContextUse, LoadProgress, ModelEvent, type ReplyRequest } from '../../contracts/model';
import { z } from '../../contracts/schema';
import { createWorkerClient, type WorkerClient } from '../../platform/worker-client';
import type { RunningModel } from './running-model';
import { streamReply } from './reply-stream';

/** The worker's API. Comlink clones arguments without checking them, hence `unknown`. */
export interface ModelWorkerApi {
  /** Resolves to the failure as `writeError` writes it: Comlink drops an error's code. */
  load(
    request: unknown,
    onProgress: (progress: unknown) => void,
    /** Called once, after the load, if the model lost its GPU or memory. `fault` is written by `writeError`. */
    onLost: (fault: unknown) => void,
  ): Promise<string | undefined>;
  /**
   * Posts arrays of `ModelEvent` to `port`. The last one ends with `finish` or is followed by a `Failure`. Any message from the page means
   * stop; a busy worker cannot receive one, so `stopFlag` in shared memory says the same with a number other than 0.
   */
  respond(request: unknown, port: MessagePort, stopFlag?: SharedArrayBuffer): Promise<void>;
  measure(request: unknown): Promise<unknown>;
}

const Batch = z.array(ModelEvent);
const Failure = z.object({ failure: z.string() });

export function createRemoteModel(worker: Worker): RunningModel {
  /** Set once a model is loaded, which may be lost while nobody waits. */
  let tellLoss: ((fault: AppError) => void) | undefined;
  let isLoaded = false;
  const client = createWorkerClient<ModelWorkerApi>(worker, (detail) => {
    // An error without details before any load: the worker's own code could not be fetched.
    const isMissing = detail === '' && !isLoaded;
    const fault = isMissing
      ? new AppError('model-unreachable', 'The code of the model worker could not be fetched.')
      : new AppError('engine-crashed', detail || 'The model worker crashed.');
    // Callers that wait for the worker get the error first.
    queueMicrotask(() => tellLoss?.(fault));
    return fault;
  });
  return {
    async load(spec, onProgress, onLost) {
      const take = (progress: unknown) => onProgress(LoadProgress.parse(progress));
      const takeLoss = (fault: unknown) => onLost?.(faultOf(z.string().parse(fault)));
      const failure = await client.ask((remote) => remote.load(spec, proxy(take), proxy(takeLoss)));
      if (failure !== undefined) throw faultOf(failure);
      tellLoss = onLost;
      isLoaded = true;
    },
    async measure(messages, tools, summary) {
      const request = { messages, tools, toolChoice: 'auto', ...(summary && { summary }) };
      return ContextUse.parse(await client.ask((remote) => remote.measure(request)));
    },
    respond: (request, signal) => stream(client, request, signal),
    close: client.end,
  };
}

function faultOf(written: string): AppError {
  const { code = 'engine-crashed', detail } = readError(written);
  return new AppError(code, detail);
}

function stream(
  client: WorkerClient<ModelWorkerApi>,
  request: ReplyRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { port1: port, port2 } = new MessageChannel();
  const stopFlag = globalThis.crossOriginIsolated ? new SharedArrayBuffer(4) : undefined;
  return streamReply(
    {
      ask({ push, fail }) {
        port.onmessage = ({ data }: MessageEvent<unknown>) => {
          const batch = z.union([Batch, Failure]).safeParse(data);
          if (!batch.success) fail(batch.error);
          else if ('failure' in batch.data) fail(new Error(batch.data.failure));
          else push(batch.data);
        };
        // The call may return before the last batch arrives, so only its failure counts.
        client.ask((remote) => remote.respond(request, transfer(port2, [port2]), stopFlag)).catch(fail);
      },
      stop() {
        port.postMessage('stop');
        if (stopFlag) Atomics.store(new Int32Array(stopFlag), 0, 1);
      },
      close: () => port.close(),
    },
    signal,
  );
}
