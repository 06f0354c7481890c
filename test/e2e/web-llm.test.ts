/** WebLLM in the built site, up to the point where it needs a library compiled for a model: an invalid one is refused with a message. */
import { readdir } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalog } from '../../src/engines/library/catalog';
import { specOf } from '../../src/engines/library/entry';
import { firstFilesOf, otherFilesOf } from '../../src/engines/web-llm/files';
import { thorough } from '../support/matrix';
import { isOfflineReady, openSite, type Site } from './site';

/** A GPU adapter without 16-bit numbers. */
const softwareGpu = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

const entry = catalog.find(({ id }) => id === 'Qwen2.5-0.5B-Instruct')!;
const variant = entry.variants.find(({ precision }) => precision === 'f32')!;
const spec = specOf(entry, variant, { contextTokens: 4096, isThinking: false });
const record = variant.mlc!;

/** Valid file names with useless content. */
const config = { tokenizer_files: ['tokenizer.json'], vocab_size: 32, context_window_size: 4096 };
const tensorCache = { records: [{ dataPath: 'params_shard_0.bin', nbytes: 4, md5sum: '00' }] };
const first = firstFilesOf(record);
const files = [
  { ...first.config, text: JSON.stringify(config) },
  { ...first.tensorCache, text: JSON.stringify(tensorCache) },
  { ...first.library, text: 'no library' },
  ...otherFilesOf(record, config, tensorCache).map((file) => ({ ...file, text: 'xxxx' })),
];

let site: Site;
let worker: string;
const asked: string[] = [];

beforeAll(async () => {
  const scripts = await readdir('dist/assets');
  worker = `assets/${scripts.find((name) => name.startsWith('model.worker-'))!}`;
  site = await openSite({ args: softwareGpu, hasServiceWorker: true });
  site.context.on('request', (request) => asked.push(request.url()));
});
afterAll(() => site.close());

/** Starts the model worker as the page does and loads the model. Resolves to the error and the progress until then. */
function load(page: Page) {
  return page.evaluate(
    async ([path, request]) => {
      // Inside a frame, because the page has already created its policies.
      const frame = document.body.appendChild(document.createElement('iframe'));
      const { trustedTypes: types, Worker } = frame.contentWindow as unknown as Window & typeof globalThis;
      const policy = types?.createPolicy('default', { createScriptURL: (url) => url });
      const source = `import ${JSON.stringify(new URL(path, document.baseURI).href)};`;
      const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
      const worker = new Worker((policy?.createScriptURL(url) ?? url) as string, { type: 'module' });
      const { port1, port2 } = new MessageChannel();
      const steps: unknown[] = [];
      port1.onmessage = ({ data }: MessageEvent<{ argumentList: { value: unknown }[] }>) =>
        steps.push(data.argumentList[0]?.value);
      const answer = new Promise<unknown>((resolve) => {
        worker.onmessage = ({ data }: MessageEvent<{ value: unknown }>) => resolve(data.value);
        worker.onerror = ({ message }) => resolve(`worker: ${message}`);
      });
      const list = [
        { type: 'RAW', value: request },
        { type: 'HANDLER', name: 'proxy', value: port2 },
      ];
      worker.postMessage({ id: '1', type: 'APPLY', path: ['load'], argumentList: list }, [port2]);
      const failure = await answer;
      worker.terminate();
      return { failure: String(failure), steps };
    },
    [worker, spec] as const,
  );
}

describe('loading a WebLLM model', () => {
  test('sends no network request if the model is not on the device', async () => {
    const { failure } = await load(site.page);
    expect(failure).toMatch(/^\[model-not-downloaded\] .*mlc-chat-config\.json and 2 more/);
    expect(asked.filter((url) => !url.startsWith(site.url) && !url.startsWith('blob:'))).toEqual([]);
  });

  thorough('reads a downloaded model without a network request, also offline', async () => {
    await site.page.evaluate(async (kept) => {
      for (const { place, url, text } of kept) await (await caches.open(place)).put(url, new Response(text));
    }, files);
    expect((await load(site.page)).failure).toMatch(/^\[library-unusable\] CompileError/);

    await isOfflineReady(site.page);
    await site.cutNetwork();
    await site.page.reload();
    asked.length = 0;
    expect((await load(site.page)).failure).toMatch(/^\[library-unusable\] CompileError/);
    expect(asked.filter((url) => !url.startsWith(site.url) && !url.startsWith('blob:'))).toEqual([]);
  });
});
