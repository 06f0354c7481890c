/** Starts the worker of this bench and hands each question on to it. Driven by `run.js`. */
import { wrap } from 'comlink';
import type { Timed } from './worker';

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
const remote = wrap<{ measure: (request: unknown) => Promise<Timed> }>(worker);

declare global {
  interface Window {
    ask: (request: unknown) => Promise<Timed>;
  }
}
window.ask = (request) => remote.measure(request);
