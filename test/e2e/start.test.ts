/** The page's own start: what its address contains, and who may turn a text into a script. */
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openSite } from './site';

test('the app starts even if its address in the browser is malformed', async () => {
  const site = await openSite({ folder: 'dist-e2e' });
  try {
    for (const hash of ['#/chat/%', '#/tools/%E0%A4%A', '#%', '#/nowhere/at/all']) {
      const page = await site.context.newPage();
      await page.goto(`${site.url}${hash}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.close();
    }
  } finally {
    await site.close();
  }
});

test('every Trusted Types policy name is in use, and the default policy refuses strings', async () => {
  const site = await openSite({ folder: 'dist-e2e' });
  // The browser logs what the policy refuses.
  site.expectErrors(/Trusted|TrustedScriptURL|require-trusted-types-for|createPolicy/i);
  try {
    const files = await readdir('dist-e2e/assets');
    const worker = `assets/${files.find((name) => name.startsWith('egress.worker-'))!}`;
    const refused = await site.page.evaluate((path) => {
      const refuses = (name: string, attempt: () => unknown) => {
        try {
          attempt();
          return [];
        } catch {
          return [name];
        }
      };
      const { trustedTypes } = window;
      const rules = { createScriptURL: (url: string) => url, createHTML: (text: string) => text };
      return [
        ...['default', 'app', 'sandbox', 'svelte-trusted-html'].flatMap((name) =>
          refuses(name, () => trustedTypes!.createPolicy(name, rules)),
        ),
        ...refuses('a worker', () => new Worker(path)),
        ...refuses('a text as HTML', () => (document.createElement('p').innerHTML = '<b>a</b>')),
      ];
    }, worker);
    expect(refused).toEqual([
      ...['default', 'app', 'sandbox', 'svelte-trusted-html', 'a worker', 'a text as HTML'],
    ]);
  } finally {
    await site.close();
  }
});
