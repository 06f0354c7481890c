/** The page's end of the model worker: an ordinary `ChatModel`. Comlink carries calls, a port of its own carries text. */
import { proxy, transfer } from 'comlink';
import { AppError } from '../../contracts/app-error';
import { readError } from '../../contracts/error-code';
import { ContextUse, LoadProgress, ModelEvent, type ReplyRequest } from '../../contracts/model';
import { z } from '../../contracts/schema';
import { createWorkerClient, type WorkerClient } from '../../platform/worker-client';
import type { RunningModel } from './running-model';
import { streamReply } from './reply-stream';

/** What the model worker exposes. Comlink clones arguments but does not check them: `unknown` says so. */
export interface ModelWorkerApi {
  /** Answers with `writeError` of what went wrong: an error's code does not survive the border. */
  load(
    request: unknown,
    onProgress: (progress: unknown) => void,
    /** Once, later: what the model runs on was lost, as `writeError` writes it. */
    onLost: (fault: unknown) => void,
  ): Promise<string | undefined>;
  /**
   * Posts arrays of `ModelEvent` to `port`, the last one ending with `finish`, or after them a `Failure`. Any message
   * from the page means stop. A worker that is busy hears none: `stopFlag` is shared memory that says the same by a number other than 0.
   */
  respond(request: unknown, port: MessagePort, stopFlag?: SharedArrayBuffer): Promise<void>;
  measure(request: unknown): Promise<unknown>;
}

const Batch = z.array(ModelEvent);
/** `writeError` of what ended the reply. */
const Failure = z.object({ failure: z.string() });

/** `close` ends the worker. */
export function createRemoteModel(worker: Worker): RunningModel {
  /** Once a model is loaded: it may be lost while nobody waits for anything. */
  let tellLoss: ((fault: AppError) => void) | undefined;
  let isLoaded = false;
  const client = createWorkerClient<ModelWorkerApi>(worker, (detail) => {
    // Before anything was loaded in it, that is its own code, which could not be fetched.
    const isMissing = detail === '' && !isLoaded;
    const fault = isMissing
      ? new AppError('model-unreachable', 'The code of the model worker could not be fetched.')
      : new AppError('engine-crashed', detail || 'The model worker crashed.');
    // Whoever waits for the worker hears of it first.
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
        // The call may return before the last batch arrives, so its return says nothing; its failure does.
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
