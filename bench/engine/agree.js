/**
 * `node bench/engine/agree.js FILES…`: whether the app's engine writes what llama.cpp itself writes. Ten prompts of some 200 tokens, 48
 * tokens greedily. Where the two part, the two best logits must lie within 0.1 of each other. For comparison, native llama.cpp is held to
 * itself too: with and without its repacked weights and flash attention.
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
console.log('| model | | the same to the end | part at a near tie | part elsewhere (gap) |');
console.log('| --- | --- | --: | --: | --- |');
let isBroken = false;
for (const given of process.argv.slice(2)) {
  const file = resolve(given);
  const ours = await writeOurs(file);
  const [usual, simple] = ['usual', 'simple'].map((way) =>
    askNative(native, file, 1, prompts, maxTokens, 0, way),
  );
  isBroken ||= report(file, 'ours and native', ours, usual) > maxGap;
  report(file, 'ours and simple native', ours, simple);
  report(file, 'native and simple native', usual, simple);
}
process.exitCode = isBroken ? 1 : 0;

async function writeOurs(file) {
  const { page, close } = await openBuilt(import.meta.url, (folder) =>
    symlink(file, join(folder, 'model.gguf')),
  );
  const { size } = await stat(file);
  const request = { path: new URL('model.gguf', page.url()).href, bytes: size, prompts, maxTokens };
  const ours = await page.evaluate((asked) => window.write(asked), request);
  await close();
  return ours;
}

/** Prints a row; returns the largest gap at which the two part. */
function report(file, pair, all, others) {
  const gaps = all.map((one, at) => gapWhereTheyPart(one, others[at])).filter((gap) => gap !== undefined);
  const apart = gaps.filter((gap) => gap > maxGap);
  const cells = [basename(file), pair, prompts.length - gaps.length, gaps.length - apart.length];
  console.log(`| ${cells.join(' | ')} | ${apart.map((gap) => gap.toFixed(2)).join(', ')} |`);
  return Math.max(0, ...gaps);
}

/** The smaller gap of the two where they first write something else. Undefined where they never do. */
function gapWhereTheyPart(one, other) {
  const [some, others] = [one, other].map((tokens) => tokens.filter(isWhole));
  const at = some.findIndex(({ bytes }, k) => k < others.length && String(bytes) !== String(others[k].bytes));
  return at === -1 ? undefined : Math.min(some[at].gap, others[at].gap);
}

/** Native llama.cpp does not report tokens that end in the middle of a character, so no one's are compared. */
function isWhole({ bytes }) {
  return !Buffer.from(bytes).toString().includes('\uFFFD');
}
