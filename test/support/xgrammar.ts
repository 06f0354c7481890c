/** Writes random replies that a structural tag allows, held by xgrammar itself: the engine that WebLLM has built in. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as xgrammar from '@mlc-ai/web-xgrammar';
import type { StructuralTag } from '../../src/contracts/model';

const end = '</s>';

/** Letters, and pieces that cross the borders of marks and bodies, as the tokens of a real vocabulary do. */
const vocabulary = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  ...['\n', '\t', 'é', '中', '✿', '  ', '\n\n', '": ', '":"', '", "', '{"', '"}', '}\n', '{}', '[]', '",'],
  ...[
    '<tool_call>',
    '</tool_call>',
    '<tool_call>\n{"',
    'name',
    'arguments',
    '"name": "',
    '"}\n</',
    'tool_call>',
  ],
  ...Array.from('工具名称参数'),
  ...['<|', '|>', 'true', 'false', 'null', '12', '3.', end],
];
const endId = vocabulary.length - 1;

export interface TagWriter {
  /** The reply, or its beginning where it was not over after `most` tokens. */
  write(random: () => number, most: number): Promise<{ text: string; isOver: boolean }>;
  dispose(): void;
}

/**
 * A script for pages and CommonJS, called a module: it needs the names of the one, and leaves itself to the other. Under an address of its
 * own it is run for each file of tests: what it left before is gone by then.
 */
async function load(): Promise<typeof xgrammar> {
  const here = fileURLToPath(import.meta.url);
  const require = createRequire(here);
  Object.assign(globalThis, { require, __filename: here, __dirname: dirname(here) });
  const address = pathToFileURL(require.resolve('@mlc-ai/web-xgrammar'));
  await import(/* @vite-ignore */ `${address.href}?${performance.now()}`);
  return (globalThis as unknown as { xgrammar: typeof xgrammar }).xgrammar;
}

let loaded: Promise<typeof xgrammar> | undefined;

/** Rejects when xgrammar cannot read the tag. */
export async function createTagWriter(tag: StructuralTag): Promise<TagWriter> {
  const { GrammarCompiler, GrammarMatcher, TokenizerInfo } = await (loaded ??= load());
  const tokenizer = await TokenizerInfo.createTokenizerInfo(vocabulary, 'raw', false, undefined, [endId]);
  const compiler = await GrammarCompiler.createGrammarCompiler(tokenizer);
  const compiled = await compiler.compileStructuralTag(JSON.stringify(tag));
  const matcher = await GrammarMatcher.createGrammarMatcher(compiled);
  return {
    async write(random, most) {
      matcher.reset();
      let text = '';
      for (let count = 0; count < most; count++) {
        const mask = await matcher.getNextTokenBitmask();
        const allowed = vocabulary.flatMap((_, id) => (((mask[id >> 5] ?? 0) >>> (id & 31)) & 1 ? [id] : []));
        const token = allowed[Math.floor(random() * allowed.length)];
        if (token === undefined) throw new Error(`No token may follow ${JSON.stringify(text)}`);
        if (!matcher.acceptToken(token))
          throw new Error(`${vocabulary[token]} was allowed and is not taken.`);
        if (token === endId) return { text, isOver: true };
        text += vocabulary[token] ?? '';
      }
      return { text, isOver: false };
    },
    dispose() {
      for (const held of [matcher, compiled, compiler, tokenizer]) held.dispose();
    },
  };
}
