/**
 * WebLLM without a GPU or weights, only in the build for end-to-end tests: web-llm's own engine runs on a fake TVM runtime. A cache
 * contains what each model writes and where it fails. Without that cache, nothing is faked.
 */
import type { TextEngine } from '../../src/contracts/model';
import { read, z } from '../../src/contracts/schema';
import type { GpuFacts } from '../../src/platform/webgpu';
import { createWebLlm } from '../../src/engines/web-llm/engine';
import { MLCEngine, type MLCEngineConfig, tvmRuntime } from '@mlc-ai/web-llm';

const Fault = z.enum(['lost', 'out-of-memory', 'crash', 'silence', 'deaf', 'no-gpu', 'no-f16']);
type Fault = z.infer<typeof Fault>;

const Life = z.object({
  load: z.optional(Fault),
  fitsTokens: z.optional(z.number()),
  /** The replies to both questions of the self-test after the load. Default: correct replies. */
  test: z.optional(z.string()),
  /** A fault replaces the last token. `deafIn`: the phase in which the worker receives no messages for a long time. */
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
      // Lets tests lose the GPU while the engine is idle.
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

const deafMs = 60_000;

/** Blocks the worker, as a GPU reading a long prompt or a compiling grammar does. Tells the page first, so that a test can see it. */
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

declare module '@mlc-ai/web-llm' {
  export const tvmRuntime: {
    instantiate: () => Promise<object>;
    detectGPUDevice: () => Promise<object>;
    createArtifactCache: (scope: string) => {
      fetchWithCache: (url: string, storeType: 'json' | 'arraybuffer') => Promise<unknown>;
    };
  };
}

export interface Said {
  text: string | readonly number[];
  isLost?: boolean;
  end?: (() => Promise<void>) | undefined;
  onToken?: ((index: number) => void | Promise<void>) | undefined;
  onGrammar?: (() => void) | undefined;
}

interface Pipeline {
  tokenizer: {
    encode: (text: string) => Int32Array;
    decode: (tokens: Int32Array) => string;
    getVocabSize: () => number;
  };
  stopTokens: number[];
}

interface Reply extends Said {
  tokens: readonly number[];
  at: number;
}

type Step = () => Promise<void>;

export class FakeGpu {
  script: (string | Said)[];
  cache: number[] = [];
  onLoad: Step = () => Promise.resolve();
  onDetect: Step = () => Promise.resolve();
  pipeline: Pipeline | undefined;

  #reply: Reply | undefined;
  #isDisposed = false;
  #loseDevice = (): void => undefined;
  #work: Step = () => Promise.resolve();

  constructor(script: (string | Said)[] = []) {
    this.script = script;
  }

  /** Simulates sleep, a driver reset or another tab's load. Resolves when web-llm has noticed. */
  async lose(): Promise<void> {
    this.#loseDevice();
    await new Promise((resolve) => setTimeout(resolve));
  }

  /** Intercepts the tokenizer, because web-llm only reads the vocabulary when it compiles its first grammar. */
  watch(pipeline: Pipeline | undefined): void {
    this.pipeline = pipeline;
    if (!pipeline) return;
    const { tokenizer } = pipeline;
    const getVocabSize = tokenizer.getVocabSize.bind(tokenizer);
    tokenizer.getVocabSize = () => {
      const [next] = this.script;
      if (typeof next === 'object') next.onGrammar?.();
      return getVocabSize();
    };
  }

  get cacheText(): string {
    return this.pipeline?.tokenizer.decode(Int32Array.from(this.cache)) ?? '';
  }

  async detect(): Promise<object> {
    await this.onDetect();
    const lost = new Promise<object>((resolve) => {
      this.#loseDevice = () => resolve({ reason: 'unknown', message: 'The device was lost.' });
    });
    const limits = { maxStorageBufferBindingSize: 2 ** 30 };
    return {
      device: { lost, features: new Set(['shader-f16']), limits },
      adapterInfo: { description: 'None' },
    };
  }

  instantiate(): object {
    this.#isDisposed = false;
    let onProgress: (progress: object) => void = () => undefined;
    const globals: Record<string, () => void> = {
      'vm.builtin.kv_state_clear': () => {
        this.cache = [];
        this.#reply = undefined;
      },
    };
    const disposable = { dispose: () => undefined };
    const callable = <Given extends Tensor[]>(work: (...given: Given) => unknown) =>
      Object.assign(work, disposable);
    const read = callable((embedded: Tensor) => {
      this.#check();
      this.#read(embedded.tokens);
      const logits = this.#tensor([1, 1, 1]);
      return { get: () => logits };
    });
    const same = callable((tensor: Tensor) => tensor);
    const functions: Record<string, unknown> = {
      _metadata: () => JSON.stringify({ kv_state_kind: 'kv_cache', params: [], prefill_chunk_size: 2048 }),
      create_tir_paged_kv_cache: () => disposable,
      embed: callable((given: Tensor) => {
        const tokens = Array.from(given.data);
        return this.#tensor([tokens.length, 1], { tokens });
      }),
      prefill: read,
      decode: read,
      apply_bitmask_inplace: callable((logits: Tensor, _: Tensor, mask: Tensor) => {
        logits.origin.mask = mask.data;
      }),
      apply_penalty_inplace: same,
      apply_logit_bias_inplace: same,
      softmax_with_temperature: same,
      argsort_probs: callable((probabilities: Tensor) => ({ get: () => probabilities })),
      sample_with_top_p: callable((probabilities: Tensor) =>
        this.#tensor([1], { data: [this.#sample(probabilities.origin.mask)] }),
      ),
    };
    const keep = <Value>(value: Value) => value;
    return {
      registerInitProgressCallback: (callback: typeof onProgress) => (onProgress = callback),
      initWebGPU: () => undefined,
      fetchTensorCache: async (folder: string) => {
        onProgress({ progress: 0.5, timeElapsed: 1, text: 'Loading model from cache[1/2]' });
        await readWeights(folder);
        await this.onLoad();
      },
      asyncLoadWebGPUPipelines: () => {
        onProgress({ progress: 1, timeElapsed: 2, text: 'Loading GPU shader modules[1/1]' });
        return Promise.resolve();
      },
      webgpu: () => ({ sync: () => this.#finishWork() }),
      cpu: () => ({}),
      createVirtualMachine: () => ({
        ...disposable,
        getInternalModule: () => undefined,
        getFunction: (name: string) => {
          const found = functions[name];
          if (!found) throw new Error(`Cannot find function ${name}`);
          return found;
        },
      }),
      getGlobalFunc: (name: string) => callable(() => globals[name]?.()),
      getParamsFromCacheByName: () => disposable,
      concatEmbeddings: (all: Tensor[]) => {
        const tokens = all.flatMap((one) => one.tokens);
        return this.#tensor([tokens.length, 1], { tokens });
      },
      empty: (shape: number[]) => this.#tensor(shape),
      uniform: () => this.#tensor([1]),
      makeShapeTuple: keep,
      beginScope: () => undefined,
      endScope: () => undefined,
      detachFromCurrentScope: keep,
      attachToCurrentScope: keep,
      setSeed: () => undefined,
      dispose: () => (this.#isDisposed = true),
    };
  }

  #tensor(shape: number[], holds: Partial<Tensor> = {}): Tensor {
    return Object.assign(new Tensor(shape, () => this.#check()), holds);
  }

  #check(): void {
    if (this.#isDisposed) throw new Error('NDArray has already been disposed');
  }

  async #finishWork(): Promise<void> {
    const work = this.#work;
    this.#work = () => Promise.resolve();
    await work();
  }

  #read(tokens: readonly number[]): void {
    this.cache.push(...tokens);
    const isBegun = this.#reply !== undefined && this.#reply.at > 0;
    // A single token during a reply continues that reply. Anything longer is a prompt, in one or several parts.
    if (isBegun && tokens.length === 1) return;
    const reply = this.#reply && !isBegun ? this.#reply : this.#begin();
    this.#work = async () => await reply.onToken?.(-1);
  }

  #begin(): Reply {
    const next = this.script.shift() ?? '';
    const said: Said = typeof next === 'string' ? { text: next } : next;
    const tokens = typeof said.text === 'string' ? this.#encode(said.text) : said.text;
    this.#reply = { ...said, tokens, at: 0 };
    return this.#reply;
  }

  #sample(mask: ArrayLike<number> | undefined): number {
    const reply = this.#reply ?? this.#begin();
    const [stop = 0] = this.pipeline?.stopTokens ?? [];
    const isAllowed = (token: number) => !mask || (((mask[token >> 5] ?? 0) >>> (token & 31)) & 1) === 1;
    const wanted = reply.tokens[reply.at] ?? stop;
    const token = isAllowed(wanted) ? wanted : this.#hurry(stop, isAllowed);
    // If the grammar forbids the scripted text, end the reply at the first token that may end it.
    if (token !== wanted) reply.tokens = reply.tokens.slice(0, reply.at);
    const index = reply.at++;
    if (token === stop) this.#reply = undefined;
    const isLast = index === reply.tokens.length - 1;
    this.#work = async () => {
      if (isLast && reply.isLost) await this.lose();
      if (isLast) await reply.end?.();
      await reply.onToken?.(index);
    };
    return token;
  }

  #hurry(stop: number, isAllowed: (token: number) => boolean): number {
    const quote = this.#encode('"')[0] ?? stop;
    const likely = [stop, quote].find(isAllowed);
    for (let token = 0; likely === undefined && token < stop; token++) if (isAllowed(token)) return token;
    return likely ?? stop;
  }

  #encode(text: string): number[] {
    return text === '' ? [] : Array.from(this.pipeline?.tokenizer.encode(text) ?? []);
  }
}

