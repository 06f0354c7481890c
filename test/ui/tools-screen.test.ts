import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ToolSpec } from '../../src/contracts/tool';
import { show } from './show';

const tools: readonly ToolSpec[] = [
  { name: 'calculator', title: 'Calculator', description: 'x', inputSchema: {} },
  {
    name: 'web_search',
    title: 'Web search',
    description: 'x',
    inputSchema: {},
    annotations: { openWorldHint: true },
  },
  { name: 'heron_facts', title: 'Heron facts', description: 'Tells of herons.', inputSchema: {} },
];

test('every tool is listed with what it does, what it touches and how it has fared', async () => {
  const { screen } = await show({ tools });
  await screen.getByRole('link', { name: 'Tools' }).click();
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Tools' })).toBeVisible();
  const items = screen.getByRole('list', { name: 'Tools' }).getByRole('listitem');
  await expect
    .element(items.nth(0))
    .toHaveTextContent(
      /Calculator calculator.*Works out sums exactly\..*touches nothing else\..*4 calls, 1 failed, 2 repaired, 200 ms on average/,
    );
  await expect
    .element(items.nth(1))
    .toHaveTextContent(/Web search web_search.*where you allow it.*Not used yet/);
  await expect.element(items.nth(2)).toHaveTextContent(/Heron facts heron_facts.*Tells of herons\./);
});

test('a built-in tool is switched for new chats, and for the one that is not begun', async () => {
  const { app, screen, script, message } = await show({ tools });
  await screen.getByRole('link', { name: 'Tools' }).click();
  const search = screen.getByRole('switch', { name: 'web_search' });
  await expect.element(search).toBeChecked();
  await search.click();
  await expect.element(search).not.toBeChecked();
  expect(app.settings.toolsOff).toEqual(['web_search']);
  await screen.getByRole('button', { name: 'New chat' }).first().click();
  await expect.element(screen.getByRole('button', { name: '2 tools' })).toBeVisible();
  await message.fill('Hi');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => script.toolsOff).toEqual([['web_search']]);
  // A chat that was begun keeps what it began with.
  await app.setToolInNewChats('web_search', true);
  expect(app.session?.toolsOff).toEqual(['web_search']);
  expect(app.settings.toolsOff).toEqual([]);
});

test('from searching it leads to the providers', async () => {
  const { screen } = await show({ tools });
  await screen.getByRole('link', { name: 'Tools' }).click();
  await screen.getByRole('link', { name: 'Search providers' }).click();
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});
