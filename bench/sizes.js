/**
 * What each part weighs that is fetched when it is first needed, in bytes as brotli makes them: `npm run build && node bench/sizes.js [word]`,
 * of all files or of those whose name has the word, the largest first. A part may share files with others, which are lines of their own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { brotliCompressSync } from 'node:zlib';

const folder = new URL('../dist/assets/', import.meta.url);
const word = process.argv[2] ?? '';
// An engine of megabytes takes half a minute, and is in `bench/README.md`.
const largest = 2_000_000;

const sizes = readdirSync(folder)
  .filter((name) => /\.(js|css)$/.test(name) && name.includes(word))
  .flatMap((name) => {
    const bytes = readFileSync(new URL(name, folder));
    return bytes.length > largest ? [] : [{ name, size: brotliCompressSync(bytes).length }];
  })
  .toSorted((a, b) => b.size - a.size);
for (const { name, size } of sizes) console.log(`${String(size).padStart(8)}  ${name}`);
