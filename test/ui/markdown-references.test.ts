/** The cost, counted in parses, of many link definitions that come after the text that needs them. */
import { describe, expect, test } from 'vitest';
import { createDialect } from '../../src/ui/markdown/dialect';
import { LinkReferences } from '../../src/ui/markdown/references';

const count = 900;
const label = (n: number) => `[label ${n}]`;
const numbers = Array.from({ length: count }, (_, n) => n);

/** Puts each text into its own element. Counts parses of texts, searches for elements, and characters read. */
function begin(texts: readonly string[]) {
  const counts = { readings: 0, letters: 0, looks: 0 };
  const dialect = createDialect();
  const target = document.createElement('div');
  const contains = target.contains.bind(target);
  target.contains = (node) => {
    counts.looks++;
    return contains(node);
  };
  const references = new LinkReferences(
    {
      ...dialect,
      readInline(text, links, linkCount) {
        counts.readings++;
        counts.letters += text.length;
        return dialect.readInline(text, links, linkCount);
      },
    },
    target,
    () => undefined,
  );
  for (const text of texts) {
    const paragraph = document.createElement('p');
    target.append(paragraph);
    references.fillInline(paragraph, text);
  }
  const define = (n: number) => {
    references.addDefinitions(dialect.readBlocks(`${label(n)}: https://a.example/${n}\n`).tokens);
    references.fillDueTexts(Infinity);
  };
  const end = () => {
    references.reparseWaitingTexts();
    references.fillDueTexts(Infinity);
  };
  return { counts, target, references, define, end };
}

describe('Markdown with 900 link definitions', () => {
  test('each of the 900 paragraphs with a link is parsed only twice', () => {
    const { counts, target, define, end } = begin(numbers.map(label));
    numbers.forEach(define);
    end();
    expect(target.querySelectorAll('a')).toHaveLength(count);
    expect(counts.readings).toBe(2 * count);
    expect(counts.looks).toBe(count);
  });

  test('a single paragraph with all 900 links is parsed fewer than 70 times', () => {
    const { counts, target, define, end } = begin([numbers.map(label).join(' ')]);
    define(0);
    expect(target.querySelectorAll('a')).toHaveLength(1);
    numbers.forEach(define);
    end();
    expect(target.querySelectorAll('a')).toHaveLength(count);
    expect(counts.readings).toBeLessThan(70);
  });

  test('a paragraph that uses none of the definitions is parsed only once', () => {
    const { counts, define } = begin(['[another] text']);
    numbers.forEach(define);
    expect(counts).toMatchObject({ readings: 1, looks: 0 });
  });
});

test('links work when their labels are names of built-in object properties', () => {
  const { target, references, end } = begin(['[constructor] and [__proto__]']);
  const { tokens } = createDialect().readBlocks(
    '[constructor]: https://a.example/\n[__proto__]: https://b.example/\n',
  );
  references.addDefinitions(tokens);
  end();
  expect([...target.querySelectorAll('a')].map(({ href }) => href)).toEqual([
    'https://a.example/',
    'https://b.example/',
  ]);
});
