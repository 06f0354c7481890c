/** Returns a function that runs a task. Calls during a run cause one more run. The promise settles when all runs have ended. */
export function coalesce(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isStale = false;

  async function runUntilFresh(): Promise<void> {
    try {
      while (isStale) {
        isStale = false;
        await task();
      }
    } finally {
      // Clear `running` right after the last check of `isStale`. A call between the two would not run the task.
      running = undefined;
    }
  }

  return () => {
    isStale = true;
    running ??= runUntilFresh();
    return running;
  };
}
