/** Code and tables in an answer: their heads, and that they can be reached and read to the end. */
import { expect, test } from 'vitest';
import { phone, show } from './show';
import { text, Told } from './told';

const code =
  '```python\nprint("a line that is much longer than any phone is wide, so that it goes on to the right")\n```';
const table = `| ${'column | '.repeat(8)}\n|${' --- |'.repeat(8)}\n| ${'a value | '.repeat(8)}\n`;
const chat = () => new Told().you('Code?').hearth([text(`${code}\n\n${table}\n\nDone.`)], 'answered').chat;

test('a block of code names its language and is copied at a press', async () => {
  const { screen } = await show(chat());
  const reply = screen.getByRole('article', { name: 'Hearth' });
  await expect.element(reply.getByText('python', { exact: true })).toBeVisible();
  let copied = '';
  const { clipboard } = navigator;
  const writeText = clipboard.writeText.bind(clipboard);
  clipboard.writeText = async (written) => void (copied = written);
  await reply.getByRole('button', { name: 'Copy code' }).click();
  clipboard.writeText = writeText;
  await expect.element(reply.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(copied).toMatch(/^print\(.*\)$/);
});

test('what goes on to the right is reached by keyboard, and the page is not wider for it', async () => {
  const { screen } = await show({ ...chat(), size: phone });
  for (const name of ['Code: python', 'Table']) {
    const block = screen.getByRole('figure', { name });
    await expect.element(block).toBeVisible();
    const node = block.element() as HTMLElement;
    expect(node.scrollWidth).toBeGreaterThan(node.clientWidth);
    node.focus();
    expect(document.activeElement).toBe(node);
  }
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
});
