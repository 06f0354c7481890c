import { describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import enRest from '../../src/ui/i18n/en.json?rest';
import Markdown from '../../src/ui/markdown/Markdown.svelte';

test('an answer appears as plain text until the Markdown renderer has loaded', async () => {
  const screen = await render(Markdown, { text: '# Rent\n\n- [x] done **now**' });
  await expect.element(screen.getByText(/Rent/)).toBeVisible();
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Rent' })).toBeVisible();
  await expect.element(screen.getByRole('checkbox', { name: 'done now' })).toBeChecked();
  await expect.element(screen.getByText('now')).toHaveProperty('tagName', 'STRONG');
});

test('a streaming answer keeps its finished blocks and redraws only the end', async () => {
  const screen = await render(Markdown, { text: 'First.\n\nSecond.\n\n-', isStreaming: true });
  const first = screen.getByText('First.');
  await expect.element(first).toHaveProperty('tagName', 'P');
  const element = first.element();
  expect(screen.container.textContent).not.toContain('-');

  await screen.rerender({ text: 'First.\n\nSecond.\n\n- one\n- ', isStreaming: true });
  await expect.element(screen.getByRole('listitem').first()).toHaveTextContent('one');
  expect(first.element()).toBe(element);

  await screen.rerender({ text: 'First.\n\nSecond.\n\n- one\n- two', isStreaming: false });
  await expect.element(screen.getByRole('listitem').nth(1)).toHaveTextContent('two');
  expect(first.element()).toBe(element);
});

test("replacing an answer's text removes the old text from the screen", async () => {
  const screen = await render(Markdown, { text: 'One **bold** answer.' });
  await expect.element(screen.getByText('bold')).toBeVisible();
  await screen.rerender({ text: 'Another.' });
  await expect.element(screen.getByText('Another.')).toBeVisible();
  expect(screen.container.textContent.trim()).toBe('Another.');
});

test('more text can be added to a finished answer', async () => {
  const screen = await render(Markdown, { text: '```\none', isStreaming: false });
  await screen.rerender({ text: '```\none\ntwo\n```\n\nend', isStreaming: true });
  await expect.element(screen.getByText('end')).toHaveProperty('tagName', 'P');
  await expect.element(screen.getByText('one two')).toHaveProperty('tagName', 'CODE');
});

test('wide code blocks and tables scroll sideways without widening the page', async () => {
  const cells = Array.from({ length: 20 }, (_, column) => `unbreakableword${column}`);
  const table = `| ${cells.join(' | ')} |\n|${'---|'.repeat(20)}\n| ${cells.join(' | ')} |`;
  const screen = await render(Markdown, {
    text: `\`\`\`\n${'x'.repeat(5000)}\n\`\`\`\n\n${table}\n\n${'y'.repeat(5000)}\n\n> [${'z'.repeat(500)}](https://a.example)`,
  });
  await expect.element(screen.getByRole('table')).toBeVisible();
  const scrolls = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth;
  // Waits until the styles apply, which takes a moment on a busy machine.
  await expect
    .poll(() => [...screen.container.querySelectorAll('pre, .table')].map(scrolls))
    .toEqual([true, true]);
  expect(scrolls(document.documentElement)).toBe(false);
});

describe('footnotes', () => {
  const words = enRest.reading.blocks;
  const text = 'Bees dance.[^1] Ants do not.[^2]\n\nMore.\n\n[^1]: Frisch, 1927.\n[^x]: Nobody.\n';

  test('the number jumps to the footnote, and a button jumps back', async () => {
    const screen = await render(Markdown, { text, words: { ...words, copied: '' } });
    const to = screen.getByRole('button', { name: 'Footnote 1', exact: true });
    await to.click();
    const back = screen.getByRole('button', { name: 'Back to where footnote 1 belongs' });
    await expect.element(back).toHaveFocus();
    await expect.element(screen.getByText(/Frisch, 1927/)).toBeVisible();
    await back.click();
    await expect.element(to).toHaveFocus();
  });

  test('references without a footnote, and footnotes without a reference, stay plain text', async () => {
    const screen = await render(Markdown, { text, words: { ...words, copied: '' } });
    await expect.element(screen.getByText('[^2]')).toBeVisible();
    await expect.element(screen.getByText('[^x]:')).toBeVisible();
    await expect.poll(() => screen.container.querySelectorAll('.note button').length).toBe(2);
    await screen.rerender({ text: `${text}\nMore`, isStreaming: true });
    await screen.rerender({ text: `${text}\nMore.[^x]`, isStreaming: false });
    await expect.element(screen.getByRole('button', { name: 'Footnote x', exact: true })).toBeVisible();
  });

  test.for(['`[^1]`', '[^ 1]', '[^1', '\\[^1]', '[^a b]', `[^${'x'.repeat(33)}]`])(
    'text that is not a valid footnote reference stays plain: %s',
    async (text) => {
      const screen = await render(Markdown, { text: `Look ${text}` });
      await expect.element(screen.getByText(/Look/)).toHaveProperty('tagName', 'P');
      expect(screen.container.querySelector('.note')).toBeNull();
    },
  );
});
