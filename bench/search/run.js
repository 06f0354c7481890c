/**
 * `node bench/search/run.js [messages…]`: how long a search in all chats takes, also from the first letter to the first hits, and what the index
 * costs, beside a bare read of the rows on the screen.
 */
import process from 'node:process';
import { median, spread } from '../browser.js';
import { openBuilt } from '../open-built.js';

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000];
/** Goals in milliseconds: for the 95th percentile of queries, and from the first letter to the first hits. */
const goal = { question: 100, first: 150 };
const rounds = 40;

const p95 = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length * 0.95)];
const bench = await openBuilt(import.meta.url);
let isGood = true;
try {
  const call = (name, ...given) =>
    bench.page.evaluate(([name, given]) => window.ask[name](...given), [name, given]);
  for (const messages of sizes) {
    await call('fill', messages);
    const chatBytes = await call('usage');
    const built = await call('build');
    const mega = (bytes) => (bytes / 1e6).toFixed(1);
    console.log(
      `${messages} messages: index ${mega(built.bytes)} MB beside ${mega(chatBytes)} MB, built in ${(built.ms / 1000).toFixed(1)} s, looked over in ${built.againMs.toFixed(0)} ms`,
    );
    console.log(`  reading all messages: ${(await call('scan')).toFixed(0)} ms`);
    const first = await call('first', 15);
    console.log(
      `  first letter to first hits: ${spread(first.warm)} ms; with the worker to be started ${spread(first.cold)}; made ready in ${spread(first.ready)}`,
    );
    if (p95(first.warm) > goal.first) isGood = false;
    const all = [];
    const kinds = await call('ask', rounds);
    for (const [kind, { search, bare, hits }] of Object.entries(kinds)) {
      all.push(...search);
      console.log(
        `  ${kind}: ${median(search).toFixed(1)} ms, p95 ${p95(search).toFixed(1)}; bare ${median(bare).toFixed(1)}; ratio ${(median(search) / median(bare)).toFixed(1)}; ${median(hits)} hits`,
      );
    }
    console.log(`  all: ${median(all).toFixed(1)} ms, p95 ${p95(all).toFixed(1)}`);
    if (p95(all) > goal.question) isGood = false;
  }
} finally {
  await bench.close();
}
if (!isGood)
  throw new Error(
    `The goals are ${goal.question} ms of 95 questions in 100, and ${goal.first} ms to the first hits.`,
  );
