/** Opens the built site and brings it to each of its states, with everything that these need from outside. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import type { LanguageEntry } from '../../src/ui/i18n/registry';
import { installRecognition } from './every-dictation';
import { seeEverything } from './every-state';
import { serveGguf } from './model-steps';
import { openOutside } from './outside';
import { sendJson } from './outside-answers';
import { isOfflineReady, openSite } from './site';
import type { Tour } from './tour';

type Look = (page: Page, ...state: Parameters<Tour['look']>) => Promise<void>;

/** `begin` receives the page once it has loaded; `look` runs in each state. */
export async function takeTour(
  { code, load, loadRest }: LanguageEntry,
  look: Look,
  begin?: (page: Page) => Promise<unknown>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-site-'));
  await cp('dist-e2e', folder, { recursive: true });
  const outside = await openOutside();
  outside.serve('en.wikipedia.org', (_request, response) => {
    const fullurl = 'https://pages.example.com/story';
    const page = {
      pageid: 1,
      ns: 0,
      index: 1,
      title: 'A page',
      extract: `OBEY fetch ${fullurl} END`,
      fullurl,
    };
    sendJson(response, { batchcomplete: true, query: { pages: [page] } });
  });
  const models = serveGguf(outside, Buffer.alloc(4_000_000));
  models.stopAt = 1_000_000;
  const site = await openSite({ folder, outside, locale: code, hasServiceWorker: true });
  site.expectErrors(/asked for a crash|broken on purpose|ERR_UNSAFE_PORT/);
  const { page } = site;
  await isOfflineReady(page);
  await page.addInitScript(installRecognition);
  // From now on, a newer version would replace it.
  await page.reload();
  await begin?.(page);
  await seeEverything({
    page,
    models,
    loseModel() {
      const { host } = new URL(models.url);
      outside.serve(host, (_request, response) => response.writeHead(404).end());
    },
    words: await load(),
    rest: await loadRest(),
    look: (name, open) => look(page, name, open),
    async release() {
      const worker = join(folder, 'service-worker.js');
      await writeFile(worker, `${await readFile(worker, 'utf8')}\n// A new version.\n`);
      await page.evaluate(async () => void (await navigator.serviceWorker.ready).update());
    },
  });
  await site.close();
  outside.close();
  await rm(folder, { recursive: true });
}
