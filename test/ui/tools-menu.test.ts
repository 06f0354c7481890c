import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ToolSpec } from '../../src/contracts/tool';
import { AppError, writeError } from '../../src/contracts/app-error';
import { isPinned } from '../../src/state/app-actions';
import { show } from './show';
import { slow } from '../support/matrix';

const many = (count: number): ToolSpec[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `tool_${at}`,
    title: `Tool ${at}`,
    description: `Does ${at}.`,
    inputSchema: {},
  }));
const offer = {
  modelId: 'large',
  toolsOn: 240,
  droppedMessages: 0,
  tokens: 600,
  allTokens: 19_000,
  listed: Array.from({ length: 12 }, (_, at) => ({ name: `tool_${at}`, reason: 'pinned' as const })),
};

test("a tool switched off in a chat's tools menu is not used in that chat", async () => {
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

slow('the tools menu says that no tool can run if every tool is off', async () => {
  const { screen } = await show();
  await screen.getByRole('button', { name: '2 tools' }).click();
  await screen.getByRole('switch', { name: 'calculator' }).click();
  await expect.element(screen.getByText(/none can run/)).not.toBeInTheDocument();
  await screen.getByRole('switch', { name: 'clock' }).click();
  await expect.element(screen.getByText(/none can run/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'No tools' })).toBeVisible();
});

test('Escape closes the tools menu without stopping the running answer', async () => {
  const { app, screen, message } = await show();
  await message.fill('Hi');
  await userEvent.keyboard('{Enter}');
  await screen.getByRole('button', { name: '2 tools' }).click();
  await expect.element(screen.getByText(/takes effect with your next question/)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('switch', { name: 'clock' })).not.toBeInTheDocument();
  expect(app.session?.isRunning).toBe(true);
});

slow('the tools menu shows 50 of many tools, and its search finds the rest', async () => {
  const { app, screen } = await show({ tools: many(240) });
  await screen.getByRole('button', { name: '240 tools' }).click();
  const find = screen.getByRole('searchbox', { name: 'Search these tools' });
  await expect.element(find).toHaveFocus();
  expect(screen.getByRole('switch').elements()).toHaveLength(50);
  await expect.element(screen.getByText('190 more. Search for them above.')).toBeVisible();
  app.session!.toolOffer = { ...offer, finder: 'page' };
  await expect.element(screen.getByText('12 of 240 listed, 18,400 tokens saved')).toBeVisible();
  await userEvent.keyboard('tool_123');
  await expect.element(screen.getByRole('switch', { name: 'tool_123' })).toBeVisible();
  expect(screen.getByRole('switch').elements()).toHaveLength(1);
  await userEvent.fill(find, 'nothing like it');
  await expect.element(screen.getByText('No tool found. Try another word.')).toBeVisible();
});

slow('a tool can be pinned and unpinned for all chats', async () => {
  const { app, screen, calls } = await show({ tools: many(13) });
  await screen.getByRole('button', { name: '13 tools' }).click();
  const pin = screen.getByRole('button', { name: 'Always list tool_3' });
  await expect.element(pin).toHaveAttribute('aria-pressed', 'true');
  await pin.click();
  await expect.element(pin).toHaveAttribute('aria-pressed', 'false');
  expect(calls).toContainEqual(['saveSettings', { pins: { tool_3: false } }]);
  expect(isPinned(app, 'tool_3')).toBe(false);
  await pin.click();
  await expect.element(pin).toHaveAttribute('aria-pressed', 'true');
});

slow('a chat offers the tool search setting unless its model is very small', async () => {
  const { app, screen } = await show({ tools: many(30) });
  await app.session!.set({ model: { ...app.model.defaultModel, isSmall: true } });
  await screen.getByRole('button', { name: '30 tools' }).click();
  const choice = screen.getByRole('combobox', { name: 'Search instead of listing all' });
  await expect.element(choice).not.toBeInTheDocument();
  await app.session!.set({ model: { ...app.model.defaultModel, isSmall: false } });
  await expect.element(choice).toHaveValue('when-needed');
  await choice.selectOptions('always');
  expect(app.session?.settings.toolSearch).toBe('always');
});

slow('the error about tools taking too much context has a button that opens the tools menu', async () => {
  const { screen, message, script } = await show();
  await message.fill('Hi');
  await userEvent.keyboard('{Enter}');
  const errorMessage = writeError(new AppError('tools-too-long', '1800 of 1888 tokens'));
  script.end('failed', [], { finishReason: 'error', errorMessage });
  const reply = screen.getByRole('article', { name: 'Hearth' });
  await expect.element(reply).toHaveTextContent(/The tools that are on take so much of what Ember can read/);
  await reply.getByRole('button', { name: 'Choose tools' }).click();
  await expect.element(screen.getByRole('switch', { name: 'calculator' })).toHaveFocus();
});

test('invariant: "What can I ask?" lists questions for the tools that are on in the chat', async () => {
  const own: ToolSpec = {
    name: 'bins',
    title: 'Bins',
    description: 'When bins are emptied.',
    inputSchema: {},
    examples: [{ request: 'When is the bin emptied?', arguments: {} }],
  };
  const calculator = { ...own, name: 'calculator', title: 'calculator', examples: [] };
  const { app, screen, message } = await show({
    tools: [calculator, own, { ...own, name: 'mute', examples: [] }],
  });
  await message.fill('Hello.');
  await screen.getByRole('button', { name: '3 tools' }).click();
  await screen.getByRole('switch', { name: 'bins' }).click();
  await screen.getByRole('link', { name: 'What can I ask?' }).click();
  await expect.element(screen.getByRole('heading', { level: 1, name: 'What can I ask?' })).toBeVisible();
  const list = screen.getByRole('list', { name: 'What can I ask?' });
  expect(list.getByRole('button').elements()).toHaveLength(1);
  void app.session?.setTool('bins', true);
  await expect.poll(() => list.getByRole('button').elements().length).toBe(2);
  await list.getByRole('button', { name: 'When is the bin emptied?' }).click();
  await expect.element(message).toHaveValue('Hello.\nWhen is the bin emptied?');
  await expect.element(message).toHaveFocus();
  await expect.element(list).not.toBeInTheDocument();
});
