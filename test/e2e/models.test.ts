/** Models in the built site: downloads that survive faults, and the load after them. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { softwareGpu } from './fault-steps';
import { thorough, slow } from '../support/matrix';
import { type ModelRepository, openModelRepository } from './model-repository';
import { articleOf, openModels } from './model-steps';
import { ask, isOfflineReady, lastReply, openSite, type Site, turnEnds } from './site';

const folder = process.env['HEARTH_DIST'] ?? 'dist';
const shard = 600_000;

let site: Site;
let repository: ModelRepository;
let names = 0;
let id = '';

beforeAll(async () => {
  repository = await openModelRepository();
  site = await openSite({ folder, args: softwareGpu, hasServiceWorker: true });
  // The browser also logs a failing or missing server.
  site.expectErrors(/Failed to load resource/);
});
afterAll(async () => {
  await site.close();
  await repository.close();
});
afterEach(async () => {
  repository.stopAt = undefined;
  repository.mend();
  if ((await articleOf(site.page, id).count()) > 0) {
    await articleOf(site.page, id).getByRole('button', { name: 'Delete' }).click();
    await articleOf(site.page, id).waitFor({ state: 'detached' });
  }
  repository.forget();
});

const cardText = () => articleOf(site.page, id).innerText();
const statusText = () => articleOf(site.page, id).getByRole('status').innerText();
const button = (name: string) => articleOf(site.page, id).getByRole('button', { name, exact: true });
const shardsSent = () => [0, 1, 2].map((at) => repository.sent.get(`params_shard_${at}.bin`) ?? 0);

/** Each test gets its own model, so that it finds nothing stored by another, unless it shares a library. */
async function add(library = `${names + 1}`): Promise<void> {
  id = `Fake-${++names}`;
  const { page } = site;
  await openModels(page);
  const form = page.getByRole('region', { name: 'Add a model' });
  await form.getByLabel('Model URL').fill(`${repository.modelUrl}-${names}`);
  await form.getByLabel('Model ID').fill(id);
  await form
    .getByLabel('Model library URL')
    .fill(repository.libraryUrl.replace('library', `${library}/library`));
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await articleOf(page, id).waitFor();
}

const isWhole = () => button('Use').waitFor();
const fails = (pattern: RegExp) =>
  expect.poll(() => articleOf(site.page, id).getByRole('alert').innerText()).toMatch(pattern);

describe('the Models screen', () => {
  test('shows which models suit this device, and their sizes, before any download', async () => {
    await openModels(site.page);
    await expect
      .poll(() => site.page.getByRole('main').innerText())
      .toMatch(/For this device we recommend|will be slow/);
    const qwen = articleOf(site.page, 'Qwen2.5-0.5B-Instruct-q4f32_1-MLC');
    await expect.poll(() => qwen.innerText()).toMatch(/Download: about \d.* MB, once\. Memory: about/);
    const found = await site.page.getByRole('region', { name: 'Diagnostics' }).innerText();
    expect(found).toMatch(/no 16-bit numbers/);
  });

  test('refuses to add an invalid model and says what is wrong', async () => {
    const form = site.page.getByRole('region', { name: 'Add a model' });
    await form.getByLabel('Model URL').fill('nonsense');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(() => form.getByRole('alert').innerText()).toMatch(/full address/);
    await form.getByLabel('Model URL').fill('');
  });
});

