/** Code and tables in an answer: their heads, their colours, and that the user can scroll them to the end. */
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { phone, show } from './show';
import { text, Told } from './told';
import { slow } from '../support/matrix';

const code =
  '```python\nprint("a line that is much longer than any phone is wide, so that it goes on to the right")\n```';
const table = `| ${'column | '.repeat(8)}\n|${' --- |'.repeat(8)}\n| ${'a value | '.repeat(8)}\n`;
const answer = (words: string) => new Told().you('Code?').hearth([text(words)], 'answered').chat;
const chat = () => answer(`${code}\n\n${table}\n\nDone.`);

/** Returns what `press` writes to the clipboard. */
async function copiedBy(press: () => Promise<void>): Promise<string> {
  let copied = '';
  const { clipboard } = navigator;
  const writeText = clipboard.writeText.bind(clipboard);
  clipboard.writeText = async (written) => void (copied = written);
  await press();
  clipboard.writeText = writeText;
  return copied;
}

test('a code block shows its language and length and has a copy button', async () => {
  const { screen } = await show(chat());
  const reply = screen.getByRole('article', { name: 'Hearth' });
  await expect.element(reply.getByText('python', { exact: true })).toBeVisible();
  await expect.element(reply.getByText('1 line', { exact: true })).toBeVisible();
  const copied = await copiedBy(() => reply.getByRole('button', { name: 'Copy code' }).click());
  await expect.element(reply.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(copied).toMatch(/^print\(.*\)$/);
});

test('code blocks and tables far down in a long reply have their heads too', async () => {
  const paragraphs = Array.from({ length: 120 }, (_, at) => `Paragraph ${at}.\n\n`).join('');
  const { screen } = await show(answer(`${paragraphs}${code}\n\n${table}\n\n${code}\n\nDone.`));
  const reply = screen.getByRole('article', { name: 'Hearth' });
  await expect.poll(() => reply.getByRole('button', { name: 'Copy code' }).elements()).toHaveLength(2);
  expect(reply.getByRole('button', { name: 'CSV' }).elements()).toHaveLength(1);
});

const hiddenWidth = ({ scrollWidth, clientWidth }: Element) => scrollWidth - clientWidth;

test('wide code blocks and tables scroll by keyboard and do not widen the page', async () => {
  const { screen } = await show({ ...chat(), size: phone });
  for (const name of ['Code: python', 'Table']) {
    const block = screen.getByRole('figure', { name });
    await expect.element(block).toBeVisible();
    // The styles load with the component that draws the block.
    await expect.poll(() => hiddenWidth(block.element())).toBeGreaterThan(0);
    (block.element() as HTMLElement).focus();
    await expect.element(block).toHaveFocus();
  }
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
});

test('the button that wraps long lines in a code block can be used by keyboard', async () => {
  const { screen } = await show({ ...chat(), size: phone });
  const block = screen.getByRole('figure', { name: 'Code: python' });
  const wrap = screen.getByRole('button', { name: 'Wrap' });
  await expect.element(wrap).toHaveAttribute('aria-pressed', 'false');
  (wrap.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(wrap).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => hiddenWidth(block.element())).toBe(0);
  await userEvent.keyboard('{Enter}');
  await expect.element(wrap).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => hiddenWidth(block.element())).toBeGreaterThan(0);
});

slow(
  'a long code block scrolls within its frame, and a long table keeps its header row visible',
  async () => {
    const lines = Array.from({ length: 200 }, (_, n) => `line ${n}`).join('\n');
    const rows = Array.from({ length: 200 }, (_, n) => `| ${n} | ${n * n} |`).join('\n');
    const { screen } = await show(answer(`\`\`\`\n${lines}\n\`\`\`\n\n| n | square |\n|--|--|\n${rows}\n`));
    await expect.element(screen.getByText('200 lines', { exact: true })).toBeVisible();
    await expect.element(screen.getByText('200 rows', { exact: true })).toBeInTheDocument();
    for (const block of [
      screen.getByLabelText('Code', { exact: true }),
      screen.getByRole('figure', { name: 'Table' }),
    ])
      expect(block.element().clientHeight).toBeLessThan(innerHeight);
    const table = screen.getByRole('figure', { name: 'Table' }).element();
    // The table is not laid out until it is near the viewport.
    table.scrollIntoView();
    table.scrollTop = 2000;
    const head = table.querySelector('th')?.getBoundingClientRect();
    expect(Math.abs((head?.top ?? 0) - table.getBoundingClientRect().top - table.clientTop)).toBeLessThan(2);
  },
);

slow('a table can be copied as CSV without spreadsheet formulas', async () => {
  const cells = ['a, b | "c" | =SUM(A1) | -5', '@x | +1 234,5 | -x | **d** [e](https://e.example)'];
  const { screen } = await show(answer(`| 1 | 2 | 3 | 4 |\n|-|-|-|-|\n| ${cells.join(' |\n| ')} |\n`));
  const button = screen.getByRole('button', { name: 'CSV' });
  const copied = await copiedBy(() => button.click());
  await expect.element(screen.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(copied.split('\r\n')).toEqual([
    '1,2,3,4',
    '"a, b","""c""",\'=SUM(A1),-5',
    '\'@x,"+1 234,5",\'-x,d e',
  ]);
});
