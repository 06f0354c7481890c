/** Every version that was ever shipped still opens without any loss. The fixtures are kept forever. */
import 'fake-indexeddb/auto';
import { readdirSync, readFileSync } from 'node:fs';
import { Dexie } from 'dexie';
import { describe, expect, test } from 'vitest';
import { z } from '../../../src/contracts/schema';
import type { Store } from '../../../src/contracts/store';
import { Database } from '../../../src/store/database';
import { openStore } from '../../../src/store/open-store';
import { createSentinel } from '../../../src/store/sentinel';
import { asStored } from '../../support/fixture-rows';

const Fixture = z.object({
  version: z.int(),
  stores: z.record(z.string(), z.string()),
  rows: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
});

const folder = new URL('../../fixtures/store/', import.meta.url);
const fixtures = readdirSync(folder).map((file) =>
  Fixture.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
);

/** Restores a database as its version left it, with the tables of the fixture. */
async function restore({ version, stores, rows }: z.infer<typeof Fixture>): Promise<string> {
  const name = `version-${version}`;
  const database = new Dexie(name);
  database.version(version).stores(stores);
  for (const [table, content] of Object.entries(rows)) {
    await database.table(table).bulkAdd(content.map((row) => asStored(table, row)));
  }
  database.close();
  return name;
}

const schemaOf = (database: Dexie) =>
  Object.fromEntries(
    database.tables.map(({ name, schema }) => [
      name,
      [schema.primKey, ...schema.indexes].map(({ src }) => src),
    ]),
  );

describe.for(fixtures)('a database of version $version', (fixture) => {
  test('opens with all its data', async () => {
    const name = await restore(fixture);
    // One day after the deletion, because the bin is purged after thirty days.
    const now = () => 1795273600000;
    const store = await openStore({ name, now, sentinel: createSentinel(name, undefined) });
    expect(store.condition).toBe('ok');
    expect(await store.inspect()).toBeUndefined();

    expect(await store.chats.list()).toMatchObject([
      { id: 'named', title: 'Clocks 时钟', isNamed: true, toolsOff: ['calculator'] },
      { id: 'sums', title: 'What is 17 * 23?', isNamed: false, leafId: 'sums-a2' },
    ]);
    const sums = await store.chats.load('sums');
    expect(sums?.damaged).toEqual([]);
    expect(sums?.nodes).toHaveLength(5);
    expect(sums?.nodes[1]).toMatchObject({
      model: { id: 'ember' },
      usage: { outputTokens: 30, firstTokenMs: 80 },
      message: {
        content: [
          { type: 'reasoning' },
          { name: 'calculator', repairs: [expect.any(String)] },
          { name: 'clock' },
        ],
      },
    });
    expect(sums?.nodes[2]).toMatchObject({
      message: { nonce: 'n1', results: [{ timing: {} }, { isError: true }] },
    });
    expect(sums?.nodes[3]).toMatchObject({ turnEnd: 'answered', message: { raw: '17 × 23 = 391.' } });
    expect(await store.chats.loadPrompt('sums-a2')).toContain('17 * 23');

    const named = await store.chats.load('named');
    expect(named?.damaged).toMatchObject([{ id: 'messages/named-odd' }]);
    expect(named?.nodes).toMatchObject([
      { message: { content: [{ text: '现在几点？' }, { type: 'image', mimeType: 'image/png' }] } },
      { message: { content: [{ text: 'The clock' }, { text: 'It is' }, { name: 'clock' }] } },
      { id: 'named-odd', message: { finishReason: 'error' } },
    ]);
    expect((await store.drafts.load('named'))?.text).toBe('And in Tokyo');
    expect(await store.settings.load()).toMatchObject({ language: 'zh', theme: 'dark', rounds: 12 });

    const { servers, damaged } = await store.mcpServers.list();
    expect(damaged).toEqual([]);
    expect(servers).toMatchObject(
      fixture.version < 7
        ? []
        : [
            {
              id: 'house',
              name: 'House 家',
              url: 'https://mcp.example.com/mcp',
              header: 'X-Key',
              tools: [{ name: 'get-lamps', alias: 'get_lamps', isOn: true }],
              info: { protocol: '2025-11-25', hasPrompts: true },
              tally: { calls: 3, failures: 1, sentBytes: 900, receivedBytes: 4000 },
            },
          ],
    );
    if (fixture.version >= 7) {
      expect(await store.mcpServers.secretsOf('house')).toEqual({
        serverId: 'house',
        key: 'k-123456',
        clientSecret: '',
        login: { tokens: '{}', origins: ['https://login.example.com'] },
      });
    }
    expect(await store.exams.list()).toMatchObject(
      fixture.version < 8
        ? []
        : [
            {
              modelId: 'ember',
              begun: { of: 2, answers: [] },
              finished: { answers: [{ kind: 'sums' }, { mistake: { came: { text: '12:00' } } }] },
            },
          ],
    );

    // These items are in the bin, and therefore in none of the lists above.
    expect(await binOf(store)).toEqual(
      fixture.version < 9
        ? []
        : [
            ...['chat', 'messages', 'note', 'persona'],
            ...(fixture.version < 12 ? [] : ['prompt']),
            ...['server', 'tool'],
          ],
    );
    expect(await foldersOf(store)).toMatchObject(
      fixture.version < 9 ? [] : [{ id: 'folder-1', name: 'Work 工作', isFolded: true }],
    );
    const file = await store.attachments.load('file-1');
    expect(file?.text).toBe(fixture.version < 10 ? undefined : 'city,people\nOslo,709037\n北京,21893095\n');
    expect(file && new TextDecoder().decode(file.data)).toBe(file?.text);
    expect((await store.drafts.load('named'))?.attached ?? []).toMatchObject(
      fixture.version < 10 ? [] : [{ fileId: 'file-2', name: 'long.txt' }],
    );
    expect(await store.followUps.list('sums')).toEqual(
      fixture.version < 11
        ? []
        : [
            {
              id: 'waits-1',
              chatId: 'sums',
              place: 1,
              text: 'And 17 * 24?',
              origins: [{ door: 'typed' }, { door: 'page', name: 'example.com' }],
            },
          ],
    );
    expect(await store.ownPrompts.list()).toEqual({
      damaged: [],
      prompts:
        fixture.version < 12
          ? []
          : [
              {
                id: 'prompt-1',
                name: 'Summarise 总结',
                place: 0,
                createdAt: 1000,
                updatedAt: 2000,
                text: 'Summarise in {{sentences|three}} sentences:\n\n{{text}}',
              },
            ],
    });
    expect(named?.chat.folderId).toBe(fixture.version < 9 ? undefined : 'folder-1');
    store.close();
  });
});

const binOf = (store: Store) =>
  new Promise((resolve, reject) =>
    store.bin.watch((entries) => resolve(entries.map(({ kind }) => kind).sort()), reject),
  );
const foldersOf = (store: Store) => new Promise((resolve, reject) => store.folders.watch(resolve, reject));

test('every database version has a test fixture, and the newest fixture has the current tables', async () => {
  const today = new Database('today');
  expect(fixtures.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
    Array.from({ length: today.verno }, (_, at) => at + 1),
  );
  const newest = fixtures.find(({ version }) => version === today.verno)!;
  const fixed = new Dexie('fixed');
  fixed.version(newest.version).stores(newest.stores);
  expect(schemaOf(today)).toEqual(schemaOf(fixed));
  // A table that has no row in the fixture would not be tested.
  for (const table of today.tables) expect(newest.rows[table.name], table.name).not.toHaveLength(0);
});
