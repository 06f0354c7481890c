/** Keeps the whole app on the device: shell, engine and built-in model. A new version waits until the page says so. */
import { cleanupOutdatedCaches, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

cleanupOutdatedCaches();
// Whatever stands after `?`, it is the same page.
precacheAndRoute(self.__WB_MANIFEST, { ignoreURLParametersMatching: [/.*/] });

self.addEventListener('message', ({ data }: ExtendableMessageEvent) => {
  if (data === 'apply-update') void self.skipWaiting();
});