/** Reads the weights from the cache as the real runtime does, and discards them. */
async function readWeights(folder: string): Promise<void> {
  const cache = tvmRuntime.createArtifactCache('webllm/model');
  const list = (await cache.fetchWithCache(new URL('tensor-cache.json', folder).href, 'json')) as {
    records: { dataPath: string }[];
  };
  for (const { dataPath } of list.records) {
    await cache.fetchWithCache(new URL(dataPath, folder).href, 'arraybuffer');
  }
}

export function createEngineOn(gpu: FakeGpu, config: MLCEngineConfig): MLCEngine {
  const engine = new MLCEngine(config);
  const { loadedModelIdToPipeline: pipelines } = engine as unknown as {
    loadedModelIdToPipeline: Map<string, Pipeline>;
  };
  const reload = engine.reload.bind(engine);
  engine.reload = async (modelId) => {
    tvmRuntime.detectGPUDevice = () => gpu.detect();
    tvmRuntime.instantiate = () => Promise.resolve(gpu.instantiate());
    await reload(modelId);
    gpu.watch(pipelines.values().next().value);
  };
  return engine;
}

class Tensor {
  readonly shape: number[];
  readonly #check: () => void;
  tokens: readonly number[] = [];
  data: ArrayLike<number> = [];
  mask: ArrayLike<number> | undefined;
  origin: Tensor = this;

  constructor(shape: number[], check: () => void) {
    this.shape = shape;
    this.#check = check;
  }

  view(shape: number[]): Tensor {
    const { tokens, data, origin } = this;
    return Object.assign(new Tensor(shape, this.#check), { tokens, data, origin });
  }

  copyFrom(from: Tensor | ArrayLike<number>): this {
    this.#check();
    this.data = from instanceof Tensor ? from.data : from;
    return this;
  }

  toArray(): ArrayLike<number> {
    this.#check();
    return this.data;
  }

  dispose(): void {}
}
