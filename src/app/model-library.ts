/** Manages models that do not ship with the app: the catalog, downloads, and the user's own models on servers or disk. */
import egressWorkerUrl from '../../workers/egress.worker.ts?worker&url';
import modelWorkerUrl from '../../workers/model.worker.ts?worker&url';
import type { ModelSpec } from '../contracts/model';
import type { AddModelResult, Endpoint } from '../contracts/model-library';
import type { RequestRecord, StreamingEgress } from '../contracts/egress';
import type { Settings } from '../contracts/settings';
import { createDownloader } from '../egress/downloader';
import { findAlternatives } from '../engines/library/recommend';
import { catalog } from '../engines/library/catalog';
import { findModel, readModelForm, readModelRecord } from '../engines/library/find-model';
import { describeOwnModel, exportFiles, importFiles } from '../engines/library/files-on-disk';
import { createModelManager } from '../engines/library/shelf';
import { createRemoteModel } from '../engines/host/remote-model';
import { engines } from '../engines/kinds';
import { engineOf } from '../engines/registry';
import { saveFiles } from '../platform/save-files';
import { startEgressWorker, startWorker } from '../platform/start-worker';
import { askToPersist, measureUsage } from '../platform/storage';
import { probeDevice } from '../platform/webgpu';
import type { App } from '../state/app.svelte';
import type { ModelsFunctions } from '../state/models.svelte';
import type { OpenStore } from '../store/open-store';
import { builtInModels } from './small-model';
import { createEgress } from '../egress/client';
import { baseAddressesOf, createOwnEndpoint } from '../engines/endpoint/own-endpoint';

type OwnModelLists = Pick<Settings, 'ownModels' | 'binnedModels'>;

export interface ModelLibraryOptions {
  app: () => App;
  store: Promise<Pick<OpenStore, 'settings' | 'bin'>>;
  record: (record: RequestRecord) => void;
}

export type ModelLibrary = ReturnType<typeof createModelLibrary>;

export function createModelLibrary({ app, store, record }: ModelLibraryOptions) {
  const settings = () => app().settings;
  const saveSettings = (changed: Partial<Settings>) => app().saveSettings(changed);
  const onChange = () => app().models.refresh();
  let probing: ReturnType<typeof probeDevice> | undefined;
  const device = () => (probing ??= probeDevice());
  const find = async (id: string) => findModel(id, settings(), await device(), builtInModels);
  const downloader = createDownloader({
    startWorker: () => startEgressWorker(egressWorkerUrl),
    record,
    newId: () => crypto.randomUUID(),
  });
  const shelf = createModelManager({
    downloader,
    shipped: builtInModels,
    settings,
    device,
    async freeBytes() {
      const { bytes, quota } = await measureUsage();
      return quota > 0 ? Math.max(0, quota - bytes) : undefined;
    },
    askToPersist,
    storeEngineCode,
    async learn(id, { bytes, isWhole }) {
      const own = settings().ownModels.find((one) => one.id === id);
      const spec = await find(id);
      if (!own || !spec) return;
      const learned = isWhole ? await describeOwnModel(own, spec) : { ...own, bytes };
      const ownModels = settings().ownModels.map((one) => (one.id === id ? learned : one));
      await saveSettings({ ownModels });
    },
    now: () => performance.now(),
    onDownload: (...change) => app().models.setDownload(...change),
    onChange,
  });

  const downloadable = () => [
    ...catalog.flatMap(({ variants }) => variants.map(({ id }) => id)),
    ...settings().ownModels.map(({ id }) => id),
  ];
  const knownIds = () => [
    ...builtInModels.map(({ id }) => id),
    ...engines.flatMap(({ brought }) => brought?.spec.id ?? []),
    ...downloadable(),
  ];
  function take({ ownModels, binnedModels }: OwnModelLists): boolean {
    const write = (models: OwnModelLists) => JSON.stringify([models.ownModels, models.binnedModels ?? []]);
    if (write({ ownModels, binnedModels }) === write(settings())) return false;
    app().settings = { ...settings(), ownModels, binnedModels };
    return true;
  }
  // Watch the list of the user's models, because another tab may change it. If the store cannot be opened, there is nothing to watch.
  void store
    .then(({ settings: kept }) =>
      kept.watchModels(
        (models) => void (take(models) && onChange()),
        (error) => (app().fault = String(error)),
      ),
    )
    .catch(() => undefined);
  async function putIntoBin(id: string): Promise<void> {
    const kept = await store;
    await kept.bin.put([{ kind: 'model', id }]);
    take(await kept.settings.load());
  }
  const add = async (added: AddModelResult): Promise<AddModelResult> => {
    if (added.ok && added.model) {
      await saveSettings({ ownModels: [...settings().ownModels, added.model] });
    }
    return added;
  };

  const functions: ModelsFunctions = {
    view: shelf.view,
    download: shelf.download,
    pause(id) {
      shelf.pause(id);
      return Promise.resolve();
    },
    async remove(id) {
      await shelf.remove(id);
      const { ownModels } = settings();
      const own = ownModels.find((one) => one.id === id);
      // A model from the user's disk cannot be downloaded again, so remove its list entry with its files.
      if (own?.isFromDisk) await saveSettings({ ownModels: ownModels.filter((one) => one !== own) });
      else if (own) await putIntoBin(id);
      // Delete the model even if its exam results cannot be deleted.
      await app()
        .services.agent.loadExams()
        .then((exams) => exams.forget(id))
        .catch(() => undefined);
    },
    add: (form) => add(readModelForm(form, knownIds())),
    ...createEndpointFunctions(settings, saveSettings, record, knownIds),
    async seeing() {
      const ids = knownIds();
      const see = await Promise.all(ids.map(async (id) => hasVision(await find(id))));
      return ids.filter((_, at) => see[at]);
    },
    addRecord: (json) => add(readModelRecord(json, knownIds())),
    async importFiles(files) {
      // Do not wait: Firefox asks the user, who may ignore the question.
      void askToPersist().catch(() => false);
      const added = await add(
        await importFiles(files, {
          ids: knownIds(),
          storeFile: (...given) => downloader.storeFile(...given),
        }),
      );
      const spec = added.ok ? await find(added.id) : undefined;
      if (spec) await storeEngineCode(spec);
      return added;
    },
    async exportModel(id) {
      const spec = await find(id);
      return spec ? saveFiles(id, () => exportFiles(spec)) : false;
    },
  };

  return {
    find,
    alternativesTo: async (spec: ModelSpec) =>
      findAlternatives(spec, { ids: downloadable(), find, isKept: shelf.isKept, device: await device() }),
    isKept: shelf.isKept,
    goOn: shelf.goOn,
    /** Ends all downloads for good, because all data is about to be deleted. */
    end: downloader.end,
    functions,
  };
}

