/** The page's end of the worker that reads HTML: one worker a page, ended with it. */
import { NotLoaded } from '../../../contracts/error-code';
import { createWorkerClient } from '../../../platform/worker-client';
import type { PageText } from './read-html';

/** What the worker exposes. Comlink clones arguments but does not check them: `unknown` says so. */
export interface ReadPageWorkerApi {
  read: (html: unknown, url: unknown) => PageText;
}

/** Rejects with a sentence for the model, or with the signal's reason. */
export type ReadPage = (html: string, url: string, signal: AbortSignal) => Promise<PageText>;

/** Milliseconds, the start of the worker included. */
const defaultLimit = 12_000;

/** A worker a page: what one page does to it, the next never meets. */
export function createPageReader(startWorker: () => Worker, limitMs = defaultLimit): ReadPage {
  const crashed = (detail: string) =>
    detail === '' ? new NotLoaded() : new Error('This page could not be read.');
  const tooLarge = () => new Error('This page is too large or too tangled to be read here.');
  return async (html, url, signal) => {
    signal.throwIfAborted();
    const { ask, end } = createWorkerClient<ReadPageWorkerApi>(startWorker(), crashed);
    const read = ask(
      (remote) =>
        remote.read(html, url).catch(() => {
          throw new Error('This page is built in a way that cannot be read here.');
        }),
      { signal, limit: { ms: limitMs, error: tooLarge() } },
    );
    return read.finally(() => end(new Error('The page was read.')));
  };
}
