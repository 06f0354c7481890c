import 'fake-indexeddb/auto';
import { describe, expect, test, vi } from 'vitest';
import type { McpSecrets, McpServer, McpServerList } from '../../../src/contracts/mcp-server';
import type { Grant } from '../../../src/contracts/permission';
import { createBin } from '../../../src/store/bin';
import { Database } from '../../../src/store/database';
import { createGrants } from '../../../src/store/single-tables';
import { createMcpServers } from '../../../src/store/collections';
import { createMemoryStore } from '../../../src/store/open-store';
import { noSentinel } from '../../../src/store/sentinel';
import { Tally } from '../../../src/store/tally';
import { deleteItem } from '../../support/stored-chat';
import { slow } from '../../support/matrix';

const server = (id: string, changed: Partial<McpServer> = {}): McpServer => ({
  id,
  name: `Server ${id}`,
  url: `https://${id}.example.org/mcp`,
  header: '',
  clientId: '',
  tools: [],
  tally: { calls: 0, failures: 0, sentBytes: 0, receivedBytes: 0 },
  createdAt: 1,
  ...changed,
});
const secrets = (serverId: string, changed: Partial<McpSecrets> = {}): McpSecrets => ({
  serverId,
  key: `key of ${serverId}`,
  clientSecret: '',
  ...changed,
});
const grant = (id: string, revision: string): Grant => ({
  id,
  tool: 'echo',
  revision,
  target: 'server:a.example.org',
  chatId: null,
  createdAt: 0,
});

let databases = 0;
async function onDisk() {
  const database = new Database(`mcp-servers-${databases++}`);
  await database.open();
  const bin = createBin(database, new Tally(database, noSentinel), Date.now);
  return { bin, store: createMcpServers(database), grants: createGrants(database), database };
}
function inMemory() {
  const { mcpServers: store, bin, grants } = createMemoryStore();
  return { store, bin, grants };
}

describe.for([
  { name: 'on the disk', open: onDisk },
  { name: 'in memory', open: async () => inMemory() },
])('MCP servers stored $name', ({ open }) => {
  test('are listed oldest first, and watchers are notified', async () => {
    const { store, bin } = await open();
    const seen = vi.fn<(list: McpServerList) => void>();
    const end = store.watch(seen, (error) => {
      throw error;
    });
    const [young, old] = [server('a-young', { createdAt: 2 }), server('old')];
    await store.add(young, secrets('a-young'));
    await store.add(old, secrets('old'));
    await vi.waitFor(() => expect(seen.mock.lastCall?.[0]).toEqual({ servers: [old, young], damaged: [] }));
    await store.change('old', (one) => ({ ...one, name: 'Oldest' }));
    await deleteItem(bin, 'server', 'a-young');
    await deleteItem(bin, 'server', 'a-young');
    const rest = { servers: [{ ...old, name: 'Oldest' }], damaged: [] };
    await vi.waitFor(() => expect(seen.mock.lastCall?.[0]).toEqual(rest));
    expect(await store.list()).toEqual(rest);
    end();
  });

  test('are returned as copies', async () => {
    const { store } = await open();
    const kept = server('s');
    await store.add(kept, secrets('s'));
    kept.name = 'Changed by hand';
    const { servers } = await store.list();
    servers[0]!.name = 'Changed too';
    (await store.secretsOf('s')).key = 'changed';
    expect((await store.list()).servers[0]?.name).toBe('Server s');
    expect((await store.secretsOf('s')).key).toBe('key of s');
  });

  test('have secrets that are stored and changed separately', async () => {
    const { store } = await open();
    await store.add(server('s'), secrets('s'));
    expect(JSON.stringify(await store.list())).not.toContain('key of');
    const login = { tokens: '{"access_token":"t"}', origins: ['https://login.example'] };
    await store.changeSecrets('s', (kept) => ({ ...kept, login }));
    await store.change('s', (one) => ({ ...one, header: 'Authorization' }));
    expect(await store.secretsOf('s')).toEqual(secrets('s', { login }));
    await store.changeSecrets('s', () => secrets('s'));
    expect(await store.secretsOf('s')).toEqual(secrets('s'));
  });

  test('lose none of several concurrent changes', async () => {
    const { store } = await open();
    await store.add(server('s'), secrets('s'));
    const call = (one: McpServer) => ({ ...one, tally: { ...one.tally, calls: one.tally.calls + 1 } });
    await Promise.all(Array.from({ length: 5 }, () => store.change('s', call)));
    expect((await store.list()).servers[0]?.tally.calls).toBe(5);
  });

  test('are not restored by a change after their deletion, and neither are their keys', async () => {
    const { store, bin } = await open();
    await store.add(server('s'), secrets('s'));
    await deleteItem(bin, 'server', 's');
    const change = vi.fn((one: McpServer) => one);
    await store.change('s', change);
    await store.changeSecrets('s', () => secrets('s'));
    expect(change).not.toHaveBeenCalled();
    expect((await store.list()).servers).toEqual([]);
    expect(await store.secretsOf('s')).toEqual({ serverId: 's', key: '', clientSecret: '' });
  });

  test('are deleted together with the permissions for their own tools only', async () => {
    const { store, bin, grants } = await open();
    for (const id of ['s', 's2']) await store.add(server(id), secrets(id));
    const [mine, alike, others] = [grant('1', 's/abc'), grant('2', 's2/abc'), grant('3', '')];
    for (const one of [mine, grant('4', 's/def'), alike, others]) await grants.add(one);
    await deleteItem(bin, 'server', 's');
    expect((await grants.list()).map(({ id }) => id).sort()).toEqual(['2', '3']);
    expect(await store.secretsOf('s2')).toEqual(secrets('s2'));
  });
});

