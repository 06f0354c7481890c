/**
 * `node bench/engine/agree.js FILES…`: whether the app's engine writes what llama.cpp itself writes. Ten prompts of some 200 tokens, 48
 * tokens greedily; where the two part, the two best logits of ours must lie within 0.1 of each other.
 */
import { readFile, stat, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { openBuilt } from '../open-built.js';
import { askNative, installNative } from './native.js';

const maxTokens = 48;
const maxGap = 0.1;
const charactersPerPrompt = 800;

const text = await readFile(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
const prompts = Array.from({ length: 10 }, (_, at) =>
  text.slice(at * charactersPerPrompt, (at + 1) * charactersPerPrompt),
);
const native = installNative();
console.log('| model | the same to the end | part at a near tie | part elsewhere (gap) |');
console.log('| --- | --: | --: | --- |');
let isBroken = false;
for (const given of process.argv.slice(2)) {
  const file = resolve(given);
  const { page, close } = await openBuilt(import.meta.url, (folder) =>
    symlink(file, join(folder, 'model.gguf')),
  );
  const { size } = await stat(file);
  const request = { path: new URL('model.gguf', page.url()).href, bytes: size, prompts, maxTokens };
  const ours = await page.evaluate((asked) => window.write(asked), request);
  await close();
  const theirs = askNative(native, file, 1, prompts, maxTokens, 0);
  const gaps = ours.map((written, at) => gapWhereTheyPart(written, theirs[at]));
  const apart = gaps.filter((gap) => gap !== undefined && gap > maxGap);
  const near = gaps.filter((gap) => gap !== undefined && gap <= maxGap);
  isBroken ||= apart.length > 0;
  const cells = [basename(file), gaps.length - near.length - apart.length, near.length];
  console.log(`| ${cells.join(' | ')} | ${apart.map((gap) => gap.toFixed(2)).join(', ')} |`);
}
process.exitCode = isBroken ? 1 : 0;

/** Undefined where they never do. */
function gapWhereTheyPart(written, theirText) {
  const expected = Buffer.from(theirText);
  let at = 0;
  let before = Infinity;
  for (const { bytes, gap } of written) {
    const rest = expected.subarray(at, at + bytes.length);
    // The end of their text may be half a character, which they leave out.
    if (rest.length < bytes.length) return undefined;
    // They may have parted a token earlier, where theirs begins with all of ours: five spaces and four, say.
    if (!rest.equals(Buffer.from(bytes))) return Math.min(gap, before);
    at += bytes.length;
    before = gap;
  }
  return undefined;
}
