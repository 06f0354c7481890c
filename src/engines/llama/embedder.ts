/** Computes embeddings with a GGUF model. For a model without its own pooling, takes the mean of all tokens. */
import { AppError } from '../../contracts/app-error';
import type { ModelSpec } from '../../contracts/model';
import type { Embed } from '../../contracts/tool';
import { settleInTime } from '../gguf/settle-in-time';
import { batchTokens, type Llama, loadLlama } from './llama';
import { fetchProgram } from './program';
import { openWeights } from './weights';

/** Rejects with an `AppError` or the reason of `signal`. Cuts a text beyond `batchTokens` tokens. */
export async function createLlamaEmbedder(model: ModelSpec, signal: AbortSignal): Promise<Embed> {
  const [program, weights] = await Promise.all([
    fetchProgram(1, signal),
    openWeights(model, { signal, onProgress: () => undefined }),
  ]);
  const options = { contextTokens: batchTokens, maxThreads: 1, use: 'embedding' } as const;
  const llama = await settleInTime(() => loadLlama(program, weights, options), signal);
  return (texts, stop) => embedAll(llama, texts, stop);
}

async function embedAll(llama: Llama, texts: readonly string[], stop: AbortSignal): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  try {
    for (const text of texts) {
      stop.throwIfAborted();
      const vector = llama.embed(llama.tokenize(text, { addsBegin: true }).slice(0, batchTokens));
      if (!vector.every(Number.isFinite)) throw new AppError('model-garbled', 'A vector holds no numbers.');
      vectors.push(vector);
      // Lets the worker receive messages between two texts.
      await new Promise((resolve) => setTimeout(resolve));
    }
  } catch (error) {
    stop.throwIfAborted();
    throw error instanceof AppError ? error : new AppError('engine-crashed', String(error), { cause: error });
  }
  return vectors;
}
