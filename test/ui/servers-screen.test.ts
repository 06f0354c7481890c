import { describe, expect, test } from 'vitest';
import { serverProblems } from '../../src/contracts/mcp-server';
import type { AddProblem } from '../../src/state/servers.svelte';
import enRest from '../../src/ui/i18n/en.json?rest';
import { everyNth, slow } from '../support/matrix';
import { remoteTool, serverView } from './fake-servers';
import { phone } from './show';
import { showServers } from './show-servers';

async function showForm(url = 'https://mcp.example.org/mcp') {
  const shown = await showServers();
  await shown.button('Add server').click();
  await shown.field('Address').fill(url);
  return shown;
}

describe('the form that adds an MCP server', () => {
  test('suggests a name from the address and reports success', async () => {
    const { button, field, asked, servers, region } = await showForm();
    await expect.element(field('Name')).toHaveAttribute('placeholder', 'example');
    servers.onAdd = async () => {
      servers.say(serverView('Example'));
      return { ok: true, id: 'example' };
    };
    await button('Connect').click();
    await expect.element(region.getByText(/^Example is here\./)).toBeVisible();
    expect(asked('addServer')).toEqual([
      [
        {
          url: 'https://mcp.example.org/mcp',
          name: 'example',
          header: '',
          key: '',
          clientId: '',
          clientSecret: '',
        },
      ],
    ]);
    await expect.element(button('Add server')).toBeVisible();
  });

  slow('sends a key in the Authorization header unless another header is given', async () => {
    const { button, field, asked, region } = await showForm();
    await field('Name').fill('Mine');
    await field('Key').fill('Bearer abc');
    await expect.element(field('Key')).toHaveAttribute('type', 'password');
    await region.getByText('More', { exact: true }).click();
    await field('Client ID').fill('hearth-7');
    await field('Client secret').fill('shh-7');
    await button('Connect').click();
    await expect
      .poll(() => asked('addServer')[0])
      .toEqual([
        {
          url: 'https://mcp.example.org/mcp',
          name: 'Mine',
          header: 'Authorization',
          key: 'Bearer abc',
          clientId: 'hearth-7',
          clientSecret: 'shh-7',
        },
      ]);
  });

  slow('keeps its input when connecting is cancelled', async () => {
    const { button, field, servers, region } = await showForm();
    let signal: AbortSignal | undefined;
    servers.onAdd = (given) => {
      signal = given;
      return new Promise((_, reject) =>
        given.addEventListener('abort', () => reject(given.reason as Error), { once: true }),
      );
    };
    await button('Connect').click();
    await expect.element(region.getByText('Connecting to mcp.example.org …')).toBeVisible();
    await button('Cancel').click();
    expect(signal?.aborted).toBe(true);
    await expect.element(field('Address')).toHaveValue('https://mcp.example.org/mcp');
    await button('Cancel').click();
    await expect.element(field('Address')).not.toBeInTheDocument();
  });

  slow.for(everyNth(3, serverProblems).map((code) => ({ code })))(
    'explains what to do about the error "$code"',
    async ({ code }) => {
      const { button, field, servers, region } = await showForm();
      await field('Key').fill('secret');
      servers.onAdd = async () => ({
        ok: false,
        problem: { field: 'server', code, detail: 'Found \u202ethis.' },
      });
      await button('Connect').click();
      const alert = region.getByRole('alert');
      await expect.element(alert).toHaveTextContent(enRest.servers.problems[code]);
      await expect.element(alert).toHaveTextContent('What was found: Found \\u202ethis.');
      await expect.element(field('Address')).toHaveValue('https://mcp.example.org/mcp');
      await expect.element(field('Key')).toHaveValue('secret');
      const needsHeaders = code === 'cors' || code === 'certificate';
      expect(alert.getByRole('figure').elements().length).toBe(needsHeaders ? 1 : 0);
    },
  );

  test.for<[AddProblem, string]>([
    [{ field: 'url', code: 'form' }, 'Address'],
    [{ field: 'url', code: 'taken' }, 'Address'],
    [{ field: 'name', code: 'missing' }, 'Name'],
    [{ field: 'name', code: 'taken' }, 'Name'],
    [{ field: 'header', code: 'form' }, 'Header'],
    [{ field: 'key', code: 'missing' }, 'Key'],
    [{ field: 'key', code: 'form' }, 'Key'],
  ])('reports an invalid field and moves the focus to it: %o', async ([problem, label]) => {
    const { button, field, servers } = await showForm();
    servers.onAdd = async () => ({ ok: false, problem });
    await button('Connect').click();
    await expect.element(field(label)).toHaveFocus();
    await expect.element(field(label)).toHaveAttribute('aria-invalid', 'true');
    const code = `${problem.field}-${problem.code}` as keyof typeof enRest.servers.problemCodes;
    await expect
      .element(field(label))
      .toHaveAccessibleDescription(new RegExp(enRest.servers.problemCodes[code]));
  });

  slow('lists the CORS headers that the server must send', async () => {
    const { button, field, servers, region } = await showForm();
    await field('Header').fill('X-Api-Key');
    servers.onAdd = async () => ({ ok: false, problem: { field: 'server', code: 'cors', detail: '' } });
    await button('Connect').click();
    const headers = region.getByRole('figure', { name: 'Headers that the server must send' });
    await expect.element(headers).toBeVisible();
    expect(headers.element().textContent).toBe(
      [
        `Access-Control-Allow-Origin: ${location.origin}`,
        'Access-Control-Allow-Methods: GET, POST, DELETE',
        'Access-Control-Allow-Headers: authorization, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id, x-api-key',
        'Access-Control-Expose-Headers: mcp-session-id, www-authenticate',
      ].join('\n'),
    );
    await expect.element(button('Copy the headers')).toBeVisible();
  });

  slow('a button allows a private network address and connects at once', async () => {
    const { button, servers, app, asked } = await showForm('http://192.168.1.5:3001/mcp');
    servers.onAdd = async () => ({ ok: false, problem: { field: 'server', code: 'address', detail: '' } });
    await button('Connect').click();
    servers.onAdd = async () => ({ ok: true, id: 'new' });
    await button('Allow http://192.168.1.5:3001').click();
    await expect.poll(() => asked('addServer').length).toBe(2);
    expect(app.settings.allowedAddresses).toEqual(['http://192.168.1.5:3001']);
    await expect.element(button('Add server')).toBeVisible();
  });
});

