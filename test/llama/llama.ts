/** Runs Ember's GGUF file with node-llama-cpp, which `npm run conformance:llama` installs. Declares the part of its API that we use. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Token = number;

interface Sequence {
  clearHistory: () => Promise<void>;
  adaptStateToTokens: (tokens: Token[], allowShift?: boolean) => Promise<void>;
  readonly nextTokenIndex: number;
  evaluate: (tokens: Token[], options: { temperature: number }) => AsyncGenerator<Token>;
}

interface Model {
  tokenize: (text: string, specialTokens: boolean) => Token[];
  detokenize: (tokens: readonly Token[], specialTokens?: boolean, before?: readonly Token[]) => string;
  isEogToken: (token: Token) => boolean;
  createContext: (options: {
    contextSize: number;
    threads: number;
  }) => Promise<{ getSequence: () => Sequence }>;
}

interface Module {
  getLlama: (options: { gpu: false; build: 'never'; progressLogs: false; maxThreads: number }) => Promise<{
    loadModel: (options: { modelPath: string }) => Promise<Model>;
    dispose: () => Promise<void>;
  }>;
}

export const contextTokens = 4096;

export interface Llama {
  /** Samples greedily. Stops when the model ends the reply or the reader leaves. */
  generate: (prompt: string) => AsyncGenerator<string>;
  count: (text: string) => number;
  close: () => Promise<void>;
}

export async function openLlama(modelPath: string): Promise<Llama> {
  const folder = process.env['HEARTH_LLAMA'];
  if (folder === undefined) throw new Error('Run it with: npm run conformance:llama');
  const entry = pathToFileURL(join(folder, 'node_modules/node-llama-cpp/dist/index.js')).href;
  const { getLlama } = (await import(/* @vite-ignore */ entry)) as Module;
  // Several threads would wait for each other, and long if other programs run.
  const llama = await getLlama({ gpu: false, build: 'never', progressLogs: false, maxThreads: 1 });
  const model = await llama.loadModel({ modelPath });
  const sequence = (await model.createContext({ contextSize: contextTokens, threads: 1 })).getSequence();
  return {
    async *generate(prompt) {
      const tokens = model.tokenize(prompt, true);
      // Like a server, keeps the start that both prompts share in the cache.
      await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
      const rest = tokens.slice(sequence.nextTokenIndex);
      const written: Token[] = [];
      let said = '';
      for await (const token of sequence.evaluate(rest, { temperature: 0 })) {
        if (model.isEogToken(token)) return;
        written.push(token);
        const text = model.detokenize(written, true);
        // Send only complete characters.
        if (text.endsWith('\uFFFD')) continue;
        yield text.slice(said.length);
        said = text;
      }
    },
    count: (text) => model.tokenize(text, true).length,
    close: () => llama.dispose(),
  };
}
