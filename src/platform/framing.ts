/** Whether the page stands in a frame of another site, which could lay its own things over a question of ours. */

export function isFramedElsewhere(): boolean {
  if (window.top === window.self) return false;
  try {
    return window.top?.location.origin !== window.location.origin;
  } catch {
    // Of another site nothing can be read.
    return true;
  }
}
