/** Page side of the worker that searches a long result. Each text has its own worker, which lives until the signal aborts. */
import { createWorkerClient } from '../../platform/worker-client';
import type { FindParts } from '../../text/relevant-part';
import type { serveParts } from './serve-parts';

const defaultTimeoutMs = 20_000;

export function createPartsFinder(startWorker: () => Worker, limitMs = defaultTimeoutMs): FindParts {
  const crashed = () => new Error('The worker that looked through this result broke down.');
  return async (text, options, signal) => {
    signal.throwIfAborted();
    const { ask, end } = createWorkerClient<ReturnType<typeof serveParts>>(startWorker(), crashed);
    signal.addEventListener('abort', () => end(signal.reason as Error), { once: true });
    const limit = { ms: limitMs, error: new Error('Looking through this result took too long.') };
    const isFound = await ask((remote) => remote.open(text, options), { signal, limit });
    return { isFound, within: (most) => ask((remote) => remote.within(most), { signal, limit }) };
  };
}
