import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { BinEntry, BinKind, Store } from '../../../src/contracts/store';
import type { CustomTool } from '../../../src/contracts/custom-tool';
import type { McpServer } from '../../../src/contracts/mcp-server';
import type { OwnModel } from '../../../src/contracts/model-library';
import type { Note } from '../../../src/contracts/note';
import { Database } from '../../../src/store/database';
import { openStore } from '../../../src/store/open-store';
import { createSentinel } from '../../../src/store/sentinel';
import { personaContent } from '../../support/persona';
import { chatRecord } from '../../support/stored-chat';
import { slugify } from '../tools/custom/definition';
import { slow } from '../../support/matrix';

const dates = { createdAt: 1, updatedAt: 1 };
const persona = { id: 'p', content: personaContent('Tutor'), ...dates };
const ownPrompt = { id: 'w', name: 'Summarise', text: 'Sum up {{text}}', ...dates };
const note: Note = { id: 'n', text: 'The wifi is called Heron.', origins: [{ door: 'typed' }], ...dates };
const tool: CustomTool = { id: 't', content: slugify, isOn: true, versions: [], ...dates };
const server: McpServer = {
  id: 's',
  name: 'House',
  url: 'https://house.example.org/mcp',
  header: 'X-Key',
  clientId: '',
  tools: [],
  tally: { calls: 3, failures: 0, sentBytes: 0, receivedBytes: 0 },
  createdAt: 1,
};
const model: OwnModel = {
  id: 'large',
  engine: 'endpoint',
  modelUrl: 'https://models.example.com/v1',
  overrides: {},
  endpoint: { model: 'large', key: 'sk-2', isNative: true },
};
const secret = { name: 'KEY', host: 'api.example.org' };
const exam = { modelId: 'large', modelName: 'Large' };
const grants = [
  { id: 'of tool', tool: slugify.name, revision: 'r1', target: 'change:', chatId: null, createdAt: 0 },
  { id: 'of server', tool: 'lamps', revision: 's/r1', target: 'server:house', chatId: null, createdAt: 0 },
  { id: 'other', tool: slugify.name, revision: '', target: 'a.example.org', chatId: null, createdAt: 0 },
];

let opened = 0;

