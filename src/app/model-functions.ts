/** Part of the composition root: actions of the screen on the model of the shown chat. */
import type { ModelName } from '../contracts/model-library';
import type { ModelFunctions } from '../state/model-status.svelte';
import type { AgentRuntime } from './agent-runtime';
import type { LoadedOnce } from './load-once';

interface ModelParts {
  runtime: LoadedOnce<Pick<AgentRuntime, 'load' | 'retry' | 'loadBeside' | 'host'>>;
  /** The model of the shown chat. */
  chosen: () => ModelName;
  /** Resolves when the page is idle. */
  whenIdle: () => Promise<void>;
  /** Milliseconds, from any start. */
  now: () => number;
}

/** Never rejects: a failed load is shown by its phase. */
export function createModelFunctions({ runtime, chosen, whenIdle, now }: ModelParts): ModelFunctions & {
  /** When the user last cancelled a load, by `now`. */
  cancelledAt: () => number;
} {
  const ignore = () => undefined;
  let cancelledAt = -Infinity;
  return {
    cancelledAt: () => cancelledAt,
    // Wait for an idle moment, so that the typed letter is drawn first.
    load: () =>
      void whenIdle()
        .then(runtime.load)
        .then(({ load }) => load(chosen()))
        .catch(ignore),
    retry: () =>
      void runtime
        .load()
        .then(({ retry }) => retry(chosen()))
        .catch(ignore),
    loadBeside: () =>
      runtime
        .load()
        .then(({ loadBeside }) => loadBeside(chosen()))
        .catch(ignore),
    cancel() {
      cancelledAt = now();
      void runtime.begun?.then(({ host }) => host.cancel()).catch(ignore);
    },
  };
}
