/**
 * `node bench/sums/run.js [--show] [--each 25]`: 500 sums in twenty wordings, English and Chinese, and 210 requests with numbers that are not sums,
 * each asked as the first message of a chat. The page reads it first, then Ember's weights decide, then the page checks the call. Prints how often
 * the calculator was called and with which expression. Fails if it was called with another expression or without a sum.
 */
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBuilt } from '../open-built.js';

const { values: options } = parseArgs({
  options: { show: { type: 'boolean' }, each: { type: 'string', default: '25' } },
});
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const others = (await readFile(here('no-sums.txt'), 'utf8')).trim().split('\n');

const { page, close } = await openBuilt(import.meta.url);
await page.evaluate(() => window.load());
const requests = await page.evaluate((each) => window.writeRequests(each), Number(options.each));

const rows = new Map();
const add = (kind, key) => {
  const row = rows.get(kind) ?? {};
  row[key] = (row[key] ?? 0) + 1;
  rows.set(kind, row);
};
let [called, wrong, wrongly] = [0, 0, 0];
for (const { text, expression, wording, language } of requests) {
  const reply = await page.evaluate((text) => window.ask(text), text);
  const kind = `${language} ${wording}`;
  add(kind, 'asked');
  if (reply.by === 'page' && reply.called.length > 0) add(kind, 'byPage');
  if (reply.expression === undefined) {
    if (options.show) console.log(`not called: ${text} → ${reply.called.join('+') || 'prose'}`);
    continue;
  }
  called += 1;
  add(kind, 'called');
  const values = await page.evaluate((sums) => window.valuesOf(...sums), [expression, reply.expression]);
  const isSame = values && values[0] === values[1] && reply.expression === expression;
  if (isSame) add(kind, 'same');
  else {
    wrong += 1;
    console.log(`other sum: ${text} → ${reply.expression}`);
  }
}
console.log(
  '| wording | asked | called | with that sum | dictated by the page |\n| --- | --: | --: | --: | --: |',
);
for (const [kind, { asked = 0, called = 0, same = 0, byPage = 0 }] of rows) {
  console.log(`| ${kind} | ${asked} | ${called} | ${same} | ${byPage} |`);
}

rows.clear();
for (const line of others) {
  const [kind, text] = line.split('\t');
  const reply = await page.evaluate((text) => window.ask(text), text);
  add(kind, 'asked');
  if (reply.expression === undefined) continue;
  add(kind, 'called');
  wrongly += 1;
  console.log(`no sum: ${text} → ${reply.expression} (${reply.by} ${reply.logProbability?.toFixed(2)})`);
}
console.log('\n| no sum | asked | calculator called |\n| --- | --: | --: |');
for (const [kind, { asked = 0, called = 0 }] of rows) console.log(`| ${kind} | ${asked} | ${called} |`);

const share = ((100 * called) / requests.length).toFixed(1);
console.log(
  `\n${called} of ${requests.length} sums called (${share} %), ${wrong} with another sum; ${wrongly} of ${others.length} others called.`,
);
await close();
if (wrong > 0 || wrongly > 0 || called < 0.98 * requests.length) process.exitCode = 1;
