/** Calls `task` when the browser is idle, or after a second. */
export function runWhenIdle(task: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(() => task(), { timeout: 1000 });
  else setTimeout(task, 30);
}
