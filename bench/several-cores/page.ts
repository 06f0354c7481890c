/** Loads a GGUF file with the app's own engine on so many cores, or on the graphics chip, and times a reply. Driven by `run.js`. */
import type { ModelSpec } from '../../src/contracts/model';
import { ember } from '../../src/engines/library/built-in';
import { createWllama } from '../../src/engines/wllama/engine';

const never = new AbortController().signal;

/** What llama.cpp counted itself, in tokens per second. */
async function ask(path: string, bytes: number, hardware: NonNullable<ModelSpec['hardware']>) {
  const file = { path: new URL(path, document.baseURI).href, bytes };
  const spec: ModelSpec = { ...ember, engine: 'wllama', file, hardware, contextTokens: 1024 };
  const engine = createWllama();
  const begun = performance.now();
  await engine.load(spec, { signal: never, onProgress: () => undefined });
  const loadMs = performance.now() - begun;
  const messages = [{ role: 'user' as const, content: 'Tell me something about rivers. '.repeat(20) }];
  const request = { messages, sampling: { temperature: 0 }, maxTokens: 32 };
  for await (const delta of engine.generate(request, never)) {
    if (delta.type !== 'finish') continue;
    const { prefilledTokens, outputTokens, firstTokenMs = 0, decodeMs = 0 } = delta.usage;
    return {
      loadMs,
      read: (1000 * prefilledTokens) / firstTokenMs,
      write: (1000 * outputTokens) / decodeMs,
    };
  }
  throw new Error('The reply has no end.');
}

declare global {
  interface Window {
    ask: typeof ask;
  }
}
window.ask = ask;
