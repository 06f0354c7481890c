/** Personas, as screens show them. It is there from the first moment, so what is done with them is loaded when it is wanted. */
import type {
  Persona,
  PersonaContent,
  PersonaDraft,
  PersonaList,
  PersonaProblem,
  ReadPersonaFile,
} from '../contracts/persona';

/** By the code of the language it is written in. */
export type GalleryPersona = Readonly<Record<'en' | 'zh', PersonaContent>>;

/** Handed in by `src/app`; each rejects with an `AppError` where the store does. */
export interface PersonaFunctions {
  list: () => Promise<PersonaList>;
  /** Tells of the personas now and after every change, also by another tab, for as long as the page lives. */
  watch: (onList: (list: PersonaList) => void) => Promise<void>;
  save: (persona: Persona) => Promise<void>;
  loadDraft: (id: string) => Promise<PersonaDraft | undefined>;
  saveDraft: (draft: PersonaDraft) => Promise<void>;
  removeDraft: (id: string) => Promise<void>;
  /** An empty list when it may be saved. `personaId` is '' for one that is not kept yet. */
  check: (personaId: string, content: PersonaContent) => Promise<PersonaProblem[]>;
  readFile: (file: Blob) => Promise<ReadPersonaFile>;
  writeFile: (content: PersonaContent) => Promise<string>;
  /** Personas that come with the app, to be taken. */
  gallery: () => Promise<readonly GalleryPersona[]>;
  newId: () => string;
  /** Milliseconds since the epoch. */
  date: () => number;
}

export class Personas {
  /** Missing until the store has answered. */
  list = $state.raw<PersonaList>();
  /** What the last one that was imported asked for, and was not given. */
  arrived = $state.raw<{ id: string; tools: PersonaContent['tools']; isTool: boolean }>();
  readonly load: () => Promise<PersonaFunctions>;
  #following: Promise<void> | undefined;

  constructor(load: () => Promise<PersonaFunctions>) {
    this.load = load;
  }

  /** From now on `list` is what is kept. */
  follow(): Promise<void> {
    return (this.#following ??= this.load().then(({ watch }) => watch((list) => (this.list = list))));
  }

  find(id: string | undefined): Persona | undefined {
    return this.list?.personas.find((persona) => persona.id === id);
  }
}
