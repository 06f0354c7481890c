/** The page's end of the model worker: an ordinary `ChatModel`. Comlink carries calls, a port of its own carries text. */
import { proxy, releaseProxy, type Remote, transfer, wrap } from 'comlink';
import { AppError, readError } from '../../contracts/app-error';
import { ContextUse, LoadProgress, ModelEvent, type ReplyRequest } from '../../contracts/model';
import { z } from '../../contracts/schema';
import { untilAborted } from '../../contracts/until-aborted';
import { grow } from '../../contracts/grow';
import type { AssistantMessage } from '../../contracts/message';
import { createInbox } from './inbox';
import type { RunningModel } from './running-model';

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
   * from the page means stop.
   */
  respond(request: unknown, port: MessagePort): Promise<void>;
  measure(request: unknown): Promise<unknown>;
}

const Batch = z.array(ModelEvent);
/** `writeError` of what ended the reply. */
const Failure = z.object({ failure: z.string() });

/** `close` ends the worker. */
export function createRemoteModel(worker: Worker): RunningModel {
  const remote = wrap<ModelWorkerApi>(worker);
  let isClosed = false;

  // A dead worker answers nothing any more: without this, every wait on it would last for ever.
  const lost = new AbortController();
  /** Once a model is loaded: it may be lost while nobody waits for anything. */
  let tellLoss: ((fault: AppError) => void) | undefined;
  const onCrash = (event: Event) => {
    const said = 'message' in event && typeof event.message === 'string' ? event.message : '';
    const fault = new AppError('engine-crashed', said || 'The model worker crashed.');
    lost.abort(fault);
    tellLoss?.(fault);
  };
  worker.addEventListener('error', onCrash);
  worker.addEventListener('messageerror', onCrash);

  return {
    async load(spec, tools, onProgress, onLost) {
      const take = (progress: unknown) => onProgress(LoadProgress.parse(progress));
      const takeLoss = (fault: unknown) => onLost?.(faultOf(z.string().parse(fault)));
      const loading = remote.load({ spec, tools }, proxy(take), proxy(takeLoss));
      const failure = await untilAborted(loading, lost.signal);
      if (failure !== undefined) throw faultOf(failure);
      tellLoss = onLost;
    },
    async measure(messages, tools) {
      const request = { messages, tools, toolChoice: 'auto' };
      return ContextUse.parse(await untilAborted(remote.measure(request), lost.signal));
    },
    respond: (request, signal) => stream(remote, request, signal, lost.signal),
    close(reason) {
      if (isClosed) return;
      isClosed = true;
      lost.abort(reason);
      remote[releaseProxy]();
      worker.terminate();
    },
  };
}

function faultOf(written: string): AppError {
  const { code = 'engine-crashed', detail } = readError(written);
  return new AppError(code, detail);
}

async function* stream(
  remote: Remote<ModelWorkerApi>,
  request: ReplyRequest,
  signal: AbortSignal,
  lost: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { port1: port, port2 } = new MessageChannel();
  const inbox = createInbox<ModelEvent[]>();
  const over = new AbortController();
  /** What has come of the reply. */
  let content: AssistantMessage['content'] = [];
  const stop = () => {
    port.postMessage('stop');
    // A GPU that reads a long prompt, or a grammar that is compiled, hears nothing for as long as it takes.
    timer ??= setTimeout(() => inbox.push([stopped(content)]), heardWithinMs);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;

  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const batch = z.union([Batch, Failure]).safeParse(data);
    if (!batch.success) inbox.fail(batch.error);
    else if ('failure' in batch.data) inbox.fail(new Error(batch.data.failure));
    else inbox.push(batch.data);
  };
  signal.addEventListener('abort', stop, { signal: over.signal });
  // The call may return before the last batch arrives, so its return says nothing; its failure does.
  untilAborted(remote.respond(request, transfer(port2, [port2])), lost).catch((error: unknown) =>
    inbox.fail(error),
  );
  if (signal.aborted) stop();

  try {
    for (;;) {
      for (const event of await inbox.next()) {
        content = grow(content, event);
        yield event;
        if (event.type === 'finish') return;
      }
    }
  } finally {
    port.postMessage('stop');
    clearTimeout(timer);
    over.abort();
    port.close();
  }
}

/** Milliseconds that a person who pressed Stop waits for an engine's own end of the reply. */
const heardWithinMs = 500;

/** The end of a reply whose engine has not ended it in time: it does so later, before it begins another. */
function stopped(content: AssistantMessage['content']): ModelEvent {
  return {
    type: 'finish',
    message: { role: 'assistant', content, finishReason: 'aborted' },
    usage: { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 },
  };
}
