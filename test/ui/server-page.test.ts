/** The page of a server, and what a chat shows about an unavailable server. */
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { remoteTool, serverView } from './fake-servers';
import { showServers } from './show-servers';

describe('the details page of an MCP server', () => {
  test("shows the server's address, statistics, log and tools", async () => {
    const view = serverView('Everything', {
      tools: [remoteTool('echo')],
      log: [
        { id: '1', at: 0, what: 'tools/call echo', outcome: 'ok', durationMs: 120 },
        { id: '2', at: 1, what: 'tools/list', outcome: 'It answered 500.' },
      ],
    });
    const info = { ...view.server.info!, instructions: 'Call echo first.' };
    const tally = { calls: 12, failures: 2, sentBytes: 12_000, receivedBytes: 990_000 };
    const { item, screen } = await showServers([{ ...view, server: { ...view.server, info, tally } }]);
    await item('Everything').getByRole('link', { name: 'More about Everything' }).click();
    await expect.element(screen.getByRole('heading', { level: 1, name: 'Everything' })).toBeVisible();
    const main = screen.getByRole('main');
    for (const said of ['https://mcp.everything.example/mcp', '12, 2 failed', '12 kB', '990 kB'])
      await expect.element(main).toHaveTextContent(said);
    const rows = screen.getByRole('table', { name: 'Log of this visit' }).getByRole('row');
    await expect.element(rows.nth(1)).toHaveTextContent('It answered 500.');
    await expect.element(rows.nth(2)).toHaveTextContent('tools/call echo');
    await expect.element(screen.getByText('Call echo first.')).not.toBeVisible();
    await screen.getByText('What the server wants a model to know').click();
    await expect.element(screen.getByText('Call echo first.')).toBeVisible();
    await expect.element(screen.getByRole('switch', { name: 'echo', exact: true })).toBeVisible();
    await screen.getByRole('button', { name: 'Remove' }).click();
    await expect.element(screen.getByRole('region', { name: 'MCP servers' })).toBeVisible();
  });

  test('says that a server is unknown, and links back to the tools', async () => {
    const { app, screen } = await showServers();
    app.services.setHash('#/servers/gone', false);
    await expect.element(screen.getByText('This server is not on this device.')).toBeVisible();
    await screen.getByRole('link', { name: 'Back to the tools' }).click();
    await expect.element(screen.getByRole('region', { name: 'MCP servers' })).toBeVisible();
  });
});

test('the tools menu of a chat lists unavailable tools with the reason', async () => {
  const { screen, app, servers } = await showServers([
    serverView('Away', {
      state: { type: 'away', trouble: 'timeout', detail: '' },
      tools: [remoteTool('echo', { isOn: true }), remoteTool('off')],
    }),
  ]);
  app.services.setHash('#/', false);
  await screen.getByRole('button', { name: '2 tools', exact: true }).click();
  const echo = screen.getByRole('switch', { name: 'echo', exact: true });
  await expect.element(echo).toBeDisabled();
  await expect.element(echo).toHaveAccessibleDescription(/^Away does not answer at this moment\./);
  await expect.element(screen.getByRole('switch', { name: 'off' })).not.toBeInTheDocument();
  servers.setState('away', { type: 'ready' });
  await expect.element(echo).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
});
