/** Messages sent during an answer wait above the message box and are sent when the answer ends. */
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { show } from './show';
import { slow } from '../support/matrix';

const hello = [{ type: 'text' as const, text: 'Hello' }];

async function showRunning(...waiting: string[]) {
  const shown = await show();
  const { screen, message } = shown;
  await message.fill('First');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
  for (const text of waiting) {
    await message.fill(text);
    await userEvent.keyboard('{Enter}');
    await expect.element(message).toHaveValue('');
  }
  const list = screen.getByRole('region', { name: 'Up next' });
  const questions = () => shown.script.histories.map((history) => JSON.stringify(history.at(-1)));
  return { ...shown, list, rows: list.getByRole('listitem'), questions };
}

test('queued messages are sent one after another once the answer has ended', async () => {
  const { script, list, rows, questions } = await showRunning('Second', 'Third');
  await expect.element(list).toHaveTextContent('Goes on by itself after this answer.');
  await expect.poll(() => rows.elements().length).toBe(2);
  script.end('answered', hello);
  await expect.poll(() => questions().length).toBe(2);
  await expect.poll(() => rows.elements().length).toBe(1);
  script.end('answered', hello);
  await expect.element(list).not.toBeInTheDocument();
  expect(questions()).toEqual([
    expect.stringContaining('First'),
    expect.stringContaining('Second'),
    expect.stringContaining('Third'),
  ]);
});

slow.for([
  { after: 'Stop', end: 'stopped' as const },
  { after: 'an error', end: 'failed' as const },
])('a queued message is not sent automatically after $after', async ({ end }) => {
  const { script, list, screen, questions } = await showRunning('Second');
  script.end(end, hello);
  await expect.element(list).toHaveTextContent('Waits for you');
  await expect.element(screen.getByRole('button', { name: 'Stop' })).not.toBeInTheDocument();
  expect(questions()).toHaveLength(1);
  await list.getByRole('button', { name: 'Ask now: follow-up 1' }).click();
  await expect.poll(() => questions()).toHaveLength(2);
  await expect.element(list).not.toBeInTheDocument();
});

slow('a queued message can be edited, moved, removed and restored, also by keyboard', async () => {
  const { script, list, rows, screen, questions } = await showRunning('Second', 'Third');
  await list.getByRole('button', { name: 'Change: follow-up 1' }).click();
  await list.getByRole('textbox', { name: 'Text of follow-up 1' }).fill('Second, better');
  await userEvent.keyboard('{Enter}');
  await expect.element(rows.first()).toHaveTextContent('Second, better');
  await expect.element(list.getByRole('button', { name: 'Change: follow-up 1' })).toHaveFocus();
  await list.getByRole('button', { name: 'Move up: follow-up 2' }).click();
  await expect.element(rows.first()).toHaveTextContent('Third');
  // The pressed button is not in the first row, so the focus moves with its row.
  await expect.element(list.getByRole('button', { name: 'Change: follow-up 1' })).toHaveFocus();
  await list.getByRole('button', { name: 'Remove: follow-up 1' }).click();
  await expect.poll(() => rows.elements().length).toBe(1);
  await expect.element(list.getByRole('button', { name: 'Change: follow-up 1' })).toHaveFocus();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => rows.elements().length).toBe(2);
  expect(questions()).toHaveLength(1);
  script.end('answered', hello);
  await expect.poll(() => questions().at(-1)).toContain('Third');
});

slow('a queued message is not sent while the user edits it, and the edit survives navigation', async () => {
  const { script, app, list, screen, questions } = await showRunning('Second', 'Third');
  const field = list.getByRole('textbox', { name: 'Text of follow-up 1' });
  await list.getByRole('button', { name: 'Change: follow-up 1' }).click();
  await field.fill('Second, better');
  const chat = `#/chat/${app.session!.id}`;
  await app.open('#/notes');
  await expect.element(list).not.toBeInTheDocument();
  await app.open(chat);
  await expect.element(field).toHaveValue('Second, better');
  await expect.element(field).not.toHaveFocus();
  script.end('answered', hello);
  await expect.element(list).toHaveTextContent('Waits for you');
  await expect.element(screen.getByRole('button', { name: 'Stop' })).not.toBeInTheDocument();
  expect(questions()).toHaveLength(1);
  await userEvent.click(field);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => questions().at(-1)).toContain('Second, better');
  expect(app.session!.edits).toEqual([]);
});

test('“Ask now” on a queued message ends the running answer', async () => {
  const { list, questions } = await showRunning('Second', 'Third');
  await list.getByRole('button', { name: 'Ask now: follow-up 2' }).click();
  await expect.poll(() => questions().at(-1)).toContain('Third');
  await expect.element(list).toHaveTextContent('Second');
});

slow('“Steer” ends the turn after the current round and sends the queued message', async () => {
  const { app, script, list, questions } = await showRunning('Second', 'Third');
  await list.getByRole('button', { name: 'Steer: follow-up 2' }).click();
  await expect.element(list).toHaveTextContent('Comes in after this step.');
  await expect.element(list.getByRole('button', { name: 'Change: follow-up 2' })).toHaveFocus();
  expect(app.session?.shouldEndEarly).toBe(true);
  script.end('steered');
  await expect.poll(() => questions().at(-1)).toContain('Third');
  expect(app.session?.shouldEndEarly).toBe(false);
  // The focused row is gone, because its message was sent.
  await expect.element(list.getByRole('button', { name: 'Change: follow-up 1' })).toHaveFocus();
});

test('a message that is queued just as the turn ends is sent at once', async () => {
  const { app, script, message, questions } = await showRunning();
  await message.fill('Second');
  const sent = app.send();
  script.end('answered', hello);
  await sent;
  await expect.poll(() => questions().at(-1)).toContain('Second');
  await expect.element(message).toHaveValue('');
});
