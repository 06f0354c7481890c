/** What opens the app from outside: shares through the service worker, files of the system, shortcuts. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { everyNth, thorough, slow } from '../support/matrix';
import { ask, dumpDatabase, isOfflineReady, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e', hasServiceWorker: true });
  await isOfflineReady(site.page);
});
afterAll(() => site.close());

const box = () => site.page.getByRole('textbox', { name: 'Message' });
const chips = () => site.page.getByRole('list', { name: 'Goes with the message' }).getByRole('listitem');
const keptShares = () =>
  site.page.evaluate(async () =>
    (await caches.has('shared')) ? (await (await caches.open('shared')).keys()).length : 0,
  );

/** Clears the message box and its draft, except for texts that were inserted once. Otherwise a page that is left at once may restore it. */
async function empty() {
  await box().fill('');
  const drafts = async () =>
    JSON.parse((await dumpDatabase(site.page))['drafts'] ?? '') as { text: string; attached?: unknown }[];
  await expect
    .poll(async () => (await drafts()).filter(({ text, attached }) => text || attached))
    .toEqual([]);
}

/** Shares as the system does: with a form from outside our pages. */
async function share(
  fields: Record<string, string>,
  files: { name: string; mimeType: string; buffer: Buffer }[] = [],
) {
  const { page } = site;
  await page.goto('about:blank');
  await page.setContent(
    `<form method="post" enctype="multipart/form-data" action="${site.url}share">
      ${Object.keys(fields)
        .map((name) => `<textarea name="${name}"></textarea>`)
        .join('')}
      <input type="file" name="files" multiple><button>Go</button></form>`,
  );
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(value);
  await page.locator('input').setInputFiles(files);
  await page.locator('button').click();
  await page.waitForURL((url) => url.href.startsWith(site.url));
}

describe('content shared from another program', () => {
  slow(
    'invariant: shared text is put into the message box, marked as shared, and never sent automatically',
    async () => {
      await share({ title: 'A story', text: 'Read it', url: 'https://pages.example.com/story' });
      await expect.poll(() => box().inputValue()).toBe('A story\nRead it\nhttps://pages.example.com/story');
      await expect
        .poll(() => chips().allInnerTexts())
        .toEqual([expect.stringContaining('Text from another program')]);
      expect(new URL(site.page.url()).search).toBe('');
      await expect.poll(keptShares).toBe(0);
      const { drafts = '', messages } = await dumpDatabase(site.page);
      expect(messages).toBe('[]');
      expect(drafts).toContain('"door":"shared"');
      // It is taken only once.
      await site.page.reload();
      await expect.poll(() => box().inputValue()).toBe('A story\nRead it\nhttps://pages.example.com/story');
      await site.page.getByRole('button', { name: 'Remove Text from another program' }).click();
      await expect.poll(() => box().inputValue()).toBe('');
      await empty();
    },
  );

  slow('shared files are attached, and unreadable ones are reported', async () => {
    await share({}, [
      { name: 'heights.csv', mimeType: 'text/csv', buffer: Buffer.from('name,height\nAr,42\n') },
      { name: 'odd.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2, 255, 254, 0]) },
    ]);
    await expect.poll(() => chips().allInnerTexts()).toEqual([expect.stringContaining('heights.csv')]);
    await site.page
      .getByText(/odd\.bin/)
      .first()
      .waitFor();
    await expect.poll(keptShares).toBe(0);
    await chips().getByRole('button').last().click();
    await empty();
  });

  slow('shared content survives closing the page and arrives at the next visit', async () => {
    const { page } = site;
    // As if the tab closed at once: only the service worker has seen the share.
    await page.evaluate(async () => {
      const form = new FormData();
      form.set('text', 'Kept for later');
      // eslint-disable-next-line no-restricted-globals -- the service worker takes it: it reaches no network.
      await fetch('share', { method: 'POST', body: form, redirect: 'manual' });
    });
    expect(await keptShares()).toBe(1);
    await page.reload();
    await expect.poll(() => box().inputValue()).toBe('Kept for later');
    await expect.poll(keptShares).toBe(0);
    await empty();
  });

  thorough('unreadable shared content does not block other shared content', async () => {
    const { page } = site;
    await page.evaluate(async () => {
      const cache = await caches.open('shared');
      await cache.put('./shared/0-broken', new Response('no form'));
      const form = new FormData();
      form.set('text', 'Behind it');
      await cache.put('./shared/1-whole', new Response(form));
    });
    await page.reload();
    await expect.poll(() => box().inputValue()).toBe('Behind it');
    await expect.poll(keptShares).toBe(0);
    await empty();
  });

  thorough('shared content that does not fit into the storage is reported as lost', async () => {
    const { page } = site;
    const session = await site.context.newCDPSession(page);
    const { origin } = new URL(site.url);
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
    await share({ text: 'No room for this' });
    await session.send('Storage.overrideQuotaForOrigin', { origin });
    const notice = page
      .getByRole('status')
      .filter({ hasText: 'What was shared with Hearth could not be kept' });
    await notice.waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await keptShares()).toBe(0);
    expect(await box().inputValue()).toBe('');
    await notice.getByRole('button', { name: 'Not now' }).click();
    await notice.waitFor({ state: 'hidden' });
  });
});

