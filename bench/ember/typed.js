/**
 * `node bench/ember/typed.js [--only clock-en] [--show]`: types the frozen evaluation set into the built app (run `npm run build` first), each request as the
 * first of a chat, with the default tools. Counts what was called at once, what the app asked about, and how often the right call was among the readings or the
 * only one. Always denies permission. Requests for other tools and those that continue a turn are left to `npm run thresholds:ember`.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser } from '../browser.js';
import { openEmber, readCases } from './open.js';

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: '' }, show: { type: 'boolean' } },
});
const offered = 'calculator,clock,fetch_page,web_search';
const cases = (await readCases('training/eval/requests.jsonl')).filter(
  ({ id, tools, messages }) =>
    id.startsWith(options.only) && messages.length === 1 && tools.toSorted().join() === offered,
);
const judge = await openEmber();
const isRight = (given, calls) =>
  judge.page.evaluate(([one, made]) => window.judge(one, made), [given, calls]);

const server = await serveFolder(fileURLToPath(new URL('../../dist', import.meta.url)));
const browser = await launchBrowser();
const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
await page.goto(server.url);
const stop = page.getByRole('button', { name: 'Stop', exact: true });
const reply = page.getByRole('article', { name: 'Hearth' });
const choice = reply.getByRole('group', { name: 'Did you mean' });
const dialog = page.getByRole('dialog');

/** Reads the calls in a permission dialog and denies it. `isAsked`: the dialog asked the user to choose a reading. */
async function readDialog() {
  const radios = dialog.getByRole('group', { name: 'Did you mean' }).getByRole('radio');
  const count = await radios.count();
  const made = [];
  for (let place = 0; place < Math.max(count, 1); place++) {
    if (count > 0) await radios.nth(place).check();
    made.push(await dialog.evaluate(callIn));
  }
  await dialog.getByRole('button', { name: 'Deny' }).click();
  return { made, isAsked: count > 0 };
}

/** Runs in the page: returns the call that a permission dialog is about. */
function callIn(node) {
  const name = node.querySelector('dd code:not([role])')?.textContent;
  const text = (label) =>
    node.querySelector(`[role="figure"][aria-labelledby$="-${label}"]`)?.textContent.trim();
  if (text('given') !== undefined) return { name, arguments: JSON.parse(text('given')) };
  return { name, arguments: name === 'web_search' ? { query: text('query') } : { url: text('address') } };
}

async function readChoice() {
  const buttons = await choice.getByRole('button').all();
  const made = await Promise.all(
    buttons.slice(0, -1).map((button) =>
      button.evaluate((node) =>
        [...node.querySelectorAll('.exact')].map((line) => ({
          name: line.querySelector('code').textContent,
          arguments: JSON.parse(line.querySelector('[role="figure"]').textContent),
        })),
      ),
    ),
  );
  await buttons[0].click();
  return made;
}

/** Returns the calls that were made or shown. If the user was asked, `readings` has the list of calls of each reading. */
async function type(request) {
  await page.keyboard.press('Control+Shift+KeyO');
  await page.getByRole('article', { name: 'You' }).waitFor({ state: 'detached' });
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill(request);
  await box.press('Enter');
  await reply.or(dialog).first().waitFor({ state: 'attached' });
  const appeared = (locator) => locator.waitFor({ timeout: 60_000 }).catch(() => undefined);
  await Promise.race([stop.waitFor({ state: 'hidden' }), appeared(choice), appeared(dialog)]);
  let readings;
  let calls;
  if (await choice.isVisible()) readings = await readChoice();
  else if (await dialog.isVisible()) {
    const { made, isAsked } = await readDialog();
    if (isAsked) readings = made.map((call) => [call]);
    else calls = made;
  }
  // The rest of the turn, including refused calls, does not matter.
  for (;;) {
    await Promise.race([stop.waitFor({ state: 'hidden' }), appeared(dialog)]);
    if (!(await dialog.isVisible())) break;
    await dialog.getByRole('button', { name: 'Deny' }).click();
    await dialog.waitFor({ state: 'hidden' });
  }
  calls ??= await reply.evaluate((node) =>
    [...node.querySelectorAll('.card[role="group"]')].map((card) => ({
      name: card.getAttribute('aria-label').split(':')[0],
      arguments: JSON.parse(card.querySelector('[role="figure"]').textContent),
    })),
  );
  return { readings, calls };
}

const counts = new Map();
for (const given of cases) {
  const { readings, calls } = await type(given.messages[0].content);
  const all = readings ?? [calls];
  const isShown = (await Promise.all(all.map((made) => isRight(given, made)))).includes(true);
  const row = counts.get(given.intent) ?? {
    requests: 0,
    atOnce: 0,
    right: 0,
    asked: 0,
    among: 0,
    words: 0,
    fine: 0,
  };
  row.requests += 1;
  const kind = readings ? ['asked', 'among'] : calls.length > 0 ? ['atOnce', 'right'] : ['words', 'fine'];
  row[kind[0]] += 1;
  if (isShown) row[kind[1]] += 1;
  counts.set(given.intent, row);
  if (options.show && !isShown) console.log(given.id, given.messages[0].content, JSON.stringify(all));
}
await browser.close();
await server.close();
await judge.close();

console.log(
  '| intent | requests | called at once | right | asked | right among | in words | right | right in all |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
for (const [intent, { requests, atOnce, right, asked, among, words, fine }] of counts) {
  const all = right + among + fine;
  const share = ((100 * all) / requests).toFixed(1);
  console.log(
    `| ${[intent, requests, atOnce, right, asked, among, words, fine, `${all} (${share} %)`].join(' | ')} |`,
  );
}
