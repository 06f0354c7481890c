/** Registers the service worker, which keeps the app on the device, and says when a new version of it waits to take over. */
import type { AppUpdate } from '../contracts/app-update';
import { trustScriptUrl } from './trusted-types';
import { watchRegistration } from './watch-registration';

/** Calls `onChange` for as long as the page lives. */
export async function watchForUpdates(onChange: (update: AppUpdate) => void): Promise<void> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  // The dev server has no service worker to give.
  if (!serviceWorker || !import.meta.env.PROD) return;
  const url = trustScriptUrl(new URL('service-worker.js', document.baseURI).href);
  // Without one the app works, only not offline: in a private window, or from a host without https.
  const registration = await serviceWorker.register(url).catch(() => undefined);
  if (registration) await watchRegistration(serviceWorker, registration, onChange);
}
