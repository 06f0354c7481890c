import { expect, test } from 'vitest';
import { splitIntoBlocks } from '../../../src/ui/chat/text-blocks';

test('the blocks of a text, joined by line feeds, equal the text', () => {
  const text = Array.from({ length: 5000 }, (_, at) => `line ${at}`).join('\n');
  const blocks = splitIntoBlocks(text);
  expect(blocks.map((block) => block.text).join('\n')).toBe(text);
  expect(blocks.length).toBeGreaterThan(4);
  for (const block of blocks) expect(text.startsWith(block.text, block.from)).toBe(true);
});

test('a line of several megabytes is split between characters, never inside a character', () => {
  const text = '😀'.repeat(500_000);
  const blocks = splitIntoBlocks(text);
  expect(blocks.map((block) => block.text).join('')).toBe(text);
  for (const block of blocks) expect(block.text.isWellFormed()).toBe(true);
});

test('an empty text has no blocks', () => {
  expect(splitIntoBlocks('')).toEqual([]);
});
