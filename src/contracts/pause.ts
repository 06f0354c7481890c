/** Long work in the page pauses often, so that the page can respond. */

const maxSliceMs = 12;

/** Call it often. It resolves at once, unless the work has gone on for so long that the page must have its turn. */
export type Pause = () => Promise<void>;

export function createPause(): Pause {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < maxSliceMs) return;
    await nextTask();
    began = performance.now();
  };
}

/** Resolves in a new task. A timer would take up to a minute in a hidden page. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