describe('a model download', () => {
  slow('is verified when complete, listed with its size, and can be deleted', async () => {
    await add();
    await button('Download').click();
    await isWhole();
    expect(shardsSent()).toEqual([shard, shard, shard]);
    await expect.poll(cardText).toContain('Complete on this device: 1.8 MB');
    await button('Delete').click();
    await articleOf(site.page, id).waitFor({ state: 'detached' });
    const left = await site.page.evaluate(
      async () => (await (await caches.open('webllm/model')).keys()).length,
    );
    expect(left).toBe(0);
  });

  thorough('stays visible until the button for using the model appears', async () => {
    await add();
    const { page } = site;
    await articleOf(page, id).evaluate((article) => {
      const seen: string[] = [];
      const look = () => {
        const label = article.querySelector('.actions button')?.textContent.trim() ?? '';
        if (label !== seen.at(-1)) seen.push(label);
      };
      look();
      new MutationObserver(look).observe(article, { childList: true, subtree: true, characterData: true });
      Object.assign(window, { seen });
    });
    await button('Download').click();
    await isWhole();
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    expect(seen).toEqual(['Download', 'Pause', 'Use']);
  });

  thorough('shows its size while it runs', async () => {
    await add();
    await expect.poll(cardText).toContain('Size unknown until the download starts');
    repository.stopAt = 1;
    await button('Download').click();
    await expect.poll(shardsSent).toEqual([1, 1, 1]);
    await expect.poll(statusText).toContain('of 1.8 MB');
    expect(await cardText()).not.toContain('Size unknown until the download starts');
  });

  thorough('does not count as started if only a library shared with another model is stored', async () => {
    await add();
    const first = id;
    await button('Download').click();
    await isWhole();
    await add(`${names}`);
    await button('Download').waitFor();
    expect(await cardText()).not.toContain('downloaded');
    await articleOf(site.page, first).getByRole('button', { name: 'Delete' }).click();
    await articleOf(site.page, first).waitFor({ state: 'detached' });
  });

  thorough('pauses and resumes without requesting any data twice', async () => {
    await add();
    repository.stopAt = 250_000;
    await button('Download').click();
    await expect.poll(shardsSent).toEqual([250_000, 250_000, 250_000]);
    await expect.poll(statusText).toMatch(/7\d\d kB of 1.8 MB/);
    await button('Pause').click();
    await button('Resume').waitFor();
    repository.stopAt = undefined;
    await button('Resume').click();
    await isWhole();
    expect(shardsSent()).toEqual([shard, shard, shard]);
  });

  thorough('resumes automatically after a server outage', async () => {
    await add();
    repository.stopAt = 200_000;
    await button('Download').click();
    await expect.poll(shardsSent).toEqual([200_000, 200_000, 200_000]);
    // The server may have sent more than arrived. A cut download requests that part again.
    await expect.poll(statusText).toMatch(/6\d\d kB of/);
    await repository.cut();
    repository.stopAt = undefined;
    await repository.open();
    await isWhole();
    expect(shardsSent()).toEqual([shard, shard, shard]);
  });

  thorough('waits while the device is offline and resumes online', async () => {
    await add();
    repository.stopAt = 200_000;
    await button('Download').click();
    await expect.poll(shardsSent).toEqual([200_000, 200_000, 200_000]);
    await expect.poll(statusText).toMatch(/6\d\d kB of/);
    await site.context.setOffline(true);
    await repository.cut();
    await expect.poll(statusText).toMatch(/no network/);
    repository.stopAt = undefined;
    await repository.open();
    await site.context.setOffline(false);
    await isWhole();
    expect(shardsSent()).toEqual([shard, shard, shard]);
  });

  thorough('requests a damaged shard once more and reports it if it is still damaged', async () => {
    await add();
    const damaged = Buffer.alloc(shard, 7);
    let times = 0;
    repository.fail('params_shard_1.bin', (response) => {
      times += 1;
      response.writeHead(200, { 'content-length': shard }).end(damaged);
      return true;
    });
    await button('Download').click();
    await fails(/arrived damaged twice.*params_shard_1\.bin has the hash/);
    expect(times).toBe(2);
    repository.mend();
    await button('Resume').click();
    await isWhole();
  });

  thorough.for([
    {
      name: 'a missing shard',
      file: 'params_shard_2.bin',
      respond: { status: 404, type: 'text/plain', body: '' },
      said: /no such file.*answered 404/,
    },
    {
      name: 'a login page in place of a shard',
      file: 'params_shard_0.bin',
      respond: { status: 200, type: 'text/html', body: '<!doctype html><title>Hotel</title>' },
      said: /something other than the file/,
    },
    {
      name: 'a web page in place of a library',
      file: 'library.wasm',
      respond: { status: 200, type: 'application/wasm', body: '<html>no</html>' },
      said: /something other than the file/,
    },
    {
      name: 'a server that requires a login',
      file: 'mlc-chat-config.json',
      respond: { status: 401, type: 'text/plain', body: '' },
      said: /wants a login/,
    },
  ])(
    'ends with an error message and resumes once the fault is fixed: $name',
    async ({ file, respond, said }) => {
      await add();
      repository.fail(file, (response) => {
        response.writeHead(respond.status, { 'content-type': respond.type }).end(respond.body);
        return true;
      });
      await button('Download').click();
      await fails(said);
      repository.mend();
      await button('Resume').click();
      await isWhole();
    },
  );

  thorough('resumes an interrupted shard where it stopped', async () => {
    await add();
    let times = 0;
    repository.fail('params_shard_0.bin', (response) => {
      if (times++ > 0) return false;
      response.writeHead(200, { 'content-length': shard });
      response.write(Buffer.alloc(10));
      setTimeout(() => response.destroy(), 50);
      return true;
    });
    await button('Download').click();
    // The shard does not start with ten zeros. Its hash shows that, and it is downloaded again.
    await isWhole();
    expect(
      repository.requests.filter(({ name }) => name === 'params_shard_0.bin').map(({ range }) => range),
    ).toEqual([undefined, 'bytes=10-', undefined]);
  });

  // Chromium does not report the real free space, so only the write that does not fit shows it.
  thorough('keeps the received data if the disk is full, and resumes later', async () => {
    // Otherwise there would be no space for the app itself.
    await isOfflineReady(site.page);
    await add();
    const cdp = await site.context.newCDPSession(site.page);
    repository.stopAt = 1;
    await button('Download').click();
    await expect.poll(shardsSent).toEqual([1, 1, 1]);
    await button('Pause').click();
    await button('Resume').waitFor();
    repository.stopAt = undefined;
    const { origin } = new URL(site.url);
    const { usage } = await cdp.send('Storage.getUsageAndQuota', { origin });
    await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 1000 });
    await button('Resume').click();
    await fails(/not enough room/);
    await cdp.send('Storage.overrideQuotaForOrigin', { origin });
    await button('Resume').click();
    await isWhole();
  });
});

