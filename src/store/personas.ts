/** Keeps personas, and their drafts. */
import { Persona, PersonaDraft } from '../contracts/persona';
import type { PersonaStore } from '../contracts/store';
import { createCollection, readDraft } from './collection';
import { attempt } from './storage-error';
import type { Tables } from './tables';

export function createPersonas(tables: Tables): PersonaStore {
  return {
    ...createCollection(tables, {
      name: 'personas',
      schema: Persona,
      order: (one, other) => one.createdAt - other.createdAt,
      nameOf: nameInContent,
      toList: (personas, damaged) => ({ personas, damaged }),
    }),

    async save(persona: Persona): Promise<void> {
      await attempt(() => tables.personas.put(persona));
    },

    remove(id: string): Promise<void> {
      return tables.write(['personas', 'personaDrafts'], (within) => removePersona(within, id));
    },

    loadDraft(id: string): Promise<PersonaDraft | undefined> {
      return readDraft(tables, 'personaDrafts', id, PersonaDraft);
    },

    async saveDraft(draft: PersonaDraft): Promise<void> {
      await attempt(() => tables.personaDrafts.put(draft));
    },

    removeDraft(id: string): Promise<void> {
      return attempt(() => tables.personaDrafts.delete(id));
    },
  };
}

/** With its drafts. Within a transaction. */
export async function removePersona({ personas, personaDrafts }: Tables, id: string): Promise<void> {
  await personas.delete(id);
  await personaDrafts.where('personaId').equals(id).delete();
}

/** The name of a persona or of a tool; '' if the row is so damaged that it cannot be read. */
export function nameInContent(row: object): string {
  const content: unknown = 'content' in row ? row.content : undefined;
  const name = typeof content === 'object' && content !== null && 'name' in content ? content.name : '';
  return typeof name === 'string' ? name.slice(0, 64) : '';
}
