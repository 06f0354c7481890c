/** The attacks on the sandbox, each made by its author through the editor's own "Run". */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorityAttacks, stateAttacks } from './sandbox-attacks/authority';
import { codeAttacks } from './sandbox-attacks/code';
import { engineAttacks } from './sandbox-attacks/engine';
import { networkAttacks } from './sandbox-attacks/network';
import { listen, type Listener } from './sandbox-listener';
import { openSite, type Site } from './site';

const attacks = [...networkAttacks, ...authorityAttacks, ...engineAttacks, ...codeAttacks];
const schema = JSON.stringify({
  type: 'object',
  properties: {
    ...{ url: { type: 'string' }, module: { type: 'string' }, socket: { type: 'string' } },
    udp: { type: 'integer' },
  },
  required: ['url', 'module', 'socket', 'udp'],
});
let site: Site;
let page: Page;
let listener: Listener;

beforeAll(async () => {
  listener = await listen();
  site = await openSite({ folder: 'dist-e2e' });
  // What the policy refuses is written to the console: here it is the proof.
  site.expectErrors(/./);
  ({ page } = site);
  await page.evaluate(() => void (location.hash = '#/tools/new'));
  await page.getByLabel('Parameters (JSON Schema)').fill(schema);
  await page.evaluate(() => {
    localStorage.setItem('untouched', 'yes');
    document.body.dataset['mark'] = 'untouched';
  });
}, 60_000);

afterAll(async () => {
  await site.close();
  await listener.close();
});

/** Resolves to what stands under "Result". */
async function run(code: string, name: string, timeMs = 3000): Promise<string> {
  const { url, module, socket, udp } = listener.addressesFor(name);
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByLabel('Time limit (ms)').fill(String(timeMs));
  const region = page.getByRole('region', { name: 'Test' });
  for (const [field, value] of Object.entries({ url, module, socket, udp })) {
    await region.getByLabel(field, { exact: true }).fill(String(value));
  }
  await region.getByRole('button', { name: 'Run' }).click();
  const result = region.getByLabel('Result', { exact: true });
  await result.waitFor({ timeout: 40_000 });
  return (await result.textContent()) ?? '';
}

describe('through the editor', () => {
  test.for(attacks)('$name: nothing comes of it', async ({ name, code, ends, timeMs }) => {
    const result = await run(code, name, timeMs);
    const failure = /^([A-Z_]+): /.exec(result)?.[1];
    // A tool without network, as this one is, is refused at its first call: it does not come to a flood of them.
    const right = code.includes('host.fetch') && failure === 'DENIED' ? 'DENIED' : ends;
    if (right !== undefined) expect(failure ?? 'ok').toBe(right);
    if (failure === undefined) expect(result).not.toContain('LEAKED');
    else expect(result.length).toBeLessThan(2_100);
    expect(
      await page.evaluate(() => [document.body.dataset['mark'], localStorage.getItem('untouched')]),
    ).toEqual(['untouched', 'yes']);
  });

  test.for(stateAttacks)('$name is not there in the next run', async ({ first, second }) => {
    await run(first, 'first');
    expect(await run(second, 'second')).not.toContain('LEAKED');
  });

  test('nobody outside heard of any of it', () => {
    expect([...listener.reached]).toEqual([]);
  });
});
