/** Returns a function that ends a watch, for an effect or an attachment to return, even if the watch has not started yet. */
export function endOf(watching: Promise<() => void>): () => void {
  return () => void watching.then((end) => end());
}
