/** Calls `task` when the browser is idle, after a second at the latest. */
export function runWhenIdle(task: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(() => task(), { timeout: 1000 });
  else setTimeout(task, 30);
}
