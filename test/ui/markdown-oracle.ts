/** The reference for tests of the renderer: the text parsed at once, and ways to cut it. */
import type { Links, Token } from 'marked';
import { expect } from 'vitest';
import { appendInline, buildBlock } from '../../src/ui/markdown/build-nodes';
import { createDialect, asReplyTokens } from '../../src/ui/markdown/dialect';
import { createMarkdownRenderer } from '../../src/ui/markdown/stream-renderer';

/** Expects the same nodes, even where text is split into several. `message` accompanies the markup on failure. */
export function expectEqual(target: HTMLElement, expected: HTMLElement, message: string): void {
  if (!target.isEqualNode(expected)) expect(target.innerHTML, message).toBe(expected.innerHTML);
  expect(target.isEqualNode(expected), message).toBe(true);
}

/** Parses the whole text at once without the renderer, so every definition is known from the start. */
export function whole(text: string): HTMLElement {
  const target = document.createElement('div');
  const dialect = createDialect();
  const { tokens, texts } = dialect.readBlocks(text.replace(/\r\n?/g, '\n'));
  const links = definitions(tokens, Object.create(null) as Links);
  for (const token of tokens) {
    const block = buildBlock(token, (element, content) => {
      appendInline(element, dialect.readInline(texts.get(content) ?? '', links, 0));
    });
    block?.classList.add('settled');
    if (block) target.append(block);
  }
  return target;
}

function definitions(tokens: Token[], links: Links): Links {
  for (const token of asReplyTokens(tokens)) {
    if (token.type === 'def') links[token.tag] ??= { href: token.href, title: token.title };
    if (token.type === 'blockquote') definitions(token.tokens, links);
    if (token.type === 'list') for (const item of token.items) definitions(item.tokens, links);
  }
  return links;
}

export function streamed(text: string, cuts: number[]): HTMLElement {
  const target = document.createElement('div');
  const renderer = createMarkdownRenderer(target);
  for (const cut of cuts) renderer.update(text.slice(0, cut));
  renderer.update(text);
  renderer.end();
  while (renderer.hasMore) renderer.drawSlice();
  return target;
}

export function everyNth(text: string, size: number): number[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => (index + 1) * size);
}

/** Returns ascending positions to cut at, the same for the same seed. Many steps are one character, and some are a hundred. */
export function randomCuts(text: string, seed: number): number[] {
  const random = randomNumbers(seed);
  const cuts: number[] = [];
  for (let at = 0; at < text.length; at += 1 + Math.floor(random() ** 3 * 60)) cuts.push(at);
  return cuts;
}

/** Returns a generator of numbers from 0 to 1 (mulberry32), the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
