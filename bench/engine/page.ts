/** Starts the worker of this benchmark and passes each question on to it. Driven by `run.js`. */
import { wrap } from 'comlink';
import type { Timed } from './worker';

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
const remote = wrap<{
  measure: Ask<Timed>;
  write: Ask<unknown>;
  score: Ask<unknown>;
  loadAll: Ask<number[]>;
  answerAll: Ask<unknown>;
}>(worker);

type Ask<Answer> = (request: unknown) => Promise<Answer>;

declare global {
  interface Window {
    ask: Ask<Timed>;
    write: Ask<unknown>;
    score: Ask<unknown>;
    loadAll: Ask<number[]>;
    answerAll: Ask<unknown>;
  }
}
window.ask = (request) => remote.measure(request);
window.write = (request) => remote.write(request);
window.score = (request) => remote.score(request);
window.loadAll = (request) => remote.loadAll(request);
window.answerAll = (request) => remote.answerAll(request);
