/**
 * A fake of web-llm's TVM runtime, the part that uses the GPU. It is only in tests and in the build for them. A tensor carries the tokens that it
 * was made of, and a "model" writes the text of a script. Everything above it is the real web-llm: loading, conversation, tokenizer, grammar,
 * cache, stop, interrupt, usage, refusals, and the handling of a lost device. Tests can inject a lost device, a lack of memory, or a pause at a
 * given token, because no test machine has a GPU to lose.
 */
import { MLCEngine, type MLCEngineConfig, tvmRuntime } from '@mlc-ai/web-llm';

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
  /** Awaited instead of the last token. */
  end?: (() => Promise<void>) | undefined;
  /** Called after each token, and with -1 while the prompt is read. */
  onToken?: ((index: number) => void | Promise<void>) | undefined;
  /** Called when the first grammar since the load is compiled. */
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
  /** Awaited before weights go onto the GPU. A rejection fails the load. */
  onLoad: Step = () => Promise.resolve();
  onDetect: Step = () => Promise.resolve();
  pipeline: Pipeline | undefined;

  #reply: Reply | undefined;
  #isDisposed = false;
  #loseDevice = (): void => undefined;
  /** Settles when the GPU has finished its last task. */
  #work: Step = () => Promise.resolve();

  constructor(script: (string | Said)[] = []) {
    this.script = script;
  }

  /** Simulates sleep, a driver reset, or another tab. Resolves when web-llm has noticed. */
  async lose(): Promise<void> {
    this.#loseDevice();
    await new Promise((resolve) => setTimeout(resolve));
  }

  /** Needed because web-llm only reads the vocabulary when it compiles its first grammar. */
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
    // Single tokens after a reply's tokens continue that reply. Anything longer is a prompt, in one or several parts.
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
    // A grammar forbids the scripted text, so the reply ends at the first token that may end it.
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

/** Reads the weights from the cache like the real runtime, and drops them. */
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

  dispose(): void {
    // Nothing of it is on a GPU.
  }
}
