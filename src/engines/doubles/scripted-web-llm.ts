/**
 * WebLLM without a GPU and weights, only in the build for end-to-end tests: web-llm's own engine on a fake runtime. A cache holds the text of
 * each model and where it fails. Without that cache, nothing is replaced.
 */
import type { TextEngine } from '../../contracts/model';
import { read, z } from '../../contracts/schema';
import type { GpuFacts } from '../../platform/webgpu';
import { createEngineOn, type Said, FakeGpu } from './fake-gpu';
import { createWebLlm } from '../web-llm/engine';

const Fault = z.enum(['lost', 'out-of-memory', 'crash', 'silence', 'deaf', 'no-gpu', 'no-f16']);
type Fault = z.infer<typeof Fault>;

const Life = z.object({
  load: z.optional(Fault),
  /** A longer context does not fit in memory. */
  fitsTokens: z.optional(z.number()),
  /** The replies to both questions of the self-test after the load. Default: correct ones. */
  test: z.optional(z.string()),
  /** A fault replaces the last token. `deafIn`: the work during which the worker receives no messages for a long while. */
  replies: z._default(
    z.array(
      z.object({
        text: z.string(),
        fault: z.optional(Fault),
        deafIn: z.optional(z.enum(['grammar', 'prompt', 'token'])),
      }),
    ),
    [],
  ),
});
/** Scripts by model id. Each load uses the next life, and the last one repeats. */
const Script = z.record(z.string(), z.array(Life));

const place = 'scripted-web-llm';
const urlOf = (name: string) => `${globalThis.location.origin}/${name}`;

export async function createScriptedWebLlm(): Promise<TextEngine> {
  const script = read(Script, await readJson('script'));
  if (!script.ok) return createWebLlm();
  const counts = read(z.record(z.string(), z.number()), await readJson('lives'));
  const lives = counts.ok ? counts.value : {};
  return createWebLlm({
    createBackend(config) {
      const record = config.appConfig?.model_list[0];
      const id = record?.model_id ?? '';
      const planned = script.value[id] ?? [];
      const life = planned[lives[id] ?? 0] ?? planned.at(-1) ?? Life.parse({});
      const replies = life.replies.map(({ text, fault, deafIn }): Said => {
        if (fault === 'lost') return { text, isLost: true };
        return {
          text,
          end: fault && ends[fault],
          ...(deafIn === 'grammar' && { onGrammar: beDeaf }),
          ...(deafIn === 'prompt' && { onToken: (index) => (index < 0 ? beDeaf() : undefined) }),
          ...(deafIn === 'token' && { onToken: (index) => (index === 1 ? beDeaf() : undefined) }),
        };
      });
      const more = Array.from({ length: 20 }, () => `${id} answers.`);
      const tested = life.test === undefined ? [' 7'] : [life.test, life.test];
      const scripted = new FakeGpu([...tested, ...replies, ...more]);
      scripted.onDetect = async () => {
        await writeJson('lives', { ...lives, [id]: (lives[id] ?? 0) + 1 });
        if (life.load === 'no-gpu') await ends['no-gpu']();
      };
      scripted.onLoad = async () => {
        if (life.load === 'lost') await scripted.lose();
        else if (life.load) await ends[life.load]();
        const contextTokens = record?.overrides?.context_window_size ?? 0;
        if (contextTokens > (life.fitsTokens ?? Infinity)) await ends['out-of-memory']();
      };
      // For tests that lose the GPU while the engine is idle.
      Object.assign(globalThis, { loseGpu: () => scripted.lose() });
      return createEngineOn(scripted, config);
    },
    probe: () => Promise.resolve(gpu),
    silentMs: 1500,
  });
}

const ends: Readonly<Record<Exclude<Fault, 'lost'>, () => Promise<never>>> = {
  'out-of-memory': () =>
    Promise.reject(named('GPUOutOfMemoryError', 'Not enough memory left: out of memory')),
  crash: async () => {
    // Wait, so that the text before it reaches the page first.
    setTimeout(() => {
      throw new Error('The script asked for the end of the worker.');
    }, 100);
    return await new Promise<never>(() => undefined);
  },
  silence: () => new Promise<never>(() => undefined),
  deaf: () => {
    beDeaf();
    return Promise.reject(new Error('It was deaf.'));
  },
  'no-gpu': () => Promise.reject(new Error('Unable to find a compatible GPU.')),
  'no-f16': () =>
    Promise.reject(named('ShaderF16SupportError', 'This model requires WebGPU extension shader-f16')),
};

/** Milliseconds. Longer than any test waits for something immediate. */
const deafMs = 60_000;

/** Like a GPU that reads a long prompt, or a grammar that compiles: blocks the worker. First tells the page, so that a test can see it. */
function beDeaf(): void {
  new BroadcastChannel('deaf').postMessage(true);
  const end = performance.now() + deafMs;
  while (performance.now() < end);
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

const gpu: GpuFacts = {
  name: 'Scripted',
  isFallback: false,
  hasF16: true,
  limits: {
    maxBufferSize: 2 ** 31,
    maxStorageBufferBindingSize: 2 ** 31 - 4,
    maxComputeWorkgroupStorageSize: 32_768,
    maxStorageBuffersPerShaderStage: 10,
    maxComputeInvocationsPerWorkgroup: 1024,
    maxComputeWorkgroupSizeX: 1024,
  },
};

async function readJson(name: string): Promise<unknown> {
  return (await (await caches.open(place)).match(urlOf(name)))?.json();
}

async function writeJson(name: string, value: unknown): Promise<void> {
  await (await caches.open(place)).put(urlOf(name), new Response(JSON.stringify(value)));
}
