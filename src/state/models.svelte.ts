import type {
  AddedModel,
  DownloadState,
  EndpointForm,
  EndpointReport,
  ModelCard,
  ModelName,
  ModelPlace,
  SavedEndpoint,
  ShelfView,
} from '../contracts/model-library';

/** What the Models screen shows: the models there are, how far each is on its way here, and what this device has. */

export interface OwnModelForm {
  modelUrl: string;
  id: string;
  libraryUrl: string;
  overrides: string;
}

export interface ModelsFunctions {
  view: () => Promise<ShelfView>;
  /** Settles when it has ended, however. */
  download: (id: string) => Promise<void>;
  pause: (id: string) => Promise<void>;
  /** A model of the person's own is taken from the list too. */
  remove: (id: string) => Promise<void>;
  add: (form: OwnModelForm) => Promise<AddedModel>;
  addRecord: (json: string) => Promise<AddedModel>;
  /**
   * Asks the server of a model for its list and, where a model is chosen, for a word and a call. `id`: of the one that is edited, whose
   * key is used where none was typed. Rejects when `signal` aborts.
   */
  tryEndpoint: (form: EndpointForm, id: string | undefined, signal: AbortSignal) => Promise<EndpointReport>;
  /** Adds it, or puts it in the place of the one with this id. */
  saveEndpoint: (form: EndpointForm, id: string | undefined) => Promise<SavedEndpoint>;
  forgetKey: (id: string) => Promise<void>;
  /** Ids of those here that pictures can be shown to. */
  seeing: () => Promise<readonly string[]>;
  importFiles: (files: readonly File[]) => Promise<AddedModel>;
  /** Puts its files where the person says; false where they said nowhere. */
  exportModel: (id: string) => Promise<boolean>;
}

export class Models {
  /** Missing until the device was looked at. */
  view = $state.raw<ShelfView>();
  downloads = $state.raw<Readonly<Record<string, DownloadState>>>({});
  readonly functions: ModelsFunctions;
  #reading: Promise<void> | undefined;
  #isStale = false;

  constructor(functions: ModelsFunctions) {
    this.functions = functions;
  }

  /** Reads anew what is there; asked for again meanwhile, once more after it. Resolves when all was read. */
  refresh(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#takeStale()) this.view = await this.functions.view();
  }

  /** Handed to the shelf. */
  setDownload(id: string, state: DownloadState | undefined): void {
    const others = Object.entries(this.downloads).filter(([other]) => other !== id);
    this.downloads = Object.fromEntries(state ? [...others, [id, state]] : others);
  }

  async remove(id: string): Promise<void> {
    await this.functions.remove(id);
    await this.refresh();
  }

  async added(adding: Promise<AddedModel>): Promise<AddedModel> {
    const added = await adding;
    if (added.ok) await this.refresh();
    return added;
  }

  async savedEndpoint(form: EndpointForm, id: string | undefined): Promise<SavedEndpoint> {
    const saved = await this.functions.saveEndpoint(form, id);
    if (saved.ok) await this.refresh();
    return saved;
  }

  async forgetKey(id: string): Promise<void> {
    await this.functions.forgetKey(id);
    await this.refresh();
  }

  #takeStale(): boolean {
    const isStale = this.#isStale;
    this.#isStale = false;
    return isStale;
  }
}

/** As a chat and the settings remember it. */
export function nameOf({ id, name, engine, place, bytes, isSmall }: ModelCard): ModelName {
  return { id, name, engine, place, bytes, ...(isSmall && { isSmall }) };
}

/** Where a model computes, also where an earlier version of the app has written its name down. */

export function placeOf({ place, engine }: Pick<ModelName, 'place' | 'engine'>): ModelPlace {
  // Earlier versions wrote no place down, and had one engine on the GPU.
  return place ?? (engine === 'web-llm' ? 'gpu' : 'processor');
}
