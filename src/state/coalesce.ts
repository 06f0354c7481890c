/** Returns a function that runs a task. Calls during a run cause one more run. The promise settles when all runs have ended. */
export function coalesce(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isStale = false;

  async function runUntilFresh(): Promise<void> {
    while (isStale) {
      isStale = false;
      await task();
    }
  }

  return () => {
    isStale = true;
    running ??= runUntilFresh().finally(() => (running = undefined));
    return running;
  };
}
