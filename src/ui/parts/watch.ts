/** Returns a cleanup function for an effect or an attachment, even if the watch has not started yet. */
export function toCleanup(watching: Promise<() => void>): () => void {
  return () => void watching.then((end) => end());
}
