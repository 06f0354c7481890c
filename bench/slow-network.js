/**
 * `node bench/slow-network.js [--runs 2] [FOLDERS…]`: a first visit on the network that Chromium calls "Slow 4G". Measures the milliseconds until the
 * user can type, until the list of chats is shown, and until a first answer with a tool is finished. The folders are builds of the app, by default
 * "dist". Several folders are measured in turn and compared with the first.
 */
import { parseArgs } from 'node:util';
import { serveFolder } from '../scripts/static-server.js';
import { launchBrowser, median, spread } from './browser.js';

/** As in Chromium's developer tools: 1.6 Mbit/s and 150 ms, adjusted by the factors that they use for requests. */
const slow4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '2' } },
});
const folders = positionals.length > 0 ? positionals : ['dist'];
const servers = await Promise.all(folders.map((folder) => serveFolder(folder)));
const browser = await launchBrowser();
const times = folders.map(() => ({ type: [], list: [], answer: [] }));

for (let run = 0; run < Number(values.runs); run++) {
  for (const at of folders.keys()) {
    const context = await browser.newContext({ serviceWorkers: 'block' });
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', slow4G);
    const start = performance.now();
    const passed = () => performance.now() - start;
    await page.goto(servers[at].url, { waitUntil: 'commit', timeout: 120_000 });
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('What is 17 * 23?', { timeout: 120_000 });
    times[at].type.push(passed());
    await page.getByText('Your chats will appear here.').waitFor({ timeout: 120_000 });
    times[at].list.push(passed());
    await message.press('Enter');
    await page.getByText('17*23 = 391').first().waitFor({ timeout: 300_000 });
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden', timeout: 60_000 });
    times[at].answer.push(passed());
    await context.close();
  }
}
await browser.close();
for (const server of servers) await server.close();

for (const [at, folder] of folders.entries()) {
  const cells = Object.entries(times[at]).map(([name, all]) => {
    const ratio = median(all) / median(times[0][name]);
    return `${name} ${spread(all)}${at > 0 ? ` × ${ratio.toFixed(2)}` : ''}`;
  });
  console.log(`${folder}: ${cells.join(', ')} ms`);
}
