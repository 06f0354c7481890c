/** Converts the promise of a started watch into a cleanup function. It also works before the watch has started. */
export function toCleanup(watching: Promise<() => void>): () => void {
  return () => void watching.then((end) => end());
}
