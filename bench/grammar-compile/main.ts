/** Times how xgrammar compiles grammars for a vocabulary as large as those of real models. Run by `run.js` in Node. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as xgrammar from '@mlc-ai/web-xgrammar';
import { constrainToCall } from '../../src/protocol/constraint';
import { dialectOf } from '../../src/protocol/dialects';
import { offered } from '../../test/fixtures/protocol/tools';
import { fullVocabulary, makeTokenizer } from '../../test/support/make-tokenizer';

/** Loads xgrammar, a script for web pages and CommonJS that declares itself a module. It needs CommonJS names and defines a global. */
async function load(): Promise<typeof xgrammar> {
  const here = fileURLToPath(import.meta.url);
  Object.assign(globalThis, { require: createRequire(here), __filename: here, __dirname: dirname(here) });
  await import('@mlc-ai/web-xgrammar');
  return (globalThis as unknown as { xgrammar: typeof xgrammar }).xgrammar;
}

/** Returns the milliseconds that each takes the first time. */
async function measure(): Promise<{ name: string; ms: number }[]> {
  const { GrammarCompiler, TokenizerInfo } = await load();
  const { json, idOf } = makeTokenizer(fullVocabulary);
  const { model, added_tokens: added } = JSON.parse(json) as {
    model: { vocab: Record<string, number> };
    added_tokens: { content: string }[];
  };
  const tokens = [...Object.keys(model.vocab), ...added.map(({ content }) => content)];
  const results: { name: string; ms: number }[] = [];
  async function time<Made>(name: string, work: () => Promise<Made>): Promise<Made> {
    const begun = performance.now();
    const made = await work();
    results.push({ name, ms: performance.now() - begun });
    return made;
  }
  const stop = idOf('<|im_end|>');
  const create = () => TokenizerInfo.createTokenizerInfo(tokens, 'byte_level', false, undefined, [stop]);
  const tokenizer = await time('the table of tokens, once', create);

  const hermes = dialectOf('hermes');
  const tagOf = (tools: typeof offered) =>
    JSON.stringify(constrainToCall('required', tools, hermes, 1024)?.structuralTag);
  const five = tagOf(offered.slice(0, 5));
  const cases: [string, string][] = [
    ...offered.map((tool): [string, string] => [tool.name, tagOf([tool])]),
    ['five tools', five],
    ['five tools, each text bounded at 64, for comparison', five.replaceAll('character*', 'character{0,64}')],
  ];
  for (const [name, tag] of cases) {
    // A new compiler each time, because a compiler caches what it has compiled.
    const compiler = await GrammarCompiler.createGrammarCompiler(tokenizer);
    (await time(name, () => compiler.compileStructuralTag(tag))).dispose();
    compiler.dispose();
  }
  return results;
}

export const results = await measure();
