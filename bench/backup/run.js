/**
 * `node bench/backup/run.js [messages…] [--megabytes 500]`: exports everything to a file and imports it. Measures the time beside a bare read of the
 * same rows, how long the page is blocked, and how much memory a large file takes.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openBuilt } from '../open-built.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { megabytes: { type: 'string', default: '500' } },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [10_000, 100_000];
const megabytes = Number(values.megabytes);
/** Maximum milliseconds that the page may be blocked, beyond those of an idle page. */
const mostGap = 300;
/** Maximum exponent of the growth: cost may grow with length to this power. */
const mostGrowth = 1.1;

let isGood = true;
const steps = {};

function show(name, messages, { ms, gap }, bare, idle) {
  console.log(
    `  ${name}: ${(ms / 1000).toFixed(2)} s, ÷ bare ${(ms / bare).toFixed(1)}; longest the page stood still: ${gap.toFixed(0)} ms`,
  );
  if (gap - idle > mostGap) isGood = false;
  (steps[name] ??= []).push({ messages, ms });
}

/** Returns the megabytes of memory of all browser processes, with shared pages divided among them and without mapped files. */
async function memoryOf(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo.map(async ({ id }) => {
    const maps = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
    const of = (kind) => Number(new RegExp(`^Pss_${kind}:\\s+(\\d+)`, 'm').exec(maps)?.[1] ?? 0) / 1024;
    return of('Anon') + of('Shmem');
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Returns the peak memory during a task, in megabytes above the memory before it. */
async function peak(session, task) {
  const before = await memoryOf(session);
  let most = before;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, await memoryOf(session));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  await task();
  isOver = true;
  await watching;
  return most - before;
}

const bench = await openBuilt(import.meta.url);
const call = (name, ...given) =>
  bench.page.evaluate(([name, given]) => window.ask[name](...given), [name, given]);
try {
  for (const messages of sizes) {
    await call('fill', messages);
    const idle = await call('idle', 3000);
    const bare = Math.min(await call('bare'), await call('bare'), await call('bare'));
    console.log(
      `\n${messages} messages: bare reading ${(bare / 1000).toFixed(2)} s; an idle page stood still ${idle.gap.toFixed(0)} ms`,
    );
    (steps['bare reading'] ??= []).push({ messages, ms: bare });
    show('export', messages, await call('write'), bare, idle.gap);
    const packed = await call('size');
    show('reading it where all is the same', messages, await call('stage'), bare, idle.gap);
    await call('empty');
    show('reading it where all is new', messages, await call('stage'), bare, idle.gap);
    show('taking it over', messages, await call('apply'), bare, idle.gap);
    console.log(`  the file: ${(packed / 1e6).toFixed(1)} MB`);
  }
  const first = sizes[0];
  const last = sizes.at(-1);
  if (last > first) {
    for (const [name, [one, ...others]] of Object.entries(steps)) {
      const growth = Math.log(others.at(-1).ms / one.ms) / Math.log(last / first);
      console.log(`${name}: cost = length to the power of ${growth.toFixed(2)}`);
      // The growth of the bare read is the browser's.
      if (growth > mostGrowth && name !== 'bare reading') isGood = false;
    }
  }
  if (megabytes > 0) {
    const session = await bench.page.context().browser().newBrowserCDPSession();
    await call('empty');
    const bytes = await call('makeOther', megabytes * 1e6);
    const ratio = (used) => `${used.toFixed(0)} MB, ${(used / (bytes / 1e6)).toFixed(2)} of the file`;
    console.log(`\nan export of ChatGPT of ${(bytes / 1e6).toFixed(0)} MB, memory beyond that before:`);
    console.log(`  reading it: ${ratio(await peak(session, () => call('stage')))}`);
    console.log(`  taking it over: ${ratio(await peak(session, () => call('apply')))}`);
    console.log(`  export of it: ${ratio(await peak(session, () => call('write')))}`);
  }
} finally {
  await bench.close();
}
if (!isGood)
  throw new Error(
    `The goals: a page that stands still ${mostGap} ms at most, and growth to the power of ${mostGrowth}.`,
  );
