/** What the page itself tells: where it is, whether there is a network, and what nobody caught. */

interface PageEvents {
  /** Now, and whenever it changes. */
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

/** Vite asks for the styles of a part once, and takes them for there from then on: those that did not come are asked for with the next press. */
function askAgain({ target }: Event): void {
  if (!(target instanceof HTMLLinkElement)) return;
  const again = () => target.replaceWith(target.cloneNode());
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, again, { capture: true, once: true });
}

/** Resolves when what is on the page has been drawn; a hidden page is not drawn, and waits for nothing. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 300);
  });
}

/** Resolves when the page has nothing better to do, at the latest after so many milliseconds. */
export function whenIdle(timeout: number): Promise<void> {
  return new Promise((resolve) => {
    // Not in every browser.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout });
    else setTimeout(resolve, Math.min(timeout, 200));
  });
}

function textOf(fault: unknown): string {
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
