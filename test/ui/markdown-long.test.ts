/** Texts that would block the page if they were drawn at once, or as markup to their end. */
import { describe, expect, test } from 'vitest';
import { createMarkdownRenderer, drawMarkdown } from '../../src/ui/markdown/stream-renderer';
import { slow } from '../support/matrix';

const repeat = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join('');

/** Draws a complete text slice by slice. Returns how many slices there were, and the longest text node after each. */
function drawInSlices(text: string) {
  const target = document.createElement('div');
  const renderer = createMarkdownRenderer(target);
  renderer.update(text);
  renderer.end();
  const lengths = [target.textContent.length];
  while (renderer.hasMore) {
    renderer.drawSlice();
    lengths.push(target.textContent.length);
  }
  return { target, lengths };
}

function longestTextIn(target: Node): number {
  const walker = document.createTreeWalker(target, NodeFilter.SHOW_TEXT);
  let longest = 0;
  while (walker.nextNode()) longest = Math.max(longest, (walker.currentNode as Text).length);
  return longest;
}

describe('a long text', () => {
  test.for([
    ['without a blank', repeat(30_000, (at) => at.toString(36).padStart(4, 'x'))],
    ['of words', repeat(30_000, (at) => `w${at} `)],
    ['of footnotes', repeat(6_000, (at) => `[^${at}]: Word, see [^${at + 1}].\n`)],
  ])('%s is drawn in slices of at most 4,000 characters, and loses nothing', ([, text = '']) => {
    const { target, lengths } = drawInSlices(text);
    for (const [at, length] of lengths.entries()) {
      expect(length - (lengths[at - 1] ?? 0)).toBeLessThan(4_100);
    }
    expect(target.textContent.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    expect(longestTextIn(target)).toBeLessThan(17_000);
  });

  test('of many blocks keeps them in groups, because a browser visits every sibling of a block that changes', () => {
    const text = repeat(1_000, (at) => `w${at}\n\n`);
    const { target } = drawInSlices(text);
    const siblings = [target, ...target.querySelectorAll('.blocks')].map((group) => group.childElementCount);
    expect(Math.max(...siblings)).toBeLessThan(80);
    expect(target.textContent.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });

  test('that streams in large pieces of plain words is no single paragraph', () => {
    const target = document.createElement('div');
    const renderer = createMarkdownRenderer(target);
    const text = repeat(60_000, (at) => `w${at} `);
    for (let end = 7_000; end < text.length + 7_000; end += 7_000) renderer.update(text.slice(0, end));
    renderer.end();
    while (renderer.hasMore) renderer.drawSlice();
    expect(longestTextIn(target)).toBeLessThan(25_000);
    expect(target.textContent.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });

  slow.for([
    ['list items', repeat(20_000, (at) => `- item ${at}\n`), 'li', 700],
    ['nested list items', repeat(20_000, (at) => `${'  '.repeat(at % 8)}- item ${at}\n`), 'li', 700],
    ['quoted list items', repeat(20_000, (at) => `> - item ${at}\n`), 'li', 700],
    ['fences', repeat(3_000, (at) => `\`\`\`js\nlet a${at};\n\`\`\`\n`), 'pre', 233],
    ['table rows', `| a |\n|---|\n${repeat(10_000, (at) => `| row${at} |\n`)}`, 'tr', 700],
  ] as const)('of many %s is shown as written after its first parts', ([, text, selector, least]) => {
    const { target, lengths } = drawInSlices(text);
    const count = target.querySelectorAll(selector).length;
    expect(count).toBeGreaterThanOrEqual(least);
    expect(count).toBeLessThan(least * 3);
    expect(Math.max(...lengths.map((length, at) => length - (lengths[at - 1] ?? 0)))).toBeLessThan(4_100);
    const last = text.trimEnd().slice(-12);
    expect([...target.querySelectorAll('p.verbatim')].at(-1)?.textContent).toContain(last);
  });

  slow('with thousands of links before their definitions gets all its links', () => {
    const { target } = drawInSlices(
      `${repeat(3_000, (at) => `[word${at}][a${at}] `)}\n\n${repeat(900, (at) => `[a${at}]: https://a.example/${at}\n`)}`,
    );
    expect(target.querySelectorAll('a')).toHaveLength(900);
  });
});

test('a text is drawn to its end by one function, with pauses', async () => {
  const target = document.createElement('div');
  await drawMarkdown(
    target,
    repeat(20_000, (at) => `w${at} `),
  );
  expect(target.textContent).toContain('w19999');
});
