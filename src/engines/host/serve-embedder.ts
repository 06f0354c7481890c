/** The worker's end of a remote embedder: checks what comes in, and makes the vectors of one call after those of another. */
import { transfer } from 'comlink';
import { AppError, writeError } from '../../contracts/app-error';
import { ModelSpec } from '../../contracts/model';
import { z } from '../../contracts/schema';
import type { Embed } from '../../contracts/tool';
import type { EmbedderWorkerApi } from './remote-embedder';

/** A worker is ended, never stopped. */
const { signal } = new AbortController();

/** `openEmbedder` is called once, and first. */
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
