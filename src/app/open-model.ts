/** Opens a model where its engine runs: in a worker, in another tab's worker, or on the page. */
import type { ModelSpec } from '../contracts/model';
import type { PageParts } from '../engines/engine';
import { createPageModel } from '../engines/host/page-model';
import { createRemoteModel } from '../engines/host/remote-model';
import type { RunningModel } from '../engines/host/running-model';
import { createSharing } from '../engines/host/tabs/share-models';
import { engineOf, loadPageEngine } from '../engines/registry';
import { hasChannels, openChannel } from '../platform/channels';
import { hasLocks, holdLock } from '../platform/waiting-locks';
import { startWorker } from '../platform/start-worker';
import { AppError } from '../contracts/app-error';
import { createRemoteEmbedder, type Embedder } from '../engines/host/remote-embedder';
import type { ModelLibrary } from './model-library';
import modelWorkerUrl from '../../workers/model.worker?worker&url';

export function openModel(spec: ModelSpec, parts: PageParts): RunningModel {
  if (engineOf(spec)?.runsIn !== 'page') return createRemoteModel(startWorker(modelWorkerUrl));
  return createPageModel(async (loading, options) => {
    // Other engines have the protocol in their worker.
    const { createChatModel } = await import('../protocol/chat-model');
    const engine = await loadPageEngine(loading, parts);
    await engine.load(loading, options);
    const model = createChatModel(engine, loading, () => crypto.randomUUID());
    // Models of other engines have it in their spec.
    return { ...model, contextTokens: engine.contextTokens };
  });
}

/** Shares models in workers. Servers and the browser's model are the same for all tabs anyway. */
export function shareWithTabs(
  openHere: (spec: ModelSpec) => RunningModel,
): (spec: ModelSpec) => RunningModel {
  if (!hasLocks() || !hasChannels()) return openHere;
  const open = createSharing({
    links: { hold: holdLock, openChannel, newId: () => crypto.randomUUID() },
    openHere,
    keyOf({ sampling, ...rest }) {
      // Without the sampling, which is sent with each request. The worker's address differs between versions of the app.
      return JSON.stringify([modelWorkerUrl, sampling.seed, rest]);
    },
  });
  return (spec) => (engineOf(spec)?.runsIn === 'page' ? openHere(spec) : open(spec));
}

interface EmbedderParts {
  library: () => Promise<Pick<ModelLibrary, 'find'>>;
  /** The page's address. Relative addresses of model files are resolved against it. */
  baseUrl: string;
}

export function openEmbedder(modelId: string, { library, baseUrl }: EmbedderParts): Embedder {
  return createRemoteEmbedder({
    startWorker: () => startWorker(modelWorkerUrl),
    async findModel() {
      const found = await (await library()).find(modelId);
      if (!found) throw new AppError('model-not-downloaded', `No model of this name is known: ${modelId}`);
      const { path, bytes } = found.file;
      return { ...found, file: { path: new URL(path, baseUrl).href, bytes } };
    },
  });
}
