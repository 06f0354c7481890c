/** `node bench/tool-list/run.js`: how much of the first prompt the tools take, with and without the search, for 10 to 1,000 tools. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const folder = await mkdtemp(join(tmpdir(), 'tool-list-'));
await build({
  configFile: false,
  publicDir: false,
  logLevel: 'error',
  build: {
    outDir: folder,
    target: 'es2023',
    lib: {
      entry: fileURLToPath(new URL('./main.ts', import.meta.url)),
      formats: ['es'],
      fileName: () => 'prompts.mjs',
    },
  },
});
const { measurePrompts } = await import(pathToFileURL(join(folder, 'prompts.mjs')).href);
await rm(folder, { recursive: true });

/** An estimate of four characters per token, because English and JSON take about that in the vocabularies of larger models. */
const tokens = (characters) => Math.round(characters / 4).toLocaleString('en');
console.log('| model | tools on | all listed | listed | one search |\n| --- | --- | --- | --- | --- |');
for (const [name, format, isSmall] of [
  ['larger (Hermes)', 'hermes', false],
  ['Ember', 'ember', true],
]) {
  for (const row of await measurePrompts(format, isSmall)) {
    const search = row.search > 0 ? tokens(row.search) : '–';
    console.log(`| ${name} | ${row.tools} | ${tokens(row.all)} | ${tokens(row.listed)} | ${search} |`);
  }
}
