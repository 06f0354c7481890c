/** Shows the Tools screen with MCP servers. */
import { expect } from 'vitest';
import type { ServerView } from '../../src/contracts/mcp-server';
import { show } from './show';

export async function showServers(
  list: readonly ServerView[] = [],
  options: Parameters<typeof show>[0] = {},
) {
  const shown = await show(options);
  const { app, screen, servers, calls } = shown;
  servers.say(...list);
  app.services.setHash('#/tools', false);
  const region = screen.getByRole('region', { name: 'MCP servers', exact: true });
  // The first test also waits for the code of the screen.
  await expect.poll(() => region.elements().length, { timeout: 15_000 }).toBe(1);
  const asked = (name: string) => calls.filter(([called]) => called === name).map(([, ...given]) => given);
  const button = (name: string) => region.getByRole('button', { name, exact: true });
  const field = (name: string) => region.getByLabelText(name, { exact: true });
  const item = (name: string) => region.getByRole('listitem', { name, exact: true });
  return { ...shown, region, asked, button, field, item };
}
