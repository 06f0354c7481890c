interface PageEventHandlers {
  onHash: (hash: string) => void;
  onOnline: (isOnline: boolean) => void;
  onFault: (text: string) => void;
}

export function watchPage({ onHash, onOnline, onFault }: PageEventHandlers): void {
  const tellOnline = () => onOnline(navigator.onLine);
  const tellHash = () => onHash(location.hash);
  window.addEventListener('hashchange', tellHash);
  window.addEventListener('online', tellOnline);
  window.addEventListener('offline', tellOnline);
  window.addEventListener('error', ({ error, message }) => onFault(toFaultText(error ?? message)));
  window.addEventListener('unhandledrejection', ({ reason }) => onFault(toFaultText(reason)));
  window.addEventListener('error', retryStylesheet, { capture: true });
  tellOnline();
  tellHash();
}

/** After a stylesheet fails to load, requests it again on the next click or key press. Vite tries only once. */
function retryStylesheet({ target }: Event): void {
  if (!(target instanceof HTMLLinkElement)) return;
  const again = () => target.replaceWith(target.cloneNode());
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, again, { capture: true, once: true });
}

/** Resolves in a task of its own, so that the page can respond before. Unlike timers, browsers do not slow it down in hidden tabs. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Resolves after the next paint, or after 300 ms, because browsers do not paint a hidden page. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 300);
  });
}

export function whenIdle(timeout: number): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout });
    else setTimeout(resolve, Math.min(timeout, 200));
  });
}

function toFaultText(fault: unknown): string {
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}

export function isFramedByOtherSite(): boolean {
  if (window.top === window.self) return false;
  try {
    return window.top?.location.origin !== window.location.origin;
  } catch {
    // Browsers do not let us read another site's location.
    return true;
  }
}
