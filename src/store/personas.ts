/** Keeps personas, and their drafts. */
import { liveQuery } from 'dexie';
import { Persona, PersonaDraft, type PersonaList } from '../contracts/persona';
import { read } from '../contracts/schema';
import type { PersonaStore } from '../contracts/store';
import type { Database } from './database';
import { attempt, toAppError } from './storage-error';
import { shownOf } from './tree';

/** A row as it comes from the disk: only its key is certain. */
type Row = Pick<Persona, 'id'>;

export class Personas implements PersonaStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<PersonaList> {
    const rows: Row[] = shownOf(await attempt(() => this.#database.personas.toArray()));
    const list = readPersonas(rows);
    await this.#quarantine(rows, list);
    return list;
  }

  watch(onList: (list: PersonaList) => void, onError: (error: Error) => void): () => void {
    const { personas } = this.#database;
    const subscription = liveQuery(async (): Promise<Row[]> => shownOf(await personas.toArray())).subscribe({
      next: (rows) => {
        const list = readPersonas(rows);
        onList(list);
        this.#quarantine(rows, list).catch((error: unknown) => onError(toAppError(error)));
      },
      error: (error: unknown) => onError(toAppError(error)),
    });
    return () => subscription.unsubscribe();
  }

  async save(persona: Persona): Promise<void> {
    await attempt(() => this.#database.personas.put(persona));
  }

  async remove(id: string): Promise<void> {
    const { personas, personaDrafts } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', personas, personaDrafts, async () => {
        await personas.delete(id);
        await personaDrafts.where({ personaId: id }).delete();
      }),
    );
  }

  async loadDraft(id: string): Promise<PersonaDraft | undefined> {
    const { personaDrafts, quarantine } = this.#database;
    const row = await attempt(() => personaDrafts.get(id));
    if (!row) return undefined;
    const draft = read(PersonaDraft, row);
    if (draft.ok) return draft.value;
    // The next letter typed writes over it.
    await attempt(() => quarantine.put({ id: `personaDrafts/${id}`, chatId: '', row, reason: draft.reason }));
    return undefined;
  }

  async saveDraft(draft: PersonaDraft): Promise<void> {
    await attempt(() => this.#database.personaDrafts.put(draft));
  }

  async removeDraft(id: string): Promise<void> {
    await attempt(() => this.#database.personaDrafts.delete(id));
  }

  /** The rows themselves stay in their table. */
  async #quarantine(rows: readonly Row[], { damaged }: PersonaList): Promise<void> {
    const records = damaged.map(({ id, reason }) => ({
      ...{ id: `personas/${id}`, chatId: '', reason },
      row: rows.find((row) => row.id === id),
    }));
    if (records.length > 0) await attempt(() => this.#database.quarantine.bulkPut(records));
  }
}

export function oldestFirst(personas: readonly Persona[]): Persona[] {
  return [...personas].sort((one, other) => one.createdAt - other.createdAt);
}

function readPersonas(rows: readonly Row[]): PersonaList {
  const personas: Persona[] = [];
  const damaged: { id: string; name: string; reason: string }[] = [];
  for (const row of rows) {
    const persona = read(Persona, row);
    if (persona.ok) personas.push(persona.value);
    else damaged.push({ id: row.id, name: nameOf(row), reason: persona.reason });
  }
  return { personas: oldestFirst(personas), damaged };
}

function nameOf(row: object): string {
  const content: unknown = 'content' in row ? row.content : undefined;
  const name = typeof content === 'object' && content !== null && 'name' in content ? content.name : '';
  return typeof name === 'string' ? name.slice(0, 64) : '';
}
