/**
 * Measures what a search before the first round saves: the same question with the setting off and on, in the built site with the real model and a
 * search that answers at once. Rounds are replies of the model. Times run from Send to the end.
 */
import { chromium } from 'playwright';
import { findChromium } from '../scripts/find-chromium.js';
import { serveFolder } from '../scripts/static-server.js';

const runs = Number(process.argv[2] ?? 5);
const folder = process.argv[3] ?? 'dist';
const question = 'Search for northern lights';
const extract = 'The northern lights are lights in the sky of the far north. They are seen in winter.';
const page = { pageid: 1, ns: 0, index: 1, title: 'Northern lights', extract };
const reply = {
  batchcomplete: true,
  query: { pages: [{ ...page, fullurl: 'https://en.wikipedia.org/wiki/A' }] },
};

const server = await serveFolder(folder, { path: '/' });
const browser = await chromium.launch({
  executablePath: findChromium() ?? 'chromium',
  args: ['--no-sandbox'],
});

for (const isFirst of [false, true]) {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
  await context.route('https://*.wikipedia.org/**', (route) =>
    route.fulfill({ json: reply, headers: { 'access-control-allow-origin': '*' } }),
  );
  const tab = await context.newPage();
  await tab.goto(server.url);
  if (isFirst) {
    await tab.getByRole('link', { name: 'Settings' }).click();
    await tab.getByRole('switch', { name: 'Search before the model answers' }).click();
  }
  // The first turn loads the model and asks for permission, so it does not count.
  await turn(tab);
  const times = [];
  const rounds = [];
  for (let run = 0; run < runs; run++) {
    const before = await countRounds(tab);
    times.push(await turn(tab));
    rounds.push((await countRounds(tab)) - before);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const [middle, least, most] = [sorted[runs >> 1], sorted[0], sorted.at(-1)].map(
    (ms) => `${Math.round(ms)} ms`,
  );
  console.log(
    `search first ${isFirst ? 'on ' : 'off'}: ${middle} (${least}–${most}), rounds ${rounds.join(' ')}`,
  );
  await context.close();
}
await browser.close();
await server.close();

/** Returns the milliseconds of a turn. Asks a new question each time, because the same one would be answered from the cache. */
async function turn(tab) {
  await tab.getByRole('button', { name: 'New chat' }).click();
  await tab.getByRole('textbox', { name: 'Message' }).fill(`${question} ${turn.count++}`);
  const start = performance.now();
  await tab.getByRole('button', { name: 'Send' }).click();
  const allow = tab.getByRole('button', { name: 'Always allow Wikipedia' });
  await Promise.race([
    allow.click({ timeout: 15_000 }).catch(() => undefined),
    tab
      .getByRole('button', { name: 'Stop' })
      .waitFor()
      .then(() => tab.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden', timeout: 60_000 })),
  ]);
  await tab.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden', timeout: 60_000 });
  return performance.now() - start;
}
turn.count = 0;

/** Returns the number of replies that the model wrote, in all chats. */
function countRounds(tab) {
  return tab.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('hearth');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const all = opening.result.transaction('messages').objectStore('messages').getAll();
          all.onsuccess = () => {
            opening.result.close();
            resolve(all.result.filter(({ message, model }) => message.role === 'assistant' && model).length);
          };
        };
      }),
  );
}