describe('clicking a notification', () => {
  /** Acts as the browser would, because a headless one has no notifications to press. Resolves to what is opened, if anything. */
  const press = (hash: string) =>
    site.context.serviceWorkers()[0]!.evaluate(async (hash) => {
      const worker = globalThis as unknown as EventTarget & {
        clients: { openWindow: (url: URL) => Promise<null> };
      };
      const opened: string[] = [];
      worker.clients.openWindow = async (url) => {
        opened.push(url.href);
        return null;
      };
      const waits: Promise<unknown>[] = [];
      worker.dispatchEvent(
        Object.assign(new Event('notificationclick'), {
          notification: { data: hash, close: () => opened.push('closed') },
          waitUntil: (wait: Promise<unknown>) => waits.push(wait),
        }),
      );
      await Promise.all(waits);
      return opened;
    }, hash);

  slow('opens its chat in a tab that is already open', async () => {
    const { page } = site;
    await ask(page, 'hello');
    await turnEnds(page);
    const chat = new URL(page.url()).hash;
    expect(chat).toMatch(/^#\/chat\//);
    await page.goto(`${site.url}#/tools`);
    expect(await press(chat)).toEqual(['closed']);
    await lastReply(page).waitFor();
    expect(new URL(page.url()).hash).toBe(chat);
  });

  slow('opens a new tab if none is open', async () => {
    const { page } = site;
    await page.goto('about:blank');
    expect(await press('#/chat/one')).toEqual(['closed', `${site.url}#/chat/one`]);
    await page.goto(site.url);
  });
});

slow('a file that the user opens with Hearth is attached', async () => {
  const page = await site.context.newPage();
  await page.addInitScript(() => {
    const files = [
      { getFile: async () => new File(['Oil and wicks.'], 'shopping.txt', { type: 'text/plain' }) },
    ];
    Object.defineProperty(globalThis, 'launchQueue', {
      value: { setConsumer: (take: (given: object) => void) => take({ files }) },
    });
  });
  await page.goto(site.url);
  await page.getByRole('list', { name: 'Goes with the message' }).getByText('shopping.txt').waitFor();
  await page.close();
});

slow.for(everyNth(2, ['temporary-chat', 'search-chats'] as const))(
  'an app shortcut runs its action exactly once: %s',
  async (ask) => {
    const page = await site.context.newPage();
    await page.goto(`${site.url}?do=${ask}`);
    const seen = {
      'temporary-chat': page.getByText(/^Nothing of this chat is kept/),
      'search-chats': page.getByRole('dialog', { name: 'Commands' }),
    }[ask];
    await seen.first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.close();
  },
);
