/** Caches everything that the page requests. */
self.addEventListener('fetch', (event) => {
  event.respondWith(
    caches.open('bare').then(async (cache) => {
      const kept = await cache.match(event.request);
      if (kept) return kept;
      const response = await fetch(event.request);
      await cache.put(event.request, response.clone());
      return response;
    }),
  );
});
