/** Personas, for a visit in which nothing can be kept. */
import type { Persona, PersonaList } from '../contracts/persona';
import type { PersonaStore } from '../contracts/store';
import { oldestFirst } from './personas';

export function createMemoryPersonas(): PersonaStore {
  const personas = new Map<string, Persona>();
  const watchers = new Set<() => void>();
  const list = (): PersonaList => ({ personas: oldestFirst([...personas.values()]), damaged: [] });
  const changed = () => {
    for (const tell of watchers) tell();
  };

  return {
    list: () => Promise.resolve(list()),
    watch(onList) {
      const tell = () => onList(list());
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    save(persona) {
      personas.set(persona.id, structuredClone(persona));
      changed();
      return Promise.resolve();
    },
    remove(id) {
      personas.delete(id);
      changed();
      return Promise.resolve();
    },
  };
}
