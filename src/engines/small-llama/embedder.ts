/**
 * A GGUF file as a maker of vectors, by the older wllama: it needs no JSPI. A model that was made to embed says itself how its
 * vectors are pooled; of any other, the mean over all tokens is taken.
 */
import { AppError } from '../../contracts/app-error';
import type { ModelSpec } from '../../contracts/model';
import type { Embed } from '../../contracts/tool-searcher';
import { brokenDown } from '../gguf/errors';
import { findInnerWorker } from '../gguf/inner-worker';
import { startSmallLlama } from './start';

/** Tokens of one text that are read: those of a physical batch of llama.cpp, which such a text must fit in. */
const mostTokens = 512;

/** Rejects with an `AppError`. */
export async function createLlamaEmbedder(model: ModelSpec, signal: AbortSignal): Promise<Embed> {
  const options = { signal, onProgress: () => undefined };
  const { wllama } = await startSmallLlama(model, options, (header) => {
    const architecture = header.get('general.architecture');
    const isMadeForIt = typeof architecture === 'string' && header.has(`${architecture}.pooling_type`);
    const context = { n_ctx: mostTokens, n_batch: mostTokens, embeddings: true };
    return { ...context, ...(!isMadeForIt && { pooling_type: 'LLAMA_POOLING_TYPE_MEAN' as const }) };
  });
  // -1 where the model has none.
  const begin = [wllama.getBOS()].filter((token) => token >= 0);
  const end = [wllama.getEOS()].filter((token) => token >= 0);
  const room = mostTokens - begin.length - end.length;

  async function embedOne(text: string): Promise<Float32Array> {
    await wllama.kvClear();
    const tokens = (await wllama.tokenize(text)).slice(0, room);
    return Float32Array.from(await wllama.embeddings([...begin, ...tokens, ...end]));
  }

  return async (texts, stop) => {
    try {
      await findInnerWorker(wllama);
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        stop.throwIfAborted();
        vectors.push(await embedOne(text));
      }
      if (vectors.some((vector) => !vector.every(Number.isFinite))) {
        throw new AppError('model-garbled', 'Its vectors are no numbers.');
      }
      return vectors;
    } catch (error) {
      stop.throwIfAborted();
      throw error instanceof AppError ? error : brokenDown(error);
    }
  };
}
