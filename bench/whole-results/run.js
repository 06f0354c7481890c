/**
 * `node bench/whole-results/run.js [--show]`: 100 pages of about 11,000 tokens with one fact each. Counts the facts that a model with a window of
 * 2,048 tokens receives. `--show` prints the questions whose fact it never received.
 */
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'whole-results-'));
await build({
  configFile: false,
  publicDir: false,
  logLevel: 'error',
  build: {
    outDir: folder,
    target: 'es2023',
    lib: { entry: here('./main.ts'), formats: ['es'], fileName: () => 'exam.mjs' },
  },
});
const { runExam } = await import(pathToFileURL(join(folder, 'exam.mjs')).href);
await rm(folder, { recursive: true });

const rows = await runExam(await openAsBlob(here('../../public/models/ember.gguf')), () => performance.now());
const average = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const share = (at) =>
  rows.map(({ ms }) => ms).sort((one, other) => one - other)[Math.ceil(rows.length * at) - 1];
const groups = [
  ['all', () => true],
  ...['en', 'zh'].map((name) => [name, ({ language }) => language === name]),
  ...['prose', 'JSON', 'table'].map((name) => [name, ({ kind }) => kind === name]),
  ['none of the question’s words in the sentence', ({ sharedWords }) => sharedWords === 0],
  ['up to a third of them', ({ sharedWords }) => sharedWords > 0 && sharedWords <= 1 / 3],
  ['more of them', ({ sharedWords }) => sharedWords > 1 / 3],
];

const tokens = rows.map(({ pageTokens }) => pageTokens);
console.log(`${rows.length} pages of ${Math.min(...tokens)} to ${Math.max(...tokens)} tokens`);
const percent = (100 * average(rows.map(({ sharedWords }) => sharedWords))).toFixed(0);
console.log(`of the words of a question ${percent} % stand in the sentence that answers it\n`);
console.log('| facts given | of | the beginning | the relevant part | with up to two follow-ups |');
console.log('| --- | --- | --- | --- | --- |');
for (const [name, isIn] of groups) {
  const group = rows.filter(isIn);
  const right = (way) => group.filter((row) => row[way].isAnswered).length;
  console.log(
    `| ${name} | ${group.length} | ${right('beginning')} | ${right('relevant')} | ${right('handles')} |`,
  );
}
const middle = (way, what) => average(rows.map((row) => row[way][what]));
const ways = ['beginning', 'relevant', 'handles'];
console.log(
  `| tokens given, average | | ${ways.map((way) => middle(way, 'tokens').toFixed(0)).join(' | ')} |`,
);
console.log(`| calls, average | | ${ways.map((way) => middle(way, 'calls').toFixed(2)).join(' | ')} |`);
console.log(`\nlooking through a page: p50 ${share(0.5).toFixed(1)} ms, p99 ${share(0.99).toFixed(1)} ms`);
if (process.argv.includes('--show')) {
  for (const { handles, question, fact, kind } of rows) {
    if (!handles.isAnswered) console.log(`${kind}: ${question} ${fact}`);
  }
}
