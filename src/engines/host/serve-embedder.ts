/** The worker's end of a remote embedder: checks the arguments, and runs one call at a time. */
import { transfer } from 'comlink';
import { AppError, writeError } from '../../contracts/app-error';
import { ModelSpec } from '../../contracts/model';
import { z } from '../../contracts/schema';
import type { Embed } from '../../contracts/tool';
import type { EmbedderWorkerApi } from './remote-embedder';

/** Never aborts, because the worker is ended instead. */
const { signal } = new AbortController();

/** `openEmbedder` must be called first, and only once. */
export function serveEmbedder(
  load: (model: ModelSpec, signal: AbortSignal) => Promise<Embed>,
): EmbedderWorkerApi {
  let queue: Promise<unknown> = Promise.resolve();
  let embed: Embed | undefined;

  return {
    async openEmbedder(untrusted) {
      try {
        embed = await load(ModelSpec.parse(untrusted), signal);
        return undefined;
      } catch (error) {
        return writeError(error);
      }
    },

    async embed(untrusted) {
      const texts = z.array(z.string()).parse(untrusted);
      const made = queue.then(() => {
        if (!embed) throw new AppError('engine-crashed', 'No model is loaded.');
        return embed(texts, signal);
      });
      queue = made.catch(() => undefined);
      try {
        const vectors = await made;
        return transfer(
          { vectors },
          vectors.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
        );
      } catch (error) {
        return { failure: writeError(error) };
      }
    },
  };
}
