import { describe, expect, test } from 'vitest';
import { findRelevantParts, splitPassages } from '../../../src/text/relevant-part';
import { slow } from '../../support/matrix';

const filler = (topic: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) =>
      `The ${topic} of year ${at} was much like the one before it, and nobody wrote more of it down.`,
  );
const page = [
  'title: The harbour of Ar',
  ...filler('trade', 30),
  '## Lighthouse',
  'It was lit for the first time in 1887. Its keeper was Maren Holt, who came from the islands.',
  ...filler('weather', 30),
].join('\n\n');

describe('the function findRelevantParts', () => {
  test('returns the title and the relevant passages in order, and marks gaps between them', () => {
    const { text, given, isFound } = findRelevantParts(page, {
      query: 'Who was the keeper of the lighthouse?',
    }).within(400);
    expect(isFound).toBe(true);
    expect(text.length).toBeLessThanOrEqual(400);
    expect(text.startsWith('title: The harbour of Ar\n')).toBe(true);
    expect(text).toContain(
      '[...]\n## Lighthouse\n\nIt was lit for the first time in 1887. Its keeper was Maren Holt',
    );
    for (const [from, to] of given) expect(text).toContain(page.slice(from, to));
  });

  test('returns the same text for the same input, and finds the answer whether the limit is low or high', () => {
    const parts = findRelevantParts(page, { query: 'Maren Holt' });
    expect(findRelevantParts(page, { query: 'Maren Holt' }).within(500)).toEqual(parts.within(500));
    for (const room of [300, 600, 1200, 2400]) {
      const { text } = parts.within(room);
      expect(text).toContain('Maren Holt');
      expect(text.length).toBeLessThanOrEqual(room);
    }
  });

  test('skips passages that the model already has, and continues with the next relevant ones', () => {
    const query = 'weather';
    let given: (readonly [number, number])[] = [];
    const seen = new Set<number>();
    for (let round = 0; round < 40; round++) {
      const part = findRelevantParts(page, { query, given }).within(600);
      for (const [from, to] of part.given) {
        for (let at = from; at < to; at++) {
          expect(seen.has(at)).toBe(false);
          seen.add(at);
        }
      }
      given = [...given, ...part.given];
    }
    // Everything except the whitespace between paragraphs.
    expect(seen.size).toBeGreaterThan(page.length * 0.97);
    expect(findRelevantParts(page, { query, given }).within(600)).toEqual({
      text: '',
      given: [],
      isFound: false,
    });
  });

  test('returns the start of the text if no word matches', () => {
    const { text, isFound } = findRelevantParts(page, { query: 'xylophone zzz' }).within(300);
    expect(isFound).toBe(false);
    expect(text).toBe(page.slice(0, text.length));
  });

  test('returns complete JSON items with their paths', () => {
    const rows = Array.from({ length: 200 }, (_, id) => ({
      id,
      name: `Person ${id}`,
      city: id === 137 ? 'Bergen' : 'Oslo',
    }));
    const json = JSON.stringify({ total: 200, next: null, rows });
    const { text } = findRelevantParts(json, { query: 'who lives in Bergen' }).within(300);
    const line = text.split('\n').find((one) => one.includes('Bergen'))!;
    expect(line).toBe(`rows[137]: ${JSON.stringify(rows[137])}`);
    expect(() => void JSON.parse(text)).toThrow();
  });

  test('matches Chinese text by pairs of characters', () => {
    const lines = Array.from({ length: 80 }, (_, at) => `第${at}章讲的是港口的贸易和天气。`);
    lines[50] = '灯塔的看守人叫林海生，他在岛上住了三十年。';
    const { text } = findRelevantParts(lines.join('\n'), { query: '灯塔的看守人是谁？' }).within(400);
    expect(text).toContain('林海生');
  });

  test('cuts text without spaces or line breaks at the limit', () => {
    const { text, given } = findRelevantParts('x'.repeat(5000), { query: 'what' }).within(90);
    expect(text).toBe('x'.repeat(90));
    expect(given).toEqual([[0, 90]]);
    expect(findRelevantParts('', { query: 'what' }).within(90)).toEqual({
      text: '',
      given: [],
      isFound: false,
    });
  });
});

describe('the function splitPassages', () => {
  test.for([
    ['prose', page],
    ['a table', Array.from({ length: 90 }, (_, at) => `| ${at} | value ${at} |`).join('\n')],
    ['one long line', 'word '.repeat(3000)],
    [
      'JSON',
      JSON.stringify({
        a: [1, 2, { b: 'x'.repeat(3000) }],
        c: { d: Array.from({ length: 500 }, (_, at) => at) },
      }),
    ],
    ['text that only looks like JSON', `[${'1, '.repeat(1000)}`],
    ['surrogate pairs', '😀'.repeat(2000)],
    ['lists within lists', `${'['.repeat(20_000)}1${']'.repeat(20_000)}`],
  ] as const)('splits %s in order, without overlap, into pieces that are short enough', ([, text]) => {
    let end = 0;
    let size = 0;
    for (const { from, to } of splitPassages(text)) {
      expect(from).toBeGreaterThanOrEqual(end);
      expect(to - from).toBeLessThanOrEqual(400);
      expect(to).toBeGreaterThan(from);
      expect(text.slice(from, to).isWellFormed()).toBe(true);
      end = to;
      size += to - from;
    }
    expect(size).toBeGreaterThan(text.length * 0.75);
  });

  slow('splits a very long text finely enough to find a passage near its end', () => {
    const long = Array.from(
      { length: 20_000 },
      (_, at) => `Paragraph ${at} speaks of ${at % 97} things at some length, as they all do.`,
    ).join('\n\n');
    const { text } = findRelevantParts(long, { query: 'paragraph 19321' }).within(500);
    expect(text).toContain('Paragraph 19321');
  });
});
