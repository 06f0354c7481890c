/** A part of the composition root: what the screen does with the model of the chat that is shown. */
import type { ModelName } from '../contracts/model-library';
import type { ModelFunctions } from '../state/model-status.svelte';
import type { AgentRuntime } from './agent-runtime';
import type { LoadedOnce } from './load-once';

interface ModelParts {
  runtime: LoadedOnce<Pick<AgentRuntime, 'load' | 'retry' | 'loadBeside' | 'host'>>;
  /** The model of the chat that is shown. */
  chosen: () => ModelName;
  /** Resolves when the page has nothing better to do. */
  whenIdle: () => Promise<void>;
  /** Milliseconds, from any start. */
  now: () => number;
}

/** A load that fails shows itself by its phase, so nothing here rejects. */
export function createModelFunctions({ runtime, chosen, whenIdle, now }: ModelParts): ModelFunctions & {
  /** When the person last cancelled a load, by `now`. */
  cancelledAt: () => number;
} {
  const ignore = () => undefined;
  let cancelledAt = -Infinity;
  return {
    cancelledAt: () => cancelledAt,
    // Not at once: the letter that was typed is drawn first.
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
