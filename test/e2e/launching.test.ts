/** What the app is opened with from outside: shares through the service worker, files of the system, shortcuts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpDatabase, isOfflineReady, openSite, type Site } from './site';

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

/** As the system sends it: a form, from no page of ours. */
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

describe('what another program shares', () => {
  test('lands in the message box, marked, and is not sent', async () => {
    await share({ title: 'A story', text: 'Read it', url: 'https://pages.example.com/story' });
    await expect.poll(() => box().inputValue()).toBe('A story\nRead it\nhttps://pages.example.com/story');
    await expect
      .poll(() => chips().allInnerTexts())
      .toEqual([expect.stringContaining('Text from another program')]);
    expect(new URL(site.page.url()).search).toBe('');
    await expect.poll(keptShares).toBe(0);
    const { drafts = '', messages } = await dumpDatabase(site.page);
    expect(messages).toBe('[]');
    expect(drafts).toContain('file: shared');
    // Taken once: it does not come again.
    await site.page.reload();
    await expect.poll(() => box().inputValue()).toBe('A story\nRead it\nhttps://pages.example.com/story');
    await site.page.getByRole('button', { name: 'Remove Text from another program' }).click();
    await expect.poll(() => box().inputValue()).toBe('');
  });

  test('files are attached, and what cannot be is said', async () => {
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
  });

  test('is kept where the page is gone before it has taken it, and comes with the next visit', async () => {
    const { page } = site;
    // As when the tab is closed at once: only the service worker has seen it.
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
    await box().fill('');
  });
});

test('a file that the system opens with it is attached', async () => {
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

test.for(['temporary-chat', 'search-chats'])('the shortcut %s does what it says, once', async (ask) => {
  const page = await site.context.newPage();
  await page.goto(`${site.url}?do=${ask}`);
  const seen = {
    'temporary-chat': page.getByText(/^Nothing of this chat is kept/),
    'search-chats': page.getByRole('dialog', { name: 'Commands' }),
  }[ask];
  await seen?.first().waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.close();
});
