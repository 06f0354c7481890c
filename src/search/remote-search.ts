/** The page's end of the worker that finds chats: started when it is needed, ended after a while without a question. */
import { AppError } from '../contracts/app-error';
import { readError } from '../contracts/error-code';
import type { IndexProgress, SearchAnswer } from '../contracts/search';
import { createWorkerClient, type WorkerClient } from '../platform/worker-client';

/** `failure`: what `writeError` wrote of it, as an error's code does not survive the border. */
export type Answered<Value> = { value: Value } | { failure: string };

/** What the worker exposes. Comlink clones arguments but does not check them: `unknown` says so. */
export interface SearchWorkerApi {
  /** Called first. */
  open: (names: unknown) => Promise<Answered<undefined>>;
  /** Looks at all chats, or at those of some ids: what is missing is then read in steps. */
  begin: (chatIds: unknown) => Promise<Answered<IndexProgress>>;
  /** Undefined where nothing is left. */
  step: () => Promise<Answered<IndexProgress | undefined>>;
  find: (question: unknown) => Promise<Answered<SearchAnswer>>;
  forget: () => Promise<Answered<undefined>>;
}

export interface RemoteSearch {
  /** Makes it ready for a question. */
  open: () => Promise<void>;
  begin: (chatIds?: readonly string[]) => Promise<IndexProgress>;
  step: () => Promise<IndexProgress | undefined>;
  /** The first `most` hits. */
  find: (query: string, most: number) => Promise<SearchAnswer>;
  /** Empties the index. */
  forget: () => Promise<void>;
  /** Ends the worker; what is asked next starts another. */
  end: () => void;
}

interface SearchOptions {
  startWorker: () => Worker;
  /** Of the databases: of the chats, and of the index. */
  names: { chats: string; index: string };
  /** Milliseconds without a question after which the worker is ended. */
  idleMs?: number;
}

/** Milliseconds for one answer, on a slow disk. */
const limitMs = 60_000;

/** All reject with an `AppError`. */
export function createRemoteSearch({ startWorker, names, idleMs = 120_000 }: SearchOptions): RemoteSearch {
  let current: { client: WorkerClient<SearchWorkerApi>; opening: Promise<void> } | undefined;
  let waiting = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    clearTimeout(timer);
    current?.client.end(broken('It is not needed any more.'));
    current = undefined;
  }

  function start() {
    if (current && !current.client.ended.aborted) return current;
    const client = createWorkerClient<SearchWorkerApi>(startWorker(), (detail) =>
      detail === '' ? new AppError('part-missing', 'The worker that searches.') : broken(detail),
    );
    const opening = ask(client, (remote) => remote.open(names)).then(() => undefined);
    opening.catch(() => {
      // Whoever asks next begins anew.
      if (current?.client === client) end();
    });
    current = { client, opening };
    return current;
  }

  async function call<Value>(
    question: (remote: WorkerClient<SearchWorkerApi>['remote']) => Promise<Answered<Value>>,
  ): Promise<Value> {
    clearTimeout(timer);
    waiting += 1;
    try {
      const { client, opening } = start();
      await opening;
      return await ask(client, question);
    } finally {
      waiting -= 1;
      if (waiting === 0) timer = setTimeout(end, idleMs);
    }
  }

  return {
    open: () => call(() => Promise.resolve({ value: undefined })),
    begin: (chatIds) => call((remote) => remote.begin(chatIds)),
    step: () => call((remote) => remote.step()),
    find: (query, most) => call((remote) => remote.find({ query, most })),
    forget: () => call((remote) => remote.forget()),
    end,
  };
}

async function ask<Value>(
  client: WorkerClient<SearchWorkerApi>,
  question: (remote: WorkerClient<SearchWorkerApi>['remote']) => Promise<Answered<Value>>,
): Promise<Value> {
  const limit = { ms: limitMs, error: broken(`No answer within ${limitMs / 1000} s.`) };
  const answer = await client.ask(question, { limit });
  if ('value' in answer) return answer.value;
  const { code = 'search-broken', detail } = readError(answer.failure);
  throw new AppError(code, detail);
}

function broken(detail: string): AppError {
  return new AppError('search-broken', detail);
}
