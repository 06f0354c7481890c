/** Personas, for a visit in which nothing can be kept. */
import type { Persona, PersonaDraft, PersonaList } from '../contracts/persona';
import type { PersonaStore } from '../contracts/store';
import { type MarkedRows, marksOn } from './memory-marks';
import { oldestFirst } from './personas';
import { shownOf } from './tree';

export function createMemoryPersonas(): PersonaStore & { marks: MarkedRows } {
  const personas = new Map<string, Persona>();
  const drafts = new Map<string, PersonaDraft>();
  const watchers = new Set<() => void>();
  const list = (): PersonaList => ({ personas: oldestFirst(shownOf([...personas.values()])), damaged: [] });
  const changed = () => {
    for (const tell of watchers) tell();
  };

  return {
    marks: marksOn('persona', personas, changed),
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
      for (const draft of drafts.values()) if (draft.personaId === id) drafts.delete(draft.id);
      changed();
      return Promise.resolve();
    },
    loadDraft: (id) => Promise.resolve(structuredClone(drafts.get(id))),
    saveDraft(draft) {
      drafts.set(draft.id, structuredClone(draft));
      return Promise.resolve();
    },
    removeDraft(id) {
      drafts.delete(id);
      return Promise.resolve();
    },
  };
}
