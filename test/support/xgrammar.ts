/** Writes random replies that a structural tag allows, checked by xgrammar, which WebLLM includes. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as xgrammar from '@mlc-ai/web-xgrammar';
import type { StructuralTag } from '../../src/contracts/model';

const end = '</s>';

/** Letters, plus pieces that cross the borders of markers and bodies, as tokens of a real vocabulary do. */
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
  /** Returns the reply, or its start if it has not ended after `most` tokens. */
  write(random: () => number, most: number): Promise<{ text: string; isOver: boolean }>;
  dispose(): void;
}

/**
 * Loads xgrammar, which calls itself a module but is a script for pages and CommonJS: it needs the globals of one and assigns itself to the
 * other. A unique address makes it run again for each test file, because the previous file's globals are gone.
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

/** Rejects if xgrammar cannot parse the tag. */
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
