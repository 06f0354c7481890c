/** The published build of wllama as an engine, for comparison. Runs without a GPU, as the app used it. */
import { Wllama } from '@wllama/wllama/esm/index.js';
import wasm from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import type { ModelSpec, TextEngine } from '../../src/contracts/model';
import { readSiteFile } from '../../src/egress/own-files';
import { renderPrompt } from '../../src/engines/engine-parts';

export async function startPublished(spec: ModelSpec): Promise<TextEngine> {
  const ignore = () => undefined;
  const logger = { debug: ignore, log: ignore, warn: ignore, error: ignore };
  const wllama = new Wllama({ default: new URL(wasm, import.meta.url).href }, { logger });
  wllama.setCompat(null);
  const { path, bytes } = spec.file;
  const { signal } = new AbortController();
  const onProgress = () => undefined;
  const file = await readSiteFile(path, { signal, magic: 'GGUF', expectedBytes: bytes, onProgress });
  const { threads = 1 } = spec.hardware ?? {};
  await wllama.loadModel([file], {
    n_ctx: spec.contextTokens,
    n_parallel: 1,
    n_threads: threads,
    n_gpu_layers: 0,
  });
  return {
    load: () => Promise.resolve(),
    count: () => Promise.reject(new Error('not counted')),
    async *generate({ messages, maxTokens }) {
      const prompt = renderPrompt(messages, spec.template);
      const options = {
        prompt,
        max_tokens: maxTokens,
        temperature: 0,
        cache_prompt: false,
        timings_per_token: true,
      };
      const { timings, choices } = await wllama.createCompletion(options);
      yield { type: 'text-delta', text: choices[0]?.text ?? '' };
      const usage = {
        promptTokens: timings?.prompt_n ?? 0,
        prefilledTokens: timings?.prompt_n ?? 0,
        outputTokens: timings?.predicted_n ?? 0,
        firstTokenMs: timings?.prompt_ms ?? 0,
        decodeMs: timings?.predicted_ms ?? 0,
      };
      yield { type: 'finish', finishReason: 'stop', usage, prompt };
    },
  };
}
