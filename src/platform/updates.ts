/** Registers the service worker, and says when a new version of the app waits to take over. */
import { trustScriptUrl } from './trusted-types';

/** Returns what lets the new version take over, and starts the page anew with it. */
export function watchForUpdates(onReady: () => void): () => undefined {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  let waiting: ServiceWorker | null = null;
  // The dev server has no service worker to give.
  if (serviceWorker && import.meta.env.PROD) void register(serviceWorker);

  async function register(container: ServiceWorkerContainer): Promise<void> {
    const url = trustScriptUrl(new URL('service-worker.js', document.baseURI).href);
    // Without one the app works, only not offline: in a private window, or from a host without https.
    const registration = await container.register(url).catch(() => undefined);
    if (!registration) return;
    const check = () => {
      // With no controller this is the first visit: nothing is being replaced.
      if (!registration.waiting || !container.controller) return;
      waiting = registration.waiting;
      onReady();
    };
    check();
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', check);
    });
  }

  return () => {
    serviceWorker?.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting?.postMessage('apply-update');
    return undefined;
  };
}
