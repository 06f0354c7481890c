/** Calls back when the page has nothing else to do, or after a second. */
export function afterRest(task: () => void): void {
  // Not in every browser.
  if ('requestIdleCallback' in window) requestIdleCallback(() => task(), { timeout: 1000 });
  else setTimeout(task, 30);
}
