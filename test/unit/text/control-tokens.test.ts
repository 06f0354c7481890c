import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readGguf } from '../../../src/engines/gguf/header';
import { ember } from '../../../src/ember/spec';
import { neutralise, neutraliseTokens } from '../../../src/text/neutralise';

/** The GGUF token types "unknown" and "control". Text that spells such a token is tokenized as it. */
const controlTypes = new Set<unknown>([2, 3]);

async function controlTokens(path: string): Promise<string[]> {
  const { header } = await readGguf(new Blob([await readFile(path)]));
  const types = header.get('tokenizer.ggml.token_type');
  const tokens = header.get('tokenizer.ggml.tokens');
  if (!Array.isArray(types) || !Array.isArray(tokens)) throw new Error(`${path} has no vocabulary.`);
  return tokens.filter(
    (token, index): token is string => typeof token === 'string' && controlTypes.has(types[index]),
  );
}

describe.for([ember])('the model $id', ({ file, template }) => {
  test(
    'sees no control token and no part of its chat template in neutralised text',
    { timeout: 60_000 },
    async () => {
      const { stop, ...roles } = template;
      const tokens = [
        ...(await controlTokens(`public/${file.path}`)),
        ...Object.values(roles).flatMap(({ before, after }) => [before, after]),
        ...stop,
      ].filter((token) => token.trim() !== '');
      expect(tokens.length).toBeGreaterThan(3);

      const part = fc.oneof(
        fc.constantFrom(...tokens),
        fc.string({ maxLength: 4 }),
        fc.constantFrom('<', '|', '>', '\u200b'),
      );
      fc.assert(
        fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
          for (const harmless of [neutralise(parts.join('')), neutraliseTokens(parts.join(''))]) {
            for (const token of tokens) expect(harmless).not.toContain(token);
          }
        }),
        { numRuns: 1_000, seed: 20_261_121 },
      );
    },
  );
});
