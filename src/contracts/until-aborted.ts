/** Settles like `work`, or rejects with the signal's reason when it aborts. An abort ends the wait, but not the work. */
export function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Waits `ms` milliseconds. Rejects with the signal's reason when it aborts. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await untilAborted(over, signal).finally(() => clearTimeout(timer));
}
