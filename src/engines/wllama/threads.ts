/** PURE: on how many processor cores llama.cpp works, and whether they are any good to it. */
import type { DeviceFacts } from '../../platform/webgpu';

/** Its threads wait for each other by spinning: where others want the cores too, several are many times slower than one. */
const fewestCores = 5;
/** More share one memory, which is what a model waits for. */
const mostThreads = 8;

/** Of a page whose host sends the headers, half the cores, as far as there are enough. 1 elsewhere. */
export function threadsFor({ cores, isIsolated }: Pick<DeviceFacts, 'cores' | 'isIsolated'>): number {
  if (!isIsolated || cores < fewestCores) return 1;
  return Math.min(Math.floor(cores / 2), mostThreads);
}

/** Bytes of weights that one thread reads in a second where it is slow: a third of what was measured on a shared core. */
const slowBytesPerSecond = 5e8;
/** Milliseconds. What is quicker than this is quick enough, however small the model. */
const quickMs = 100;

/** Whether several threads take longer for a token than one thread of a slow device would. `bytes` are those of the weights. */
export function isSlowerThanOne(msPerToken: number, bytes: number): boolean {
  return msPerToken > Math.max(quickMs, (1000 * bytes) / slowBytesPerSecond);
}
