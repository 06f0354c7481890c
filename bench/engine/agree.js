/**
 * `node bench/engine/agree.js FILES…`: whether the app's engine computes the same as llama.cpp itself, on a page of text.
 *
 * 1. Ten prompts of some 200 tokens, each continued greedily for 48 tokens. Where the two first differ, the two best logits must be within 0.1 of
 * each other.
 * 2. Perplexity: of every 256 tokens, the first 64 are read at once, and the others are read and scored one by one. It must be within 0.5 %. The last
 * column is the root mean square of the differences between log probabilities, token by token.
 *
 * For comparison, native llama.cpp is also compared with itself: with and without its repacked weights and flash attention. Activations are rounded
 * to bytes, so summing in another order can change a byte and then everything after it. No two programs can agree better than that.
 */
import { readFile, stat, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { openBuilt } from '../open-built.js';
import { askNative, installNative } from './native.js';

const maxTokens = 48;
const maxGap = 0.1;
const maxPerplexityRatio = 1.005;
const charactersPerPrompt = 800;
const windows = { window: 256, scored: 192 };
const ways = ['usual', 'simple'];

const text = await readFile(new URL('page.txt', import.meta.url), 'utf8');
const prompts = Array.from({ length: 10 }, (_, at) =>
  text.slice(at * charactersPerPrompt, (at + 1) * charactersPerPrompt),
);
const native = installNative();
let isBroken = false;
const rows = [];
for (const given of process.argv.slice(2)) {
  const file = resolve(given);
  const ours = await askOurs(file);
  const [usual, simple] = ways.map((way) => askNative(native, 'write', file, prompts, { maxTokens, way }));
  const [usualScores, simpleScores] = ways.map((way) =>
    askNative(native, 'score', file, ours.windows, { maxTokens: windows.scored, way }),
  );
  const pairs = [
    ['ours and native', [ours.written, usual], [ours.scores, usualScores]],
    ['ours and simple native', [ours.written, simple], [ours.scores, simpleScores]],
    ['native and simple native', [usual, simple], [usualScores, simpleScores]],
  ];
  for (const [at, [pair, [one, other], scores]] of pairs.entries()) {
    const gaps = one
      .map((written, k) => gapWhereTheyPart(written, other[k]))
      .filter((gap) => gap !== undefined);
    const [first, second] = scores.map(perplexity);
    if (at === 0) isBroken ||= Math.max(0, ...gaps) > maxGap || ratio(first, second) > maxPerplexityRatio;
    rows.push([
      basename(file),
      pair,
      ...counted(gaps),
      first.toFixed(2),
      second.toFixed(2),
      percent(first, second),
      distance(...scores.map((windowScores) => windowScores.flat())).toFixed(3),
    ]);
  }
}
console.log(
  '| model | | the same to the end | part at a near tie | part elsewhere (gap) | perplexity | | | rms |',
);
console.log('| --- | --- | --: | --: | --- | --: | --: | --: | --: |');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
process.exitCode = isBroken ? 1 : 0;

async function askOurs(file) {
  const { page, close } = await openBuilt(import.meta.url, (folder) =>
    symlink(file, join(folder, 'model.gguf')),
  );
  const { size } = await stat(file);
  const model = { path: new URL('model.gguf', page.url()).href, bytes: size };
  const written = await page.evaluate((asked) => window.write(asked), { ...model, prompts, maxTokens });
  const scored = await page.evaluate((asked) => window.score(asked), { ...model, text, ...windows });
  await close();
  return { written, ...scored };
}

function counted(gaps) {
  const apart = gaps.filter((gap) => gap > maxGap);
  return [
    prompts.length - gaps.length,
    gaps.length - apart.length,
    apart.map((gap) => gap.toFixed(2)).join(', '),
  ];
}

function perplexity(scores) {
  const all = scores.flat();
  return Math.exp(-all.reduce((sum, score) => sum + score, 0) / all.length);
}

function distance(one, other) {
  const squares = one.map((score, at) => (score - other[at]) ** 2);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}

function ratio(one, other) {
  return Math.max(one / other, other / one);
}

function percent(one, other) {
  return `${(100 * (one / other - 1)).toFixed(2)} %`;
}

/** Returns the smaller gap of the two at the first token that differs, or undefined if none does. */
function gapWhereTheyPart(one, other) {
  const [some, others] = [one, other].map((tokens) => tokens.filter(isWhole));
  const at = some.findIndex(({ bytes }, k) => k < others.length && String(bytes) !== String(others[k].bytes));
  return at === -1 ? undefined : Math.min(some[at].gap, others[at].gap);
}

/** Native llama.cpp does not report tokens that end in the middle of a character, so those are not compared. */
function isWhole({ bytes }) {
  return !Buffer.from(bytes).toString().includes('\uFFFD');
}