describe.for([
  { kept: 'on the disk', hasDisk: true },
  { kept: 'in memory', hasDisk: false },
])('the bin of a store $kept', ({ hasDisk }) => {
  let store: Store;
  let entries: BinEntry[] = [];

  beforeEach(async () => {
    const name = `bin-things-${opened++}`;
    let time = 1000;
    if (!hasDisk) vi.stubGlobal('indexedDB', undefined);
    store = await openStore({ name, now: () => ++time, sentinel: createSentinel(name, undefined) });
    vi.unstubAllGlobals();
    await store.personas.save(persona);
    await store.notes.add(note);
    await store.ownPrompts.add(ownPrompt);
    await store.customTools.save(tool);
    await store.customTools.setSecret('t', secret, 'sk-1');
    await store.mcpServers.add(server, { serverId: 's', key: 'house key', clientSecret: '' });
    await store.settings.save({ ownModels: [model] });
    await store.exams.save(exam);
    for (const grant of grants) await store.grants.add(grant);
    store.bin.watch(
      (list) => (entries = list),
      (error) => expect.unreachable(error.message),
    );
  });

  const places = (['persona', 'note', 'prompt', 'tool', 'server', 'model'] as const).map((kind) => ({
    kind,
    id: { persona: 'p', note: 'n', prompt: 'w', tool: 't', server: 's', model: 'large' }[kind],
  }));
  const shown = async () => ({
    personas: (await store.personas.list()).personas,
    notes: (await store.notes.list()).notes,
    prompts: (await store.ownPrompts.list()).prompts,
    tools: (await store.customTools.list()).tools,
    key: await store.customTools.secretOf('t', secret),
    servers: (await store.mcpServers.list()).servers,
    serverKey: (await store.mcpServers.secretsOf('s')).key,
    models: (await store.settings.load()).ownModels,
    exams: await store.exams.list(),
    grants: (await store.grants.list()).map(({ id }) => id).sort(),
  });
  const nameOf = (kind: BinKind) => entries.find((entry) => entry.kind === kind)?.name;

  test('lists its items by name and restores them unchanged', async () => {
    const before = await shown();
    await store.bin.put(places);
    expect(await shown()).toMatchObject({
      personas: [],
      notes: [],
      prompts: [],
      tools: [],
      servers: [],
      models: [],
    });
    expect(await store.exams.list()).toEqual([]);
    await vi.waitFor(() => expect(entries).toHaveLength(places.length));
    expect(places.map(({ kind }) => nameOf(kind))).toEqual([
      ...['Tutor', note.text, 'Summarise', slugify.title, 'House', 'large'],
    ]);
    await store.bin.restoreAll(places);
    expect(await shown()).toEqual(before);
    await vi.waitFor(() => expect(entries).toEqual([]));
  });

  slow('permanently deletes items together with their keys and permissions', async () => {
    await store.bin.put(places);
    await store.bin.purge(places);
    await store.bin.restoreAll(places);
    expect(await shown()).toEqual({
      personas: [],
      notes: [],
      prompts: [],
      tools: [],
      servers: [],
      models: [],
      exams: [],
      key: undefined,
      serverKey: '',
      grants: ['other'],
    });
    await vi.waitFor(() => expect(entries).toEqual([]));
  });

  test('does not permanently delete items that are not in the bin', async () => {
    const before = await shown();
    await store.bin.purge(places);
    await store.bin.purgeBefore(Infinity);
    expect(await shown()).toEqual(before);
  });

  test('ignores changes to items in the bin', async () => {
    await store.bin.put(places);
    await store.mcpServers.change('s', (one) => ({ ...one, name: 'Other' }));
    await expect(store.notes.edit('n', { text: 'No', updatedAt: 9 })).rejects.toMatchObject({
      code: 'note-deleted',
    });
    await store.bin.restoreAll(places);
    expect(await shown()).toMatchObject({ servers: [server], notes: [note] });
  });

  test('renames a restored item if its name is now taken', async () => {
    await store.bin.put(places);
    await store.customTools.save({ ...tool, id: 't2', createdAt: 2 });
    await store.mcpServers.add(
      { ...server, id: 's2', createdAt: 2 },
      { serverId: 's2', key: '', clientSecret: '' },
    );
    await store.settings.save({ ownModels: [{ ...model, modelUrl: 'https://other.example.com/v1' }] });
    await store.bin.restoreAll(places);
    const { tools, servers, models, exams } = await shown();
    expect(tools.map(({ id, content }) => [id, content.name])).toEqual([
      ['t', `${slugify.name}_2`],
      ['t2', slugify.name],
    ]);
    expect(servers.map(({ id, name }) => [id, name])).toEqual([
      ['s', 'House 2'],
      ['s2', 'House'],
    ]);
    expect(models.map(({ id, modelUrl }) => [id, modelUrl])).toEqual([
      ['large', 'https://other.example.com/v1'],
      ['large-2', model.modelUrl],
    ]);
    expect(exams).toMatchObject([{ modelId: 'large-2' }]);
  });

  slow('does not delete the permissions of another tool with the same name', async () => {
    await store.bin.put([{ kind: 'tool', id: 't' }]);
    await store.customTools.save({ ...tool, id: 't2' });
    await store.bin.purge([{ kind: 'tool', id: 't' }]);
    expect((await shown()).grants).toEqual(['of server', 'of tool', 'other']);
  });

  test("notifies watchers of the user's own models when a model is put into the bin", async () => {
    const told = vi.fn();
    store.settings.watchModels(told, (error) => expect.unreachable(error.message));
    await vi.waitFor(() => expect(told.mock.lastCall?.[0]).toMatchObject({ ownModels: [model] }));
    await store.bin.put([{ kind: 'model', id: 'large' }]);
    await vi.waitFor(() =>
      expect(told.mock.lastCall?.[0]).toMatchObject({ ownModels: [], binnedModels: [{ model }] }),
    );
  });
});

test('emptying the bin deletes either all items or none', async () => {
  const name = `bin-things-${opened++}`;
  const store = await openStore({ name, sentinel: createSentinel(name, undefined) });
  await store.chats.create(chatRecord('chat'));
  await store.notes.add(note);
  const places = [
    { kind: 'chat' as const, id: 'chat' },
    { kind: 'note' as const, id: 'n' },
  ];
  await store.bin.put(places);
  // The disk fails after the first chat is deleted.
  const deleteRow: unknown = Reflect.get(IDBObjectStore.prototype, 'delete');
  vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(function (this: IDBObjectStore, key) {
    if (this.name === 'notes') throw new DOMException('The disk is full.', 'UnknownError');
    return Reflect.apply(deleteRow as IDBObjectStore['delete'], this, [key]);
  });
  await expect(store.bin.purge(places)).rejects.toThrow('The disk is full.');
  vi.restoreAllMocks();
  const database = new Database(name);
  await database.open();
  expect(await database.chats.count()).toBe(1);
  expect(await database.notes.count()).toBe(1);
  database.close();
});
