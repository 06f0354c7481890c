/** The page's end of the worker that looks through one long result: a worker a text, ended when its signal aborts. */
import { createWorkerClient } from '../../platform/worker-client';
import type { FindParts, RelevantPart } from '../../text/relevant-part';

/** What the worker exposes. Comlink clones arguments but does not check them: `unknown` says so. */
export interface PartsWorkerApi {
  /** Called first, and once. Gives whether any word of the question is in the text. */
  open: (text: unknown, options: unknown) => boolean;
  within: (maxCharacters: unknown) => RelevantPart;
}

/** Milliseconds for one answer, the start of the worker included. */
const defaultLimit = 20_000;

export function createPartsFinder(startWorker: () => Worker, limitMs = defaultLimit): FindParts {
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
