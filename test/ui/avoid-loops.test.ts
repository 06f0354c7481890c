/** llama.cpp with Ember's weights, which say the same again and again if nothing holds them. */
import { expect, test } from 'vitest';
import { readSiteFile } from '../../src/egress/own-files';
import { loadLlama } from '../../src/engines/llama/llama';
import { fetchProgram } from '../../src/engines/llama/program';

async function loadEmber() {
  const { signal } = new AbortController();
  const options = { signal, magic: 'GGUF', onProgress: () => undefined };
  const file = await readSiteFile(new URL('/models/ember.gguf', document.baseURI).href, options);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const read = (offset: number, size: number) => bytes.subarray(offset, offset + size);
  const weights = { size: bytes.length, read, close: () => undefined };
  return loadLlama(await fetchProgram(1, signal), weights, { contextTokens: 512, use: 'chat' });
}

const llama = await loadEmber();

/** Writes what the model finds likeliest, as long as the grammar lets it. */
function write(prompt: string, grammar: string, avoidsLoops: boolean) {
  llama.keep(0);
  llama.decode(llama.tokenize(prompt, { addsBegin: true }));
  llama.beginReply({ sampling: { temperature: 0 }, grammar, avoidsLoops });
  const decoder = new TextDecoder();
  let text = '';
  for (let token = llama.sample(); token !== undefined && !llama.endsReply(token); token = llama.sample()) {
    text += decoder.decode(llama.pieceOf(token), { stream: true });
    llama.decode([token]);
  }
  return text;
}

const question = ' what is the weather in Paris today';
const other = ' please convert ten miles to metres';
/** Begins with three copies of `unit`. The model then chooses six times between another copy and `other`. */
const grammarOf = (unit: string) =>
  `root ::= same{3} (same | other){6}\nsame ::= ${JSON.stringify(unit)}\nother ::= "${other}"`;

test('the model leaves a loop of words', () => {
  expect(write('Say:', grammarOf(question), false)).toBe(question.repeat(9));
  expect(write('Say:', grammarOf(question), true)).toContain(question.repeat(3) + other);
});

test.for<[name: string, unit: string]>([
  ['short lines', ' what is it\nin Paris\n'],
  ['numbers', ' 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,'],
  ['values', ' null, null, null, null, null, null,'],
  ['code', ' if (item.name == last.name) return item.total;'],
  ['addresses', ' example.org/guide/weather/paris/today/index'],
  ['rows of a table', '| what is the | weather in Paris | today\n'],
])('%s may repeat as before', ([, unit]) => {
  const held = write('Say:', grammarOf(unit), true);
  expect(held).toBe(write('Say:', grammarOf(unit), false));
  expect(held).toContain(unit.repeat(4));
});

test('a number in a repeated sentence stays', () => {
  const sum = ' the sum of twelve and thirty is';
  const grammar = `root ::= "${`${sum} 42.`.repeat(2)}${sum}" (" 42." | " 57.")`;
  expect(write('Say:', grammar, true)).toBe(`${sum} 42.`.repeat(3));
});
