/**
 * `npm run build && node bench/sizes.js [word]`: the size of each part that loads when first needed, in bytes after brotli compression, largest
 * first. With a word, only of files whose name contains it. Files that several parts share have their own lines.
 */
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { brotliCompressSync } from 'node:zlib';

const folder = new URL('../dist/assets/', import.meta.url);
const word = process.argv[2] ?? '';
// Compressing an engine of several megabytes takes half a minute. `bench/README.md` has its size.
const largest = 2_000_000;

const sizes = readdirSync(folder)
  .filter((name) => /\.(js|css)$/.test(name) && name.includes(word))
  .flatMap((name) => {
    const bytes = readFileSync(new URL(name, folder));
    return bytes.length > largest ? [] : [{ name, size: brotliCompressSync(bytes).length }];
  })
  .toSorted((a, b) => b.size - a.size);
for (const { name, size } of sizes) console.log(`${String(size).padStart(8)}  ${name}`);
