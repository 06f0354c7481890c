/** The sandbox in the built app: with its policy and trusted types, offline. */
import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { takesAll, thorough, slow } from '../support/matrix';
import { ask, isOfflineReady, lastReply, openSite, turnEnds } from './site';

const call = (code: string) =>
  `<tool_call>${JSON.stringify({ name: 'run_javascript', arguments: { code } })}</tool_call>`;

const codes = [
  { code: "return 'My First Post'.toLowerCase().split(' ').join('-')", result: '"my-first-post"' },
  {
    code: 'return [typeof fetch, typeof indexedDB, typeof postMessage, typeof eval]',
    result: '["undefined"',
  },
  { code: 'await import("https://api.example.org/x.js")', result: 'THROWN' },
  { code: 'await host.fetch("https://api.example.org/")', result: 'DENIED' },
  { code: 'return 1; } postMessage("r2"); {', result: 'SCRIPT' },
  { code: 'for (;;);', result: 'TIMEOUT' },
  { code: 'return args.toString === undefined ? 0 : 3', result: '3' },
];

slow('a model can run JavaScript code and gets its result or its error', { timeout: 120_000 }, async () => {
  const site = await openSite({ folder: 'dist-e2e', hasServiceWorker: takesAll });
  // The browser logs what the policy refuses. Here that is the proof.
  site.expectErrors(/api\.example\.org|Content Security Policy/);
  try {
    const { page } = site;
    if (takesAll) {
      await isOfflineReady(page);
      await page.reload();
      await site.cutNetwork();
    }
    await ask(page, `script\n${codes.map(({ code }) => call(code)).join('')}\n---\nDone.`);
    await turnEnds(page);
    const results = await lastReply(page).getByRole('group').getByLabel('Result').allTextContents();
    expect(results).toEqual(codes.map(({ result }): unknown => expect.stringContaining(result)));
    expect(await page.locator('iframe').count()).toBeLessThanOrEqual(1);
  } finally {
    await site.close();
  }
});

thorough('the very small model Ember does not get the JavaScript tool', async () => {
  const site = await openSite();
  try {
    await site.page.getByRole('button', { name: 'Tools' }).click();
    await site.page.getByRole('switch', { name: 'calculator' }).waitFor();
    expect(await site.page.getByRole('switch', { name: 'run_javascript' }).count()).toBe(0);
  } finally {
    await site.close();
  }
});

test('the JavaScript sandbox is a separate file of at most 5 kB', async () => {
  const files = (await readdir('dist/assets')).filter((file) => file.endsWith('.js'));
  const texts = await Promise.all(files.map((file) => readFile(`dist/assets/${file}`)));
  const found = texts.filter((text) => text.includes('allow-scripts'));
  expect(found).toHaveLength(1);
  const bytes = found.map((text) => gzipSync(text).length);
  console.log(`sandbox: ${bytes.join()} of 5000 bytes, gzip`);
  expect(bytes[0]).toBeLessThanOrEqual(5000);
});
