/** Keeps the whole app on the device: shell, engine and built-in model. A new version waits until the page says so. */
import { cleanupOutdatedCaches, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

cleanupOutdatedCaches();
// Whatever stands after `?`, it is the same page.
precacheAndRoute(self.__WB_MANIFEST, { ignoreURLParametersMatching: [/.*/] });

// What is too large for every visitor, see `keepForOffline` of egress/own-files.ts. Its name changes with what is in it.
registerRoute(
  /\/assets\/(web-llm-[^/]*\.js|wllama-[^/]*\.wasm)$/,
  new CacheFirst({ cacheName: 'later-files' }),
);

self.addEventListener('message', ({ data }: ExtendableMessageEvent) => {
  if (data === 'apply-update') void self.skipWaiting();
});
