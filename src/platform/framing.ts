/** Whether the page is inside a frame of another site, which could draw over our dialogs. */

export function isFramedElsewhere(): boolean {
  if (window.top === window.self) return false;
  try {
    return window.top?.location.origin !== window.location.origin;
  } catch {
    // Another site's location is not readable.
    return true;
  }
}