describe('an MCP server with damaged stored data', () => {
  test('hides no other server, is reported by name, and stays stored', async () => {
    const { store, database } = await onDisk();
    await store.add(server('good'), secrets('good'));
    const odd = { id: 'odd', name: 'x'.repeat(100), tools: 'none' };
    const nameless = { id: 'nameless', name: { a: 1 } };
    await database.mcpServers.bulkPut([odd, nameless] as never);
    const { servers, damaged } = await store.list();
    expect(servers).toEqual([server('good')]);
    expect(damaged).toEqual([
      { id: 'nameless', name: '', reason: expect.any(String) as unknown },
      { id: 'odd', name: 'x'.repeat(64), reason: expect.any(String) as unknown },
    ]);
    expect(await database.mcpServers.get('odd')).toEqual(odd);
    expect(await database.quarantine.get('mcpServers/odd')).toMatchObject({ row: odd });
  });

  test('cannot be changed, but can be removed', async () => {
    const { store, bin, database } = await onDisk();
    const odd = { id: 'odd', url: 7 };
    await database.mcpServers.put(odd as never);
    await database.mcpSecrets.put(secrets('odd'));
    await store.change('odd', () => server('odd'));
    expect(await database.mcpServers.get('odd')).toEqual(odd);
    await deleteItem(bin, 'server', 'odd');
    expect([await database.mcpServers.count(), await database.mcpSecrets.count()]).toEqual([0, 0]);
  });

  slow('has no secrets if they are unreadable, but new secrets can be stored', async () => {
    const { store, database } = await onDisk();
    await store.add(server('s'), secrets('s'));
    await database.mcpSecrets.put({ serverId: 's', key: 7 } as never);
    expect(await store.secretsOf('s')).toEqual({ serverId: 's', key: '', clientSecret: '' });
    await store.changeSecrets('s', (kept) => ({ ...kept, key: 'new' }));
    expect(await store.secretsOf('s')).toEqual(secrets('s', { key: 'new' }));
  });

  test('can be deleted even if a permission for its tools is unreadable', async () => {
    const { store, bin, database } = await onDisk();
    await store.add(server('s'), secrets('s'));
    await database.grants.bulkPut([{ id: 'odd' }, { id: 'odder', revision: 7 }, grant('1', 's/a')] as never);
    await deleteItem(bin, 'server', 's');
    expect((await database.grants.toArray()).map(({ id }) => id)).toEqual(['odd', 'odder']);
    expect((await store.list()).servers).toEqual([]);
  });

  test('has no client secret if its secrets were stored by an older version', async () => {
    const { store, database } = await onDisk();
    await database.mcpSecrets.put({ serverId: 's', key: 'k' } as never);
    expect(await store.secretsOf('s')).toEqual({ serverId: 's', key: 'k', clientSecret: '' });
  });
});
