/**
 * `node bench/long-chats/run.js`: 20 chats of forty turns in windows of 2,048, 4,096 and 8,192 tokens. Measures how many tokens a turn has to read
 * because the engine's cache lacks them, and which facts the prompt still contains at the end: with turns dropped, as before, and with summaries.
 */
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'long-chats-'));
await build({
  configFile: false,
  publicDir: false,
  logLevel: 'error',
  build: {
    outDir: folder,
    target: 'es2023',
    lib: { entry: here('./main.ts'), formats: ['es'], fileName: () => 'bench.mjs' },
  },
});
const { exampleOf, runBench } = await import(pathToFileURL(join(folder, 'bench.mjs')).href);
await rm(folder, { recursive: true });

const { chats, rows, byPage } = await runBench(await openAsBlob(here('../../public/models/ember.gguf')));
const names = {
  dropping: 'turns dropped',
  rule: 'summary by the rule',
  empty: 'summary by a model that keeps no fact',
};
console.log(`${chats} chats of 40 turns; tokens, means over the turns of all\n`);
console.log(
  '| window | way | new in any case | read a turn | prompt | most in a turn | steps a chat | read for summaries | messages word for word |',
);
console.log('| --: | --- | --: | --: | --: | --: | --: | --: | --: |');
for (const { window, way, fresh, prefilled, prompt, worst, steps, noted, kept } of rows) {
  const figures = [fresh, prefilled, prompt, worst].map((value) => value.toFixed(0));
  const rest = [steps.toFixed(1), noted.toFixed(0), kept.toFixed(1)];
  console.log(`| ${window} | ${names[way]} | ${[...figures, ...rest].join(' | ')} |`);
}
const kinds = Object.keys(byPage);
console.log(`\nFacts in the last prompt, of ${chats} chats\n`);
console.log(`| window | way | ${kinds.join(' | ')} |`);
console.log(`| --: | --- | ${kinds.map(() => '--:').join(' | ')} |`);
for (const { window, way, recalled } of rows) {
  console.log(`| ${window} | ${names[way]} | ${kinds.map((kind) => recalled[kind]).join(' | ')} |`);
}
console.log(`| | found by the page, for Ember | ${kinds.map((kind) => byPage[kind]).join(' | ')} |`);
if (process.argv.includes('--show')) console.log(`\n${exampleOf()}`);
