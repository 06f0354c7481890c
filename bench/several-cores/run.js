/**
 * `node bench/several-cores/run.js [--file model.gguf] [--cores 1,2,4] [--gpu]`: what a GGUF model reads and writes on so many processor
 * cores, and on the graphics chip, as a ratio to one core. Without a file, Ember. Threads of llama.cpp spin while they wait: run it on a
 * machine with more cores than the most that are asked for, and with nothing beside it. The engine falls back to one core where several
 * are slower than one would be on a slow device; it is then as fast as one, after a longer start.
 */
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openBuilt } from '../open-built.js';

const { values: options } = parseArgs({
  options: {
    file: {
      type: 'string',
      default: fileURLToPath(new URL('../../public/models/ember.gguf', import.meta.url)),
    },
    cores: { type: 'string', default: '1,2' },
    gpu: { type: 'boolean' },
  },
});
const { size } = await stat(options.file);
const copy = (folder) => copyFile(options.file, join(folder, 'model.gguf'));
const runs = [
  ...options.cores.split(',').map((count) => ({ threads: Number(count), isOnGpu: false })),
  ...(options.gpu ? [{ threads: 1, isOnGpu: true }] : []),
];

console.log('| on | start | reads | writes | ÷ one core, reading | writing |');
console.log('| --- | --: | --: | --: | --: | --: |');
let one;
for (const hardware of runs) {
  const { page, close } = await openBuilt(import.meta.url, copy, { isIsolated: true });
  const { loadMs, read, write } = await page.evaluate(
    ([bytes, on]) => window.ask('model.gguf', bytes, on),
    [size, hardware],
  );
  await close();
  one ??= { read, write };
  const name = hardware.isOnGpu ? 'GPU' : `${hardware.threads}`;
  const ratios = [read / one.read, write / one.write].map((ratio) => ratio.toFixed(2)).join(' | ');
  console.log(
    `| ${name} | ${(loadMs / 1000).toFixed(1)} s | ${read.toFixed(0)}/s | ${write.toFixed(0)}/s | ${ratios} |`,
  );
}
