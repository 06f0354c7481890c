/** Page side of the worker that searches a long result. Each text has its own worker, which lives until the signal aborts. */
import { createWorkerClient } from '../../platform/worker-client';
import type { FindParts, RelevantPart } from '../../text/relevant-part';

/** The worker's interface. Parameters are `unknown` because Comlink does not check arguments. */
export interface PartsWorkerApi {
  /** Must be called first, and only once. Returns whether any word of the query occurs in the text. */
  open: (text: unknown, options: unknown) => boolean;
  within: (maxCharacters: unknown) => RelevantPart;
}

/** Timeout in milliseconds for one answer, including the start of the worker. */
const defaultTimeoutMs = 20_000;

export function createPartsFinder(startWorker: () => Worker, limitMs = defaultTimeoutMs): FindParts {
  const crashed = () => new Error('The worker that looked through this result broke down.');
  const tooSlow = () => new Error('Looking through this result took too long.');
  return async (text, options, signal) => {
    signal.throwIfAborted();
    const { ask, end } = createWorkerClient<PartsWorkerApi>(startWorker(), crashed);
    signal.addEventListener('abort', () => end(signal.reason as Error), { once: true });
    const waiting = () => ({ signal, limit: { ms: limitMs, error: tooSlow() } });
    const isFound = await ask((remote) => remote.open(text, options), waiting());
    return { isFound, within: (most) => ask((remote) => remote.within(most), waiting()) };
  };
}
