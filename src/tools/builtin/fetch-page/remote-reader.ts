/** The page's end of the worker that reads HTML: one worker a page, ended with it. */
import { releaseProxy, wrap } from 'comlink';
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
  return async (html, url, signal) => {
    signal.throwIfAborted();
    const worker = startWorker();
    const remote = wrap<ReadPageWorkerApi>(worker);
    const over = new AbortController();
    try {
      return await new Promise<PageText>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error('This page is too large or too tangled to be read here.')),
          limitMs,
        );
        const listen = { signal: over.signal };
        over.signal.addEventListener('abort', () => clearTimeout(timer));
        signal.addEventListener('abort', () => reject(signal.reason as Error), listen);
        worker.addEventListener('error', () => reject(new Error('This page could not be read.')), listen);
        remote
          .read(html, url)
          .then(resolve, () => reject(new Error('This page is built in a way that cannot be read here.')));
      });
    } finally {
      over.abort();
      remote[releaseProxy]();
      worker.terminate();
    }
  };
}
