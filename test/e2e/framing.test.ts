/** Inside a frame of another site, nothing of the app is shown, because that site could cover its questions. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { Frame } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { thorough } from '../support/matrix';
import { openSite, type Site } from './site';

let site: Site;
beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e' });
});
afterAll(() => site.close());

/** Returns which of the later parts have been requested: the store and the engine. */
const partsOf = (frame: Frame) =>
  frame.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => /\/(open-store|agent-runtime)-[^/]*\.js$/.exec(name)?.[1])
      .filter((name) => name !== undefined),
  );

/** Opens a page at `host` with the site in a frame. `localhost` and `127.0.0.1` are different sites. */
async function frameAt(host: string) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<title>Another page</title><iframe src="${site.url}" width="900" height="600"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const tab = await site.context.newPage();
  await tab.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
  const close = async () => {
    await tab.close();
    server.close();
    server.closeAllConnections();
  };
  return { tab, frame: tab.frameLocator('iframe'), close };
}

test('invariant: inside a frame of another site, Hearth shows only a link to its own tab', async () => {
  const { tab, frame, close } = await frameAt('127.0.0.1');
  const link = frame.getByRole('link', { name: 'Open Hearth in a tab of its own' });
  await link.waitFor();
  expect(await frame.getByRole('textbox').count()).toBe(0);
  expect(await frame.getByRole('button').count()).toBe(0);
  // Nothing of the app starts either.
  expect(await partsOf(tab.frames()[1]!)).toEqual([]);
  const opening = site.context.waitForEvent('page');
  await link.click();
  const opened = await opening;
  await opened.getByRole('textbox', { name: 'Message' }).waitFor();
  await opened.close();
  await close();
});

thorough('the page shown in a frame breaks no accessibility rule of axe-core in either theme', async () => {
  const { tab, frame, close } = await frameAt('127.0.0.1');
  await frame.getByRole('link').waitFor();
  const inside = tab.frames()[1]!;
  await inside.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme });
    const broken = await inside.evaluate(async () => {
      const { axe: checker } = window as unknown as { axe: typeof axe };
      return (await checker.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    });
    expect(broken).toEqual([]);
  }
  await close();
});

thorough(
  'in a frame on a page from another port of the same host, Hearth shows only a link to its own tab',
  async () => {
    const { frame, close } = await frameAt('localhost');
    await frame.getByRole('link', { name: 'Open Hearth in a tab of its own' }).waitFor();
    expect(await frame.getByRole('textbox').count()).toBe(0);
    await close();
  },
);

test('Hearth runs normally in its own tab', async () => {
  await site.page.getByRole('textbox', { name: 'Message' }).waitFor();
  await expect.poll(() => partsOf(site.page.mainFrame())).toHaveLength(2);
  expect(await site.page.getByRole('link', { name: 'Open Hearth in a tab of its own' }).count()).toBe(0);
});
