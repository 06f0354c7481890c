import 'fake-indexeddb/auto';
import { describe, expect, test, vi } from 'vitest';
import type { Persona, PersonaList } from '../../../src/contracts/persona';
import { createBin } from '../../../src/store/bin';
import { Database } from '../../../src/store/database';
import { createPersonas } from '../../../src/store/collections';
import { personaContent, personaForm } from '../../support/persona';
import { createMemoryStore } from '../../../src/store/open-store';
import { noSentinel } from '../../../src/store/sentinel';
import { Tally } from '../../../src/store/tally';
import { deleteItem } from '../../support/stored-chat';

const persona = (id: string, changed: Partial<Persona> = {}): Persona => ({
  id,
  content: personaContent(id),
  createdAt: 1,
  updatedAt: 1,
  ...changed,
});

let databases = 0;
async function onDisk() {
  const database = new Database(`personas-${databases++}`);
  await database.open();
  const bin = createBin(database, new Tally(database, noSentinel), Date.now);
  return { bin, store: createPersonas(database), database };
}

async function inMemory() {
  const { personas: store, bin } = createMemoryStore();
  return { store, bin };
}

describe.for([
  { name: 'on the disk', open: onDisk },
  { name: 'in memory', open: inMemory },
])('personas stored $name', ({ open }) => {
  test('are listed oldest first, and watchers are notified', async () => {
    const { store, bin } = await open();
    const seen = vi.fn<(list: PersonaList) => void>();
    const end = store.watch(seen, (error) => {
      throw error;
    });
    const old = persona('old');
    const young = persona('a-young', { createdAt: 2 });
    await store.save(young);
    await store.save(old);
    await vi.waitFor(() => expect(seen.mock.lastCall?.[0]).toEqual({ personas: [old, young], damaged: [] }));
    const changed = { ...old, content: personaContent('Older', { isTool: true }), updatedAt: 3 };
    await store.save(changed);
    await deleteItem(bin, 'persona', 'a-young');
    await deleteItem(bin, 'persona', 'a-young');
    await vi.waitFor(() => expect(seen.mock.lastCall?.[0]).toEqual({ personas: [changed], damaged: [] }));
    expect(await store.list()).toEqual({ personas: [changed], damaged: [] });
    end();
  });

  test('have drafts, which stay until they are removed or their persona is deleted', async () => {
    const { store, bin } = await open();
    const draft = { id: 'new', personaId: 'p1', form: personaForm('Writer', { temperature: '0,' }) };
    await store.saveDraft(draft);
    expect(await store.loadDraft('new')).toEqual(draft);
    expect(await store.loadDraft('p1')).toBeUndefined();
    await store.removeDraft('new');
    expect(await store.loadDraft('new')).toBeUndefined();

    await store.save(persona('p1'));
    await store.saveDraft({ ...draft, id: 'p1' });
    await deleteItem(bin, 'persona', 'p1');
    expect(await store.loadDraft('p1')).toBeUndefined();
  });
});

test('an unreadable draft of a persona is quarantined and counts as missing', async () => {
  const { store, database } = await onDisk();
  const odd = { id: 'new', personaId: 'p1', form: { name: 7 } };
  await database.personaDrafts.put(odd as never);
  expect(await store.loadDraft('new')).toBeUndefined();
  expect(await database.quarantine.get('personaDrafts/new')).toMatchObject({ row: odd });
});

test('an unreadable persona is reported by name, stays stored, and hides no other persona', async () => {
  const { store, database } = await onDisk();
  await store.save(persona('good'));
  const odd = { id: 'odd', content: { name: 'Odd one', tools: 7 } };
  await database.personas.put(odd as never);
  expect(await store.list()).toEqual({
    personas: [persona('good')],
    damaged: [{ id: 'odd', name: 'Odd one', reason: expect.any(String) as unknown }],
  });
  expect(await database.personas.get('odd')).toEqual(odd);
  expect(await database.quarantine.get('personas/odd')).toMatchObject({ row: odd });
});
