/**
 * `node bench/clean-answers/run.js [--show]`: results in the forms that third-party tools return (JSON, lists, lines, tables, quotations, Markdown),
 * each with its question, answered as in the app by the page or by Ember's weights. Counts the answers with debris and those with the expected fact.
 * Fails if there is debris.
 */
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBuilt } from '../open-built.js';

const { values: options } = parseArgs({ options: { show: { type: 'boolean' } } });
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const cases = (await readFile(here('results.jsonl'), 'utf8'))
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const { page, close } = await openBuilt(import.meta.url);
await page.evaluate(() => window.load());

const rows = new Map();
const faults = new Map();
const total = { asked: 0, byPage: 0, faulty: 0, known: 0, right: 0 };
for (const given of cases) {
  const { text, debris, by, isTrue } = await page.evaluate((given) => window.ask(given), given);
  const row = rows.get(given.kind) ?? { asked: 0, byPage: 0, faulty: 0, known: 0, right: 0 };
  rows.set(given.kind, row);
  for (const counts of [row, total]) {
    counts.asked += 1;
    if (by === 'dictated') counts.byPage += 1;
    if (debris.length > 0) counts.faulty += 1;
    if (given.fact !== '') counts.known += 1;
    if (given.fact !== '' && isTrue) counts.right += 1;
  }
  for (const fault of debris) faults.set(fault, (faults.get(fault) ?? 0) + 1);
  if (options.show || debris.length > 0) {
    console.log(`${debris.join(', ') || 'clean'} (${by}): ${given.question} ${given.result}\n    ${text}`);
  }
}
console.log(
  '| result | asked | said by the page | debris | holds the answer |\n| --- | --: | --: | --: | --: |',
);
for (const [kind, { asked, byPage, faulty, known, right }] of [...rows, ['all', total]]) {
  console.log(`| ${kind} | ${asked} | ${byPage} | ${faulty} | ${right} of ${known} |`);
}
console.log([...faults].map(([fault, count]) => `${fault} ${count}`).join(', ') || 'no debris');
await close();
if (total.faulty > 0) process.exitCode = 1;
