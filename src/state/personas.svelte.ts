/** The personas that screens show. The page loads this file at start, but `functions` load their code on first use. */
import type { PersonaContent, PersonaList, PersonaProblem, PersonaFileResult } from '../contracts/persona';
import type { PersonaStore } from '../contracts/store';

export type GalleryPersona = Readonly<Record<'en' | 'zh', PersonaContent>>;

/** `src/app` implements these functions. They reject with an `AppError` if the store fails. */
export interface PersonaFunctions extends Omit<PersonaStore, 'watch'> {
  /** Calls `onList` now and after every change, including changes by other tabs. Cannot be stopped. */
  watch: (onList: (list: PersonaList) => void) => Promise<void>;
  check: (personaId: string, content: PersonaContent) => Promise<PersonaProblem[]>;
  readFile: (file: Blob) => Promise<PersonaFileResult>;
  writeFile: (content: PersonaContent) => Promise<string>;
  gallery: () => Promise<readonly GalleryPersona[]>;
  newId: () => string;
  date: () => number;
}

export class Personas {
  list = $state.raw<PersonaList>();
  /** The last imported persona, with the tools that its file requested. They are still off. */
  imported = $state.raw<{ id: string; tools: PersonaContent['tools']; isTool: boolean }>();
  readonly #functions: Pick<PersonaFunctions, 'watch'>;
  #watching: Promise<void> | undefined;

  constructor(functions: Pick<PersonaFunctions, 'watch'>) {
    this.#functions = functions;
  }

  startWatching(): Promise<void> {
    return (this.#watching ??= this.#functions.watch((list) => (this.list = list)));
  }

  find(id: string | undefined) {
    return this.list?.personas.find((persona) => persona.id === id);
  }
}
