/**
 * The part of the composition root that the built-in model does without: catalog, downloads, models of the person's
 * own. It is loaded when another model is chosen, or the Models screen is opened.
 */
import egressWorkerUrl from '../../workers/egress.worker?worker&url';
import modelWorkerUrl from '../../workers/model.worker?worker&url';
import type { ModelSpec } from '../contracts/model';
import type { AddedModel } from '../contracts/model-name';
import type { DownloadState } from '../contracts/model-shelf';
import type { RequestRecord } from '../contracts/egress';
import type { Settings } from '../contracts/settings';
import { createDownloader } from '../egress/downloader';
import { type Alternatives, alternativesTo } from '../engines/library/alternatives';
import { models } from '../engines/library/built-in';
import { catalog } from '../engines/library/catalog';
import { findModel } from '../engines/library/find-model';
import { describeOwn, exportFiles, importFiles } from '../engines/library/files-on-disk';
import { readForm, readRecord } from '../engines/library/own-models';
import { createShelf, type Shelf } from '../engines/library/shelf';
import { createRemoteModel } from '../engines/host/remote-model';
import { engineOf, engines } from '../engines/registry';
import { saveFiles } from '../platform/save-files';
import { startEgressWorker, startWorker } from '../platform/start-worker';
import { askToPersist, measureUse } from '../platform/storage';
import { probeDevice } from '../platform/webgpu';
import type { ModelsFunctions } from '../state/models.svelte';
import { createEndpointFunctions } from './endpoint-functions';

export interface ModelLibraryOptions {
  settings: () => Settings;
  saveSettings: (changed: Partial<Settings>) => Promise<void>;
  record: (record: RequestRecord) => void;
  onDownload: (id: string, state: DownloadState | undefined) => void;
  onChange: () => Promise<void>;
  /** What else is known of the model is forgotten. */
  onRemove: (id: string) => Promise<void>;
}

export interface ModelLibrary extends Pick<Shelf, 'isKept' | 'goOn'> {
  functions: ModelsFunctions;
  /** Undefined where no model of this id is known any more. */
  find: (id: string) => Promise<ModelSpec | undefined>;
  /** The models that may answer in place of this one. */
  alternativesTo: (spec: ModelSpec) => Promise<Alternatives>;
}

export function createModelLibrary(options: ModelLibraryOptions): ModelLibrary {
  const { settings, saveSettings, record, onDownload, onChange } = options;
  let probing: ReturnType<typeof probeDevice> | undefined;
  const device = () => (probing ??= probeDevice());
  const find = async (id: string) => findModel(id, settings(), await device());
  const shelf = createShelf({
    downloader: createDownloader({
      startWorker: () => startEgressWorker(egressWorkerUrl),
      record,
      newId: () => crypto.randomUUID(),
    }),
    settings,
    device,
    async freeBytes() {
      const { bytes, quota } = await measureUse();
      return quota > 0 ? Math.max(0, quota - bytes) : undefined;
    },
    askToPersist,
    keepEngine,
    async learn(id, { bytes, isWhole }) {
      const own = settings().ownModels.find((one) => one.id === id);
      const spec = await find(id);
      if (!own || !spec) return;
      const learned = isWhole ? await describeOwn(own, spec) : { ...own, bytes };
      const ownModels = settings().ownModels.map((one) => (one.id === id ? learned : one));
      await saveSettings({ ownModels });
    },
    now: () => performance.now(),
    onDownload,
    onChange,
  });

  const downloadable = () => [
    ...catalog.flatMap(({ variants }) => variants.map(({ id }) => id)),
    ...settings().ownModels.map(({ id }) => id),
  ];
  const knownIds = () => [
    ...models.map(({ id }) => id),
    ...engines.flatMap(({ brought }) => brought?.spec.id ?? []),
    ...downloadable(),
  ];
  const add = async (added: AddedModel): Promise<AddedModel> => {
    if (added.ok && added.model) {
      await saveSettings({ ownModels: [...settings().ownModels, added.model] });
    }
    return added;
  };

  return {
    find,
    alternativesTo: async (spec) =>
      alternativesTo(spec, { ids: downloadable(), find, isKept: shelf.isKept, device: await device() }),
    isKept: shelf.isKept,
    goOn: shelf.goOn,
    functions: {
      view: shelf.view,
      download: shelf.download,
      pause(id) {
        shelf.pause(id);
        return Promise.resolve();
      },
      async remove(id) {
        // What cannot be forgotten keeps no model here.
        await options.onRemove(id).catch(() => undefined);
        await shelf.remove(id);
        const { ownModels } = settings();
        const others = ownModels.filter((own) => own.id !== id);
        if (others.length < ownModels.length) await saveSettings({ ownModels: others });
      },
      add: (form) => add(readForm(form, knownIds())),
      ...createEndpointFunctions({ settings, saveSettings, record, knownIds }),
      addRecord: (json) => add(readRecord(json, knownIds())),
      async importFiles(files) {
        await askToPersist();
        const added = await add(await importFiles(files, knownIds()));
        const spec = added.ok ? await find(added.id) : undefined;
        if (spec) await keepEngine(spec);
        return added;
      },
      async exportModel(id) {
        const spec = await find(id);
        return spec ? saveFiles(id, () => exportFiles(spec)) : false;
      },
    },
  };
}

/** The engine's own megabytes, without which a downloaded model could not start offline. */
async function keepEngine(spec: ModelSpec): Promise<void> {
  await engineOf(spec)?.files?.keepProgram(async () => {
    const remote = createRemoteModel(startWorker(modelWorkerUrl));
    try {
      await remote.load(spec, [], () => undefined);
    } finally {
      remote.close(new Error('The engine is kept.'));
    }
  });
}
