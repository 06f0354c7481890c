/** Caches the whole app for offline use: shell, engine and built-in model. A new version waits until the page activates it. */
import { addPlugins, cleanupOutdatedCaches, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import headlines from '../CHANGELOG.md?headlines';
import { hasRelaxedSimd } from '../src/platform/wasm-features';
import { storeShare, sharePath } from '../src/platform/shared-items';
import { applyUpdateMessage, abortRequestsMessage, listNewsMessage } from '../src/platform/update-messages';

/** See scripts/precache-sums.js. */
interface SiteFile extends PrecacheEntry {
  scripts?: string[];
  isOnDemand?: true;
}

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

const siteFiles = self.__WB_MANIFEST as SiteFile[];
const filesByUrl = new Map(siteFiles.map((file) => [new URL(file.url, self.location.href).href, file]));
/** The browser checks large files while they load. We check the others ourselves, and ask the host again if one is wrong. */
const isLarge = ({ url }: PrecacheEntry) => /\.(?:wasm|gguf)$/.test(url);

cleanupOutdatedCaches();
const onDemandCacheName = 'later-files';
/** Cancels requests. A request that hangs would delay a new version for minutes. */
let aborter = new AbortController();
const abortablePlugin = {
  requestWillFetch: ({ request }: { request: Request }) =>
    Promise.resolve(new Request(request, { signal: AbortSignal.any([request.signal, aborter.signal]) })),
};
// Large files have a checksum (scripts/precache-sums.js). Use the browser's cached copy unless it is damaged or outdated.
addPlugins([
  {
    async requestWillFetch({ request }) {
      if (!request.integrity) return request;
      const kept = new Request(request, { cache: 'default' });
      // eslint-disable-next-line no-restricted-globals -- a file of the manifest, which is of our own origin.
      const whole = await fetch(kept.clone()).catch(() => undefined);
      return whole ? kept : new Request(request, { cache: 'reload' });
    },
  },
  abortablePlugin,
  {
    fetchDidSucceed: ({ request, response }) => requireRightContent(request, response),
    // An older version of Hearth did not check what it cached.
    async cachedResponseWillBeUsed({ request, cachedResponse, event }) {
      if (event.type !== 'install' || !cachedResponse) return cachedResponse;
      return (await hasRightContent(request, cachedResponse)) ? cachedResponse : null;
    },
  },
]);

/** A host may answer with its start page, or with a file of another version of Hearth. Rejects if it does so twice. */
async function requireRightContent(request: Request, response: Response): Promise<Response> {
  if (await hasRightContent(request, response)) return response;
  const again = new Request(request.url, { cache: 'reload', signal: aborter.signal });
  // eslint-disable-next-line no-restricted-globals -- a file of the manifest, which is of our own origin.
  const second = await fetch(again);
  if (await hasRightContent(request, second)) return second;
  throw new TypeError(`The host answered with another file: ${request.url}`);
}

async function hasRightContent({ url: asked, integrity }: Request, response: Response): Promise<boolean> {
  const { origin, pathname } = new URL(asked);
  const file = filesByUrl.get(origin + pathname);
  if (!file || integrity !== '') return true;
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !hasRightType(pathname, type)) return false;
  const content = await response.clone().arrayBuffer();
  if (file.scripts) {
    const page = new TextDecoder().decode(content);
    return file.scripts.every((script) => page.includes(script));
  }
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  return file.integrity === `sha256-${btoa(String.fromCharCode(...sum))}`;
}

function hasRightType(path: string, type: string): boolean {
  const needed = [
    { ending: '.html', type: /^text\/html\b/i },
    { ending: '.js', type: /\b(?:java|ecma)script\b/i },
    { ending: '.css', type: /^text\/css\b/i },
  ].find(({ ending }) => path.endsWith(ending));
  return needed?.type.test(type) ?? true;
}

