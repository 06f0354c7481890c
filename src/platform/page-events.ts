interface PageEvents {
  onHash: (hash: string) => void;
  onOnline: (isOnline: boolean) => void;
  onFault: (text: string) => void;
}

export function watchPage({ onHash, onOnline, onFault }: PageEvents): void {
  const tellOnline = () => onOnline(navigator.onLine);
  const tellHash = () => onHash(location.hash);
  window.addEventListener('hashchange', tellHash);
  window.addEventListener('online', tellOnline);
  window.addEventListener('offline', tellOnline);
  window.addEventListener('error', ({ error, message }) => onFault(textOf(error ?? message)));
  window.addEventListener('unhandledrejection', ({ reason }) => onFault(textOf(reason)));
  window.addEventListener('error', askAgain, { capture: true });
  tellOnline();
  tellHash();
}

/** Vite requests a stylesheet only once. If it failed to load, request it again with the next click or key. */
function askAgain({ target }: Event): void {
  if (!(target instanceof HTMLLinkElement)) return;
  const again = () => target.replaceWith(target.cloneNode());
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, again, { capture: true, once: true });
}

/** Resolves after the next paint. A hidden page is not painted, so there is a timeout. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 300);
  });
}

/** Resolves when the page is idle, after `timeout` milliseconds at the latest. */
export function whenIdle(timeout: number): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout });
    else setTimeout(resolve, Math.min(timeout, 200));
  });
}

function textOf(fault: unknown): string {
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}

export function isFramedElsewhere(): boolean {
  if (window.top === window.self) return false;
  try {
    return window.top?.location.origin !== window.location.origin;
  } catch {
    // Another site's location is not readable.
    return true;
  }
}
