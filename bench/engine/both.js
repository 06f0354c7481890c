/**
 * `node bench/engine/both.js FILE`: measures the memory of Ember and of FILE, each alone and both in one worker. Checks that each keeps the cache of
 * its own prompt while the other answers, so the second answer reads only one token.
 */
import { stat, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { openBuilt } from '../open-built.js';

const ember = fileURLToPath(new URL('../../public/models/ember.gguf', import.meta.url));
const other = resolve(process.argv[2]);

console.log('| loaded | memory | prompt tokens read, first and second time |');
console.log('| --- | --: | --- |');
for (const files of [[], [ember], [other], [ember, other]]) {
  const { page, close } = await openBuilt(
    import.meta.url,
    async (folder) => {
      for (const [at, file] of files.entries()) await symlink(file, join(folder, `${at}.gguf`));
    },
    { isIsolated: true },
  );
  const request = await Promise.all(
    files.map(async (file, at) => ({
      path: new URL(`${at}.gguf`, page.url()).href,
      bytes: (await stat(file)).size,
    })),
  );
  const read = await page.evaluate((asked) => window.loadAll(asked), request);
  const { bytes } = await page.evaluate(() => performance.measureUserAgentSpecificMemory());
  await close();
  const names = files.map((file) => basename(file)).join(' and ') || 'nothing';
  console.log(`| ${names} | ${(bytes / 1e6).toFixed(0)} MB | ${read.join(', ')} |`);
}
