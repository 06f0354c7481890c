/**
 * `node bench/engine/busy.js FILE [pairs]`: alternates between one and two threads while another process keeps a core busy. Threads wait for each other, so
 * several without a core each are slower than one, and the engine must notice. In the median, two threads must not be slower. Needs a machine with two cores.
 */
import { spawn } from 'node:child_process';
import { stat, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { median } from '../browser.js';
import { openBuilt } from '../open-built.js';

const [given, pairs = '10'] = process.argv.slice(2);
const file = resolve(given);
const { size } = await stat(file);
const prompt = 'The history of the sea is long. '.repeat(12);

async function time(threads) {
  const { page, close } = await openBuilt(
    import.meta.url,
    (folder) => symlink(file, join(folder, 'model.gguf')),
    {
      isIsolated: true,
    },
  );
  const path = new URL('model.gguf', page.url()).href;
  const request = {
    engine: 'ours',
    path,
    bytes: size,
    threads,
    prompt,
    maxTokens: 128,
    minRuns: 4,
    minMs: 4000,
  };
  const timed = await page.evaluate((asked) => window.ask(asked), request);
  await close();
  return timed;
}

const busy = spawn(process.execPath, ['-e', 'for (;;);']);
const times = { 1: [], 2: [] };
for (let pair = 0; pair < Number(pairs); pair++)
  for (const threads of [1, 2]) times[threads].push(await time(threads));
busy.kill();
console.log('| threads | reads | writes |');
console.log('| --: | --: | --: |');
const middle = (threads, key) => median(times[threads].map((timed) => timed[key]));
for (const threads of [1, 2]) {
  console.log(
    `| ${threads} | ${middle(threads, 'reads').toFixed(0)} | ${middle(threads, 'writes').toFixed(1)} |`,
  );
}
for (const key of ['reads', 'writes']) {
  console.log(`${key}, two ÷ one: ${(middle(2, key) / middle(1, key)).toFixed(2)} of 1`);
}