async function hasVision(spec: ModelSpec | undefined): Promise<boolean> {
  return (spec && (await engineOf(spec)?.canSee?.(spec))) ?? false;
}

/** Stores the engine's code too, because a downloaded model cannot start offline without it. */
async function storeEngineCode(spec: ModelSpec): Promise<void> {
  await engineOf(spec)?.files?.keepProgram(spec, async () => {
    const remote = createRemoteModel(startWorker(modelWorkerUrl));
    try {
      await remote.load(spec, () => undefined);
    } finally {
      remote.close(new Error('The engine is kept.'));
    }
  });
}

function createEndpointFunctions(
  settings: () => Settings,
  saveSettings: (changed: Partial<Settings>) => Promise<void>,
  record: (record: RequestRecord) => void,
  knownIds: () => readonly string[],
): Pick<ModelsFunctions, 'tryEndpoint' | 'saveEndpoint' | 'forgetKey'> {
  let opened: StreamingEgress | undefined;
  const egress = () =>
    (opened ??= createEgress({
      startWorker: () => startEgressWorker(egressWorkerUrl),
      allowedAddresses: () => settings().allowedAddresses,
      record,
      isOnline: () => navigator.onLine,
      newId: () => crypto.randomUUID(),
      date: Date.now,
    }));
  const find = (modelId: string | undefined) => settings().ownModels.find(({ id }) => id === modelId);
  return {
    async tryEndpoint({ address, key, model }, id, signal) {
      const { tryServer } = await import('../engines/endpoint/try-server');
      const before = find(id);
      // Send a stored key only to the origin it was entered for.
      const storedKey = before && hasSameOrigin(address, before.modelUrl) ? before.endpoint?.key : undefined;
      const trial = { egress: egress(), address, key: key.trim() || storedKey, model: model.trim() };
      return tryServer(trial, signal);
    },
    async saveEndpoint(form, id) {
      const { ownModels } = settings();
      const before = find(id);
      const made = createOwnEndpoint(form, { known: knownIds(), own: ownModels, before });
      if (!made.ok) return made;
      const others = ownModels.map((own) => (own === before ? made.model : own));
      await saveSettings({ ownModels: before ? others : [...ownModels, made.model] });
      return { ok: true, id: made.model.id };
    },
    async forgetKey(id) {
      const ownModels = settings().ownModels.map((own) =>
        own.id === id && own.endpoint ? { ...own, endpoint: dropKey(own.endpoint) } : own,
      );
      await saveSettings({ ownModels });
    },
  };
}

/** Whether a typed URL has the same origin as `url`. False if the typed text is not a URL. */
function hasSameOrigin(typed: string, url: string): boolean {
  const [base] = baseAddressesOf(typed);
  return base !== undefined && new URL(base).origin === new URL(url).origin;
}

function dropKey({ model, isNative, canSee }: Endpoint): Endpoint {
  return { model, isNative, canSee };
}