describe('a model download while the browser is killed', () => {
  let shared: Site;
  beforeAll(async () => {
    [shared, site] = [site, await openSite({ folder, args: softwareGpu, keepsProfile: true })];
  });
  afterAll(async () => {
    await site.close();
    site = shared;
  });

  thorough('loses no stored data and requests none of it again', async () => {
    await add();
    repository.stopAt = 300_000;
    await button('Download').click();
    await expect.poll(statusText).toMatch(/9\d\d kB of/);
    const page = await site.killAndReopen();
    repository.stopAt = undefined;
    await openModels(page);
    await expect.poll(() => articleOf(page, id).innerText()).toMatch(/9\d\d kB of 1.8 MB downloaded/);
    await button('Resume').click();
    await isWhole();
    expect(shardsSent()).toEqual([shard, shard, shard]);
    expect(repository.requests.filter(({ range }) => range === 'bytes=300000-')).toHaveLength(3);
  });
});

describe('a downloaded model', () => {
  thorough(
    'starts loading offline without a network request, and the user can choose another model',
    async () => {
      await add();
      await button('Download').click();
      await isWhole();
      await isOfflineReady(site.page);
      await repository.cut();
      await site.cutNetwork();
      const { page } = site;
      await page.reload();
      await openModels(page);
      const asked: string[] = [];
      site.context.on('request', (request) => asked.push(request.url()));
      await button('Use').click();
      await fails(/cannot be used: it is damaged, or made for another version/);
      expect(asked.filter((url) => !url.startsWith(site.url) && !url.startsWith('blob:'))).toEqual([]);

      await articleOf(page, 'ember').getByRole('button', { name: 'Use' }).click();
      await expect.poll(() => articleOf(page, 'ember').getByRole('status').innerText()).toBe('Running');
      await page.getByRole('button', { name: 'New chat' }).click();
      await ask(page, 'What is 17 * 23?');
      await turnEnds(page);
      await expect.poll(() => lastReply(page).innerText()).toContain('391');
    },
  );
});
