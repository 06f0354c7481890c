/** A part of the composition root: a model on this device, by its id, as a maker of vectors in a worker of its own. */
import modelWorkerUrl from '../../workers/model.worker?worker&url';
import { AppError } from '../contracts/app-error';
import { createRemoteEmbedder, type Embedder } from '../engines/host/remote-embedder';
import { startWorker } from '../platform/start-worker';
import type { ModelLibrary } from './model-library';

interface EmbedderParts {
  library: () => Promise<Pick<ModelLibrary, 'find'>>;
  /** The address of the page: files of a model that are given relative to it become absolute. */
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
