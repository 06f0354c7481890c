/** The page's side of the search worker. Starts the worker when needed and ends it when idle. */
import { AppError } from '../contracts/app-error';
import { readError } from '../contracts/error-code';
import { createWorkerClient, type WorkerClient } from '../platform/worker-client';
import type { WorkerAnswer, SearchWorkerApi } from './serve-search';

export type RemoteSearch = ReturnType<typeof createRemoteSearch>;

type WorkerRequest<Value> = (remote: WorkerClient<SearchWorkerApi>['remote']) => Promise<WorkerAnswer<Value>>;

/** Timeout for one response in milliseconds, generous for slow disks. */
const answerTimeoutMs = 60_000;

export function createRemoteSearch({
  startWorker,
  names,
  idleMs = 120_000,
}: {
  startWorker: () => Worker;
  names: { chats: string; index: string };
  idleMs?: number;
}) {
  let current: { client: WorkerClient<SearchWorkerApi>; opening: Promise<void> } | undefined;
  let waiting = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    clearTimeout(timer);
    current?.client.end(toError('It is not needed any more.'));
    current = undefined;
  }

  function start() {
    if (current && !current.client.ended.aborted) return current;
    const client = createWorkerClient<SearchWorkerApi>(startWorker(), (detail) =>
      detail === '' ? new AppError('part-missing', 'The worker that searches.') : toError(detail),
    );
    const opening = unwrapAnswer(client, (remote) => remote.open(names));
    opening.catch(() => {
      if (current?.client === client) end();
    });
    current = { client, opening };
    return current;
  }

  async function call<Value>(question: WorkerRequest<Value>): Promise<Value> {
    clearTimeout(timer);
    waiting += 1;
    try {
      const { client, opening } = start();
      await opening;
      return await unwrapAnswer(client, question);
    } finally {
      waiting -= 1;
      if (waiting === 0) timer = setTimeout(end, idleMs);
    }
  }

  return {
    open: (): Promise<void> => call(() => Promise.resolve({ value: undefined })),
    begin: (chatIds?: readonly string[]) => call((remote) => remote.begin(chatIds)),
    step: () => call((remote) => remote.step()),
    find: (query: string, most: number) => call((remote) => remote.find({ query, most })),
    forget: () => call((remote) => remote.forget()),
    end,
  };
}

async function unwrapAnswer<Value>(client: WorkerClient<SearchWorkerApi>, question: WorkerRequest<Value>) {
  const limit = { ms: answerTimeoutMs, error: toError(`No answer within ${answerTimeoutMs / 1000} s.`) };
  const answer = await client.ask(question, { limit });
  if ('value' in answer) return answer.value;
  const { code = 'search-broken', detail } = readError(answer.failure);
  throw new AppError(code, detail);
}

function toError(detail: string): AppError {
  return new AppError('search-broken', detail);
}
