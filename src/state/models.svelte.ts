/** The state of the Models screen: model cards, downloads, and actions. */
import type {
  AddModelResult,
  DownloadState,
  EndpointForm,
  EndpointReport,
  ModelCard,
  ModelName,
  ModelPlace,
  SaveEndpointResult,
  ModelsView,
} from '../contracts/model-library';
import { coalesce } from './coalesce';

export interface OwnModelForm {
  modelUrl: string;
  id: string;
  libraryUrl: string;
  overrides: string;
}

export interface ModelsFunctions {
  view: () => Promise<ModelsView>;
  download: (id: string) => Promise<void>;
  pause: (id: string) => Promise<void>;
  remove: (id: string) => Promise<void>;
  add: (form: OwnModelForm) => Promise<AddModelResult>;
  addRecord: (json: string) => Promise<AddModelResult>;
  /** Lists an endpoint's models, and tests the chosen one. If no key is typed, uses the key of the edited model `id`. */
  tryEndpoint: (form: EndpointForm, id: string | undefined, signal: AbortSignal) => Promise<EndpointReport>;
  saveEndpoint: (form: EndpointForm, id: string | undefined) => Promise<SaveEndpointResult>;
  forgetKey: (id: string) => Promise<void>;
  seeing: () => Promise<readonly string[]>;
  importFiles: (files: readonly File[]) => Promise<AddModelResult>;
  /** Saves a model's files to a place that the user chooses. Resolves to false if the user cancels. */
  exportModel: (id: string) => Promise<boolean>;
}

export class Models {
  view = $state.raw<ModelsView>();
  downloads = $state.raw<Readonly<Record<string, DownloadState>>>({});
  readonly functions: ModelsFunctions;
  readonly refresh = coalesce(async () => {
    this.view = await this.functions.view();
  });

  constructor(functions: ModelsFunctions) {
    this.functions = functions;
  }

  setDownload(id: string, state: DownloadState | undefined): void {
    const others = Object.entries(this.downloads).filter(([other]) => other !== id);
    this.downloads = Object.fromEntries(state ? [...others, [id, state]] : others);
  }

  async remove(id: string): Promise<void> {
    await this.functions.remove(id);
    await this.refresh();
  }

  async refreshAfter<Result extends AddModelResult | SaveEndpointResult>(adding: Promise<Result>) {
    const added = await adding;
    if (added.ok) await this.refresh();
    return added;
  }

  saveEndpoint(form: EndpointForm, id: string | undefined): Promise<SaveEndpointResult> {
    return this.refreshAfter(this.functions.saveEndpoint(form, id));
  }

  async forgetKey(id: string): Promise<void> {
    await this.functions.forgetKey(id);
    await this.refresh();
  }
}

export function nameOf({ id, name, engine, place, bytes, isSmall }: ModelCard): ModelName {
  return { id, name, engine, place, bytes, ...(isSmall && { isSmall }) };
}

export function placeOf({ place, engine }: Pick<ModelName, 'place' | 'engine'>): ModelPlace {
  // Older versions did not store the place. Their only engine on the GPU was `web-llm`.
  return place ?? (engine === 'web-llm' ? 'gpu' : 'processor');
}