// Files of the CPU engine. The install handler below caches only the build that this browser runs.
const isEngineFile = ({ url }: PrecacheEntry) => /\/llama-(?:threads|relaxed|plain)-/.test(url);
precacheAndRoute(
  siteFiles
    .filter((file) => !file.isOnDemand && !isEngineFile(file))
    .map(({ url, revision, integrity }) => ({
      url,
      revision: revision ?? null,
      ...(integrity && isLarge({ url }) && { integrity }),
    })),
  { ignoreURLParametersMatching: [/.*/] },
);
// A page needs only one of the three CPU builds of the engine (see `listBuilds` in engines/llama/program.ts).
self.addEventListener('install', (event) => {
  event.waitUntil(cacheEngine(siteFiles.filter(isEngineFile)));
});

async function cacheEngine(entries: readonly PrecacheEntry[]): Promise<void> {
  const build = !hasRelaxedSimd() ? 'plain' : (await isIsolated()) ? 'threads' : 'relaxed';
  const cache = await caches.open(onDemandCacheName);
  for (const { url, integrity } of entries) {
    if (!url.includes(`/llama-${build}-`) || (await cache.match(url))) continue;
    const request = new Request(url, { signal: aborter.signal, ...(integrity && { integrity }) });
    // eslint-disable-next-line no-restricted-globals -- a file of the manifest, which is of our own origin.
    const load = (wanted: Request) => fetch(wanted);
    // If the checksum shows that the browser's cached copy is damaged, download the file again.
    const whole = await load(request).catch(() => load(new Request(request, { cache: 'reload' })));
    await cache.put(url, whole);
  }
}

async function isIsolated(): Promise<boolean> {
  // eslint-disable-next-line no-restricted-globals -- this is the page itself.
  const { headers } = await fetch(self.registration.scope, { signal: aborter.signal });
  return (
    headers.get('cross-origin-opener-policy') === 'same-origin' && headers.has('cross-origin-embedder-policy')
  );
}

// Files that are too large to cache for every visitor, see `cacheForOffline` in egress/own-files.ts. Their names contain a hash.
registerRoute(
  /\/assets\/((?:web-llm|read-pdf|read-document|ask-table|mcp\.worker)-[^/]*\.js|wllama-[^/]*\.wasm|llama-(?:threads|relaxed|plain)-[^/]*\.(?:js|wasm))$/,
  new CacheFirst({
    cacheName: onDemandCacheName,
    plugins: [
      abortablePlugin,
      { fetchDidSucceed: ({ request, response }) => requireRightContent(request, response) },
    ],
  }),
);

// Stores items shared by other apps (public/manifest.webmanifest) until the page reads them at startup.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.href === new URL(sharePath, self.registration.scope).href,
  async ({ request }) => {
    const isKept = await storeShare(request, `${Date.now()}-${crypto.randomUUID()}`).then(
      () => true,
      () => false,
    );
    return Response.redirect(new URL(isKept ? './' : './?share=failed', self.registration.scope), 303);
  },
  'POST',
);

// Opens the notification's chat in the tab that shows it, in any other tab, or in a new tab.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showChat(typeof event.notification.data === 'string' ? event.notification.data : ''));
});

async function showChat(hash: string): Promise<void> {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find(({ url }) => new URL(url).hash === hash) ?? tabs[0];
  if (!tab) {
    await self.clients.openWindow(new URL(hash, self.registration.scope));
    return;
  }
  // Send the message first, because the browser may not allow us to focus the tab.
  tab.postMessage(hash);
  await tab.focus().catch(() => undefined);
}

self.addEventListener('message', ({ data, ports }: ExtendableMessageEvent) => {
  if (data === applyUpdateMessage) void self.skipWaiting();
  if (data === listNewsMessage) ports[0]?.postMessage(headlines);
  if (data !== abortRequestsMessage) return;
  aborter.abort();
  aborter = new AbortController();
  ports[0]?.postMessage(true);
});
