import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { show } from './show';

test('each tool can be switched off in this chat, and the turn is told', async () => {
  const { screen, message, script } = await show();
  await screen.getByRole('button', { name: '2 tools' }).click();
  const clock = screen.getByRole('switch', { name: 'clock' });
  await expect.element(screen.getByRole('switch', { name: 'calculator' })).toHaveFocus();
  await expect.element(clock).toBeChecked();
  await clock.click();
  await expect.element(clock).not.toBeChecked();
  await userEvent.keyboard('{Escape}');
  await expect.element(clock).not.toBeInTheDocument();
  const opener = screen.getByRole('button', { name: '1 tool', exact: true });
  await expect.element(opener).toHaveFocus();
  await message.fill('Hi');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => script.toolsOff).toEqual([['clock']]);
});

test('with every tool off it says that none can run', async () => {
  const { screen } = await show();
  await screen.getByRole('button', { name: '2 tools' }).click();
  await screen.getByRole('switch', { name: 'calculator' }).click();
  await expect.element(screen.getByText(/none can run/)).not.toBeInTheDocument();
  await screen.getByRole('switch', { name: 'clock' }).click();
  await expect.element(screen.getByText(/none can run/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'No tools' })).toBeVisible();
});

test('Escape closes the menu and does not stop the turn behind it', async () => {
  const { app, screen, message } = await show();
  await message.fill('Hi');
  await userEvent.keyboard('{Enter}');
  await screen.getByRole('button', { name: '2 tools' }).click();
  await expect.element(screen.getByText(/takes effect with your next question/)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('switch', { name: 'clock' })).not.toBeInTheDocument();
  expect(app.session?.isRunning).toBe(true);
});
