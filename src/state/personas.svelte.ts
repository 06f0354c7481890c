/** Personas on the screen. The shell loads this file, so their functions load later. */
import type {
  Persona,
  PersonaContent,
  PersonaList,
  PersonaProblem,
  ReadPersonaFile,
} from '../contracts/persona';
import type { PersonaStore } from '../contracts/store';

export type GalleryPersona = Readonly<Record<'en' | 'zh', PersonaContent>>;

/** Provided by `src/app`. Store operations reject with an `AppError`. */
export interface PersonaFunctions extends Pick<
  PersonaStore,
  'list' | 'save' | 'loadDraft' | 'saveDraft' | 'removeDraft'
> {
  /** Calls `onList` now and after every change, also by other tabs, for as long as the page is open. */
  watch: (onList: (list: PersonaList) => void) => Promise<void>;
  check: (personaId: string, content: PersonaContent) => Promise<PersonaProblem[]>;
  readFile: (file: Blob) => Promise<ReadPersonaFile>;
  writeFile: (content: PersonaContent) => Promise<string>;
  gallery: () => Promise<readonly GalleryPersona[]>;
  newId: () => string;
  date: () => number;
}

export class Personas {
  list = $state.raw<PersonaList>();
  /** The tools that the last imported persona requested and did not get. */
  arrived = $state.raw<{ id: string; tools: PersonaContent['tools']; isTool: boolean }>();
  readonly #functions: Pick<PersonaFunctions, 'watch'>;
  #following: Promise<void> | undefined;

  constructor(functions: Pick<PersonaFunctions, 'watch'>) {
    this.#functions = functions;
  }

  /** Keeps `list` up to date from now on. */
  follow(): Promise<void> {
    return (this.#following ??= this.#functions.watch((list) => (this.list = list)));
  }

  find(id: string | undefined): Persona | undefined {
    return this.list?.personas.find((persona) => persona.id === id);
  }
}
