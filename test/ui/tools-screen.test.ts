import { expect, test } from 'vitest';
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
      /Calculator calculator.*Works out sums exactly\..*touches nothing else\..*4 calls, 1 failed, 2 mended, 200 ms on average/,
    );
  await expect
    .element(items.nth(1))
    .toHaveTextContent(/Web search web_search.*where you allow it.*Not used yet/);
  await expect.element(items.nth(2)).toHaveTextContent(/Heron facts heron_facts.*Tells of herons\./);
});

test('from searching it leads to the providers', async () => {
  const { screen } = await show({ tools });
  await screen.getByRole('link', { name: 'Tools' }).click();
  await screen.getByRole('link', { name: 'Search providers' }).click();
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});
