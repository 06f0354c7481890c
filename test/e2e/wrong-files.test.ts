/** Hosts that answer with another file. The service worker keeps only the right files, so the next visit works, even offline. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, expect } from 'vitest';
import { thorough, slow } from '../support/matrix';
import { ask, isOfflineReady, lastReply, openSite, type Site, turnEnds } from './site';

const dist = process.env['HEARTH_DIST'] ?? 'dist-e2e';

let site: Site;
afterEach(() => site.close());

const isStored = (page: Page, name: string) =>
  page.evaluate(async (name) => {
    for (const key of await caches.keys()) {
      for (const { url } of await (await caches.open(key)).keys())
        if (url.includes(name) && url.endsWith('.js')) return true;
    }
    return false;
  }, name);

async function worksOffline(page: Page): Promise<void> {
  await isOfflineReady(page);
  await site.cutNetwork();
  await page.reload();
  await ask(page, 'script\nstill here');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('still here');
  await page.evaluate(() => (location.hash = '#/personas'));
  await page.getByRole('heading', { level: 1, name: 'Personas' }).waitFor();
}

/** Returns how often the host has answered for a file. */
function countAnswers(isWrong: (file: string) => boolean) {
  const host = { isBroken: true, wrong: 0 };
  const rewrite = (file: string) => {
    if (!host.isBroken || !isWrong(file)) return file;
    host.wrong++;
    return 'index.html';
  };
  return { host, rewrite };
}

slow(
  'a start page that a host sends instead of a script is not kept, and the host is asked again',
  async () => {
    const { host, rewrite } = countAnswers((file) =>
      /^assets\/(?:screens|read-page\.worker)-.*\.js$/.test(file),
    );
    site = await openSite({ folder: dist, hasServiceWorker: true, rewrite });
    site.expectErrors(/MIME type|Failed to fetch|module script|ServiceWorker/);
    const { page } = site;
    // Asked once for the page or the installation, and once more because the answer was wrong.
    await expect.poll(() => host.wrong, { timeout: 30_000 }).toBeGreaterThan(2);
    for (const name of ['/assets/screens-', '/assets/read-page.worker-'])
      expect(await isStored(page, name)).toBe(false);
    host.isBroken = false;
    await page.reload();
    await worksOffline(page);
  },
);

thorough('a start page that is kept by an earlier version of Hearth is replaced', async () => {
  site = await openSite({ folder: dist, hasServiceWorker: true });
  const { page } = site;
  await isOfflineReady(page);
  await page.evaluate(async () => {
    const name = (await caches.keys()).find((key) => key.includes('precache')) ?? '';
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (/\/screens-[^/]*\.js$/.test(request.url))
        await cache.put(request, new Response('<html>', { headers: { 'content-type': 'text/html' } }));
    }
    const [registration] = await navigator.serviceWorker.getRegistrations();
    await registration?.unregister();
  });
  await page.reload();
  await worksOffline(page);
});

thorough(
  'a half deployed version and a version that is rolled back leave a working one',
  { timeout: 180_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hearth-site-'));
    await cp(dist, folder, { recursive: true });
    const worker = join(folder, 'service-worker.js');
    const home = join(folder, 'index.html');
    const [oldWorker, oldHome] = await Promise.all([readFile(worker, 'utf8'), readFile(home, 'utf8')]);
    site = await openSite({ folder, hasServiceWorker: true });
    site.expectErrors(/404|Failed|ServiceWorker|bad-precaching|another file/);
    const { page } = site;
    await isOfflineReady(page);
    const script =
      (await readdir(join(folder, 'assets'))).find((name) => /^screens-.*\.js$/.test(name)) ?? '';
    const newScript = script.replace(/-[\w-]{8}\.js$/, '-NEWNEWNE.js');
    const rename = (text: string) => text.replaceAll(script, newScript);
    // The new start page and worker are there, but the new script is not.
    await writeFile(worker, rename(oldWorker));
    await writeFile(home, `${oldHome}<!-- new -->`);
    await page.reload();
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update().catch(() => undefined);
      const { installing } = registration;
      if (installing)
        await new Promise(
          (resolve) => (installing.onstatechange = () => installing.state === 'redundant' && resolve(0)),
        );
    });
    expect(await isStored(page, newScript)).toBe(false);
    // The host goes back to the version before.
    await writeFile(worker, oldWorker);
    await writeFile(home, oldHome);
    await page.reload();
    await worksOffline(page);
    await rm(folder, { recursive: true });
  },
);