describe('an MCP server in the list', () => {
  test('shows its connection state, and a switch for each tool', async () => {
    const { item, asked } = await showServers([
      serverView('Everything', { tools: [remoteTool('echo'), remoteTool('get-sum', { alias: 'get_sum' })] }),
    ]);
    const server = item('Everything');
    await expect.element(server).toHaveTextContent('Connected, MCP 2025-11-25');
    await expect.element(server).toHaveTextContent('It calls itself Everything-server, 1.2.0.');
    await expect.element(server).toHaveTextContent('A new tool is off until you switch it on.');
    await expect.element(server).toHaveTextContent('Models call it get_sum');
    const echo = server.getByRole('switch', { name: 'echo', exact: true });
    await expect.element(echo).not.toBeChecked();
    await echo.click();
    await expect.element(echo).toBeChecked();
    expect(asked('setTool')).toEqual([['everything', 'echo', true]]);
    await expect.element(server.getByRole('switch', { name: 'get-sum', exact: true })).not.toBeChecked();
  });

  slow(
    "shows tool descriptions as plain text and says that Hearth does not rely on the server's claims",
    async () => {
      const definition = { ...remoteTool('x').definition, hints: { readOnlyHint: true, other: 'x' } };
      const { item } = await showServers([
        serverView('Odd', {
          tools: [remoteTool('x', { definition: { ...definition, description: '<img src=x>\u202e' } })],
        }),
      ]);
      await expect
        .element(item('Odd'))
        .toHaveTextContent('The server says: changes nothing. Hearth does not rely on it.');
      await expect.element(item('Odd')).toHaveTextContent('<img src=x>\\u202e');
      expect(item('Odd').element().querySelector('img')).toBeNull();
    },
  );

  slow('shows only the start of a long tool description until the user expands the text', async () => {
    const definition = { ...remoteTool('x').definition, description: `${'word '.repeat(200)}end` };
    const { item } = await showServers([serverView('Long', { tools: [remoteTool('x', { definition })] })]);
    await expect.element(item('Long')).not.toHaveTextContent('word end');
    await item('Long').getByRole('button', { name: 'Show all 1,003 characters' }).click();
    await expect.element(item('Long')).toHaveTextContent('word end');
  });

  test('shows a disabled switch and the reason for an unusable tool', async () => {
    const { item } = await showServers([
      serverView('Odd', { tools: [remoteTool('bad', { unfit: 'schema' })] }),
    ]);
    const bad = item('Odd').getByRole('switch', { name: 'bad', exact: true });
    await expect.element(bad).toBeDisabled();
    await expect.element(bad).toHaveAccessibleDescription(/^Cannot be switched on/);
  });

  test('switches off a changed tool and shows what changed', async () => {
    const before = { ...remoteTool('sum').definition, description: 'Adds two numbers.' };
    const { item, asked } = await showServers([
      serverView('Odd', { tools: [remoteTool('sum', { before })] }),
    ]);
    const change = item('Odd').getByRole('figure', { name: 'What changed in sum' });
    await expect.element(change).toHaveTextContent('- Adds two numbers.');
    await expect.element(change).toHaveTextContent('+ What sum does.');
    await expect.element(item('Odd')).toHaveTextContent('so it was switched off');
    await item('Odd').getByRole('switch', { name: 'sum', exact: true }).click();
    expect(asked('setTool')).toEqual([['odd', 'sum', true]]);
  });

  slow('shows the first 50 of many tools, and the search finds the rest', async () => {
    const tools = Array.from({ length: 70 }, (_, at) => remoteTool(`tool_${at}`));
    const { item } = await showServers([serverView('Many', { tools })]);
    const switches = () => item('Many').getByRole('switch').elements().length;
    await expect.poll(switches).toBe(50);
    await item('Many').getByRole('button', { name: 'Show more of the 20 left' }).click();
    await expect.poll(switches).toBe(70);
    await item('Many').getByRole('searchbox').fill('tool_69');
    await expect.poll(switches).toBe(1);
  });

  test('says why it is unavailable and offers to reconnect', async () => {
    const { item, asked } = await showServers([
      serverView('Away', {
        state: { type: 'away', trouble: 'timeout', detail: '' },
        tools: [remoteTool('echo', { isOn: true })],
      }),
    ]);
    await expect.element(item('Away')).toHaveTextContent(enRest.servers.problems.timeout);
    await expect.element(item('Away').getByRole('switch', { name: 'echo' })).toBeChecked();
    await item('Away').getByRole('button', { name: 'Refresh' }).click();
    expect(asked('refreshServer')).toEqual([['away']]);
  });

  slow('lists the hosts that sign-in will contact before the user signs in', async () => {
    const { item, asked, servers } = await showServers([
      serverView('Login', {
        state: { type: 'away', trouble: 'login', detail: '' },
        loginOrigins: ['https://accounts.example.net'],
      }),
    ]);
    const signIn = item('Login').getByRole('button', { name: 'Sign in' });
    await expect
      .element(item('Login'))
      .toHaveTextContent('Signing in asks these hosts: accounts.example.net');
    await expect.element(signIn).toHaveAccessibleDescription('Signing in asks these hosts:');
    servers.onSignIn = async () => ({ end: 'failed', detail: 'access_denied' });
    await signIn.click();
    await expect.element(item('Login')).toHaveTextContent('What the server said: access_denied');
    servers.onSignIn = async () => ({ end: 'window', detail: '' });
    await signIn.click();
    await expect.element(item('Login')).toHaveTextContent('The browser kept the window from opening.');
    servers.say(serverView('Login', { isSignedIn: true }));
    await expect.element(signIn).not.toBeInTheDocument();
    await item('Login').getByRole('button', { name: 'Sign out' }).click();
    expect(asked('signOut')).toEqual([['login']]);
  });

  slow('moves to the bin at once when removed', async () => {
    const { item, screen, asked } = await showServers([serverView('Gone')]);
    await item('Gone').getByRole('button', { name: 'Remove' }).click();
    await expect.element(item('Gone')).not.toBeInTheDocument();
    await expect.element(screen.getByRole('heading', { name: 'MCP servers' })).toHaveFocus();
    expect(asked('bin')).toEqual([[{ kind: 'server', id: 'gone' }]]);
    await expect.element(screen.getByText('The server “Gone” was removed.')).toBeVisible();
  });

  slow('lets the user change or delete its key and never shows the key', async () => {
    const view = serverView('Keyed', { hasKey: true });
    const { item, field, asked } = await showServers([
      { ...view, server: { ...view.server, header: 'Authorization' } },
    ]);
    await item('Keyed').getByText('Key', { exact: true }).click();
    await expect.element(item('Keyed')).toHaveTextContent('A key is kept, and sent as Authorization.');
    await field('New key').fill('Bearer next');
    await item('Keyed').getByRole('button', { name: 'Keep' }).click();
    await item('Keyed').getByRole('button', { name: 'Forget' }).click();
    await expect
      .poll(() => asked('setKey'))
      .toEqual([
        ['keyed', 'Bearer next'],
        ['keyed', ''],
      ]);
    await expect.element(field('New key')).toHaveValue('');
  });

  slow('is reported if its data is unreadable, and can be removed', async () => {
    const { region, servers, asked } = await showServers();
    servers.shown.damaged = [{ id: 'odd', name: 'Odd one', reason: 'x' }];
    await expect.element(region.getByText(/^Odd one cannot be read/)).toBeVisible();
    await region.getByRole('button', { name: 'Remove' }).click();
    expect(asked('bin')).toEqual([[{ kind: 'server', id: 'odd' }]]);
  });

  test('does not list its tools among the built-in tools', async () => {
    const tools = [remoteTool('get-sum', { alias: 'clock', isOn: true })];
    const { screen } = await showServers([serverView('Odd', { tools })]);
    await expect.element(screen.getByRole('switch', { name: 'get-sum', exact: true })).toBeVisible();
    await expect.element(screen.getByRole('switch', { name: 'clock', exact: true })).not.toBeInTheDocument();
  });

  test('fits a phone screen', async () => {
    const long = remoteTool('a'.repeat(300), { alias: 'b'.repeat(64) });
    const { item } = await showServers([serverView('W'.repeat(200), { tools: [long] })], { size: phone });
    await expect.element(item('W'.repeat(200))).toBeVisible();
    for (const node of document.querySelectorAll('main *')) {
      if (node.closest('.visually-hidden')) continue;
      expect(node.getBoundingClientRect().right, node.outerHTML.slice(0, 120)).toBeLessThanOrEqual(391);
    }
  });
});
