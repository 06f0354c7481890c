/**
 * `node bench/engine/run.js [--threads 1,2] [--peers] [--plain] [--rounds 3] FILES…`: how many tokens of a GGUF file the app's engine reads (a prompt of some 97
 * tokens) and writes (32 tokens) per second, in a worker. `--peers` adds the published wllama and llama.cpp itself (xllamacpp, which pip installs into a separate
 * folder), `--plain` our build for browsers without relaxed SIMD (one thread). The engines take turns. Each figure is the best of all rounds.
 */
import { stat, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openBuilt } from '../open-built.js';
import { askNative, installNative } from './native.js';

const { positionals: files, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '2' },
    peers: { type: 'boolean' },
    plain: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
const prompt = 'The history of the sea is long. '.repeat(12);
const maxTokens = 32;

const native = options.peers ? installNative() : undefined;
const timeNative = (file, threads) => askNative(native, 'time', file, [prompt], { threads, maxTokens });

async function timeInPage(engine, file, threads) {
  const { page, close } = await openBuilt(
    import.meta.url,
    (folder) => symlink(file, join(folder, 'model.gguf')),
    {
      isIsolated: threads > 1,
    },
  );
  const { size } = await stat(file);
  // Browsers optimise a program only after it has run for a while, and our engine tries numbers of threads meanwhile.
  const [minRuns, minMs] = engine === 'published' ? [1, 0] : [4, 15_000];
  const request = {
    engine,
    path: new URL('model.gguf', page.url()).href,
    bytes: size,
    threads,
    prompt,
    maxTokens,
    minRuns,
    minMs,
  };
  const timed = await page.evaluate((asked) => window.ask(asked), request);
  await close();
  return timed;
}

const ways = [
  { name: 'ours', time: (file, threads) => timeInPage('ours', file, threads) },
  ...(options.plain ? [{ name: 'plain', time: (file) => timeInPage('plain', file, 1) }] : []),
  ...(options.peers
    ? [
        { name: 'native', time: async (file, threads) => timeNative(file, threads) },
        { name: 'published', time: (file, threads) => timeInPage('published', file, threads) },
      ]
    : []),
];
console.log('| model | threads | engine | reads | writes | ÷ native, reading | writing |');
console.log('| --- | --: | --- | --: | --: | --: | --: |');
for (const given of files) {
  const file = resolve(given);
  for (const threads of options.threads.split(',').map(Number)) {
    const best = new Map();
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const { name, time } of ways) {
        // The published build is ten times slower, so it is measured only once.
        if (name === 'published' && round > 0) continue;
        const { reads, writes } = await time(file, threads);
        const before = best.get(name) ?? { reads: 0, writes: 0 };
        best.set(name, { reads: Math.max(reads, before.reads), writes: Math.max(writes, before.writes) });
      }
    }
    const peer = best.get('native');
    for (const [name, { reads, writes }] of best) {
      const ratios = peer
        ? [reads / peer.reads, writes / peer.writes].map((ratio) => ratio.toFixed(2))
        : ['', ''];
      console.log(
        `| ${[basename(file), threads, name, reads.toFixed(1), writes.toFixed(1), ...ratios].join(' | ')} |`,
      );
    }
  }
}
