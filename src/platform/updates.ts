/** Registers the service worker and reports when a new version is waiting to take over. */
import type { AppUpdate } from '../contracts/app-update';
import { trustScriptUrl } from './trusted-types';
import { watchRegistration } from './watch-registration';

export async function watchForUpdates(onChange: (update: AppUpdate) => void): Promise<void> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  // The dev server has no service worker.
  if (!serviceWorker || !import.meta.env.PROD) return;
  const url = trustScriptUrl(new URL('service-worker.js', document.baseURI).href);
  // Registration fails in private windows or without HTTPS. The app then only works online.
  const registration = await serviceWorker.register(url).catch(() => undefined);
  if (registration) await watchRegistration(serviceWorker, registration, onChange);
}
