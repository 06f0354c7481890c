/** Times an engine with one GGUF file: how long it takes to load, and how many tokens per second it reads and writes. */
import { expose } from 'comlink';
import type { ModelSpec, Sampling, TextEngine } from '../../src/contracts/model';
import { createLlama } from '../../src/engines/llama/engine';
import { loadLlama, openWeights } from '../../src/engines/llama/llama';
import { fetchProgram } from '../../src/engines/llama/program';
import { chatMl } from '../../src/engines/library/templates';
import { findRepetitionCutoff, repetitionLimitsFor } from '../../src/protocol/repetition';
import { startPublished } from './published';

interface Request {
  /** `plain`: our build for browsers without relaxed SIMD. */
  engine: 'ours' | 'plain' | 'published';
  path: string;
  bytes: number;
  threads: number;
  prompt: string;
  maxTokens: number;
  /** Minimum number of runs, and the minimum milliseconds that they take together. */
  minRuns: number;
  minMs: number;
}

export interface Timed {
  loadMs: number;
  promptTokens: number;
  /** Tokens per second, the best of the runs. */
  reads: number;
  writes: number;
  text: string;
}

const never = new AbortController().signal;
const bare = { before: '', after: '' };

function specOf(path: string, bytes: number, threads: number): ModelSpec {
  return {
    id: 'bench',
    name: 'bench',
    engine: 'llama',
    file: { path, bytes },
    format: 'hermes',
    template: { system: bare, user: bare, assistant: bare, tool: bare, stop: [] },
    hardware: { threads, isOnGpu: false },
    contextTokens: 2048,
    maxReplyTokens: 512,
    sampling: { temperature: 0 },
    languages: [],
    licence: '',
  };
}

async function measure({
  engine: name,
  path,
  bytes,
  threads,
  prompt,
  maxTokens,
  minRuns,
  minMs,
}: Request): Promise<Timed> {
  const spec = specOf(path, bytes, threads);
  if (name === 'plain') WebAssembly.validate = () => false;
  const engine: TextEngine = name === 'published' ? await startPublished(spec) : createLlama();
  const begun = performance.now();
  if (name !== 'published') await engine.load(spec, { signal: never, onProgress: () => undefined });
  const timed: Timed = { loadMs: performance.now() - begun, promptTokens: 0, reads: 0, writes: 0, text: '' };
  const loadedAt = performance.now();
  for (let run = 0; run < minRuns || performance.now() - loadedAt < minMs; run++) {
    // A different first word each time, so nothing comes from the cache.
    const content = `${run} ${prompt}`;
    const request = {
      messages: [{ role: 'user' as const, content }],
      sampling: { temperature: 0 },
      maxTokens,
    };
    let text = '';
    for await (const delta of engine.generate(request, never)) {
      if (delta.type === 'text-delta') text += delta.text;
      if (delta.type !== 'finish') continue;
      const { prefilledTokens, outputTokens, firstTokenMs = 0, decodeMs = 0 } = delta.usage;
      timed.promptTokens = prefilledTokens;
      timed.reads = Math.max(timed.reads, (1000 * prefilledTokens) / firstTokenMs);
      timed.writes = Math.max(timed.writes, (1000 * (outputTokens - 1)) / decodeMs);
      timed.text = text;
    }
  }
  return timed;
}

async function loadFile(path: string, bytes: number) {
  const program = await fetchProgram(1, never);
  const spec = { file: { path, bytes } } as ModelSpec;
  const weights = await openWeights(spec, { signal: never, onProgress: () => undefined });
  return loadLlama(program, weights, { contextTokens: 1024, use: 'chat' });
}

/** Writes greedily. Returns each token's bytes, and by how much its logit exceeds the second best. */
async function write(request: { path: string; bytes: number; prompts: string[]; maxTokens: number }) {
  const { path, bytes, prompts, maxTokens } = request;
  const llama = await loadFile(path, bytes);
  return prompts.map((prompt) => {
    llama.keep(0);
    llama.decode(llama.tokenize(prompt, { addsBegin: true }));
    const written: { bytes: number[]; gap: number }[] = [];
    while (written.length < maxTokens) {
      const [first, second] = llama.rank(2);
      if (!first || !second || llama.endsReply(first.token)) break;
      written.push({ bytes: [...llama.pieceOf(first.token)], gap: Math.log(first.p / second.p) });
      llama.decode([first.token]);
    }
    return written;
  });
}

/**
 * Cuts a text into windows of tokens. Reads all but the last `scored` tokens of a window at once and the others one by one. Returns the windows, and
 * the natural logarithms of the probabilities of the scored tokens.
 */
async function score(request: { path: string; bytes: number; text: string; window: number; scored: number }) {
  const { path, bytes, text, window, scored } = request;
  const llama = await loadFile(path, bytes);
  const tokens = llama.tokenize(text);
  const windows: number[][] = [];
  for (let at = 0; at + window <= tokens.length; at += window) windows.push(tokens.slice(at, at + window));
  const scores = windows.map((whole) => {
    llama.keep(0);
    llama.decode(whole.slice(0, -scored));
    return whole.slice(-scored).map((wanted) => {
      const p = llama.rank(llama.vocabularySize).find(({ token }) => token === wanted)?.p ?? 0;
      llama.decode([wanted]);
      return Math.log(p);
    });
  });
  return { windows, scores };
}

/** Loads all files, then asks each in turn the same question, twice. Returns how many prompt tokens were read for each answer. */
async function loadAll(files: { path: string; bytes: number }[]) {
  const engines = files.map(() => createLlama());
  for (const [at, { path, bytes }] of files.entries())
    await engines[at]?.load(specOf(path, bytes, 1), { signal: never, onProgress: () => undefined });
  const read: number[] = [];
  for (const engine of [...engines, ...engines]) {
    const request = {
      messages: [{ role: 'user' as const, content: 'The history of the sea is long.' }],
      sampling: { temperature: 0 },
      maxTokens: 8,
    };
    for await (const delta of engine.generate(request, never))
      if (delta.type === 'finish') read.push(delta.usage.prefilledTokens);
  }
  return read;
}

interface Asked {
  path: string;
  bytes: number;
  threads: number;
  requests: string[];
  avoidsLoops: boolean;
  sampling: Sampling;
  maxTokens: number;
}

/** Asks each request in a chat of its own. `isLoop`: whether the answer ends in a loop that Hearth would cut. */
async function answerAll({ path, bytes, threads, requests, ...request }: Asked) {
  const engine = createLlama();
  const spec = { ...specOf(path, bytes, threads), template: chatMl };
  await engine.load(spec, { signal: never, onProgress: () => undefined });
  const answers: { text: string; tokens: number; isLoop: boolean }[] = [];
  for (const content of requests) {
    const day = { role: 'system' as const, content: 'Today is Tuesday, 2026-12-01.' };
    let [text, tokens] = ['', 0];
    const messages = [day, { role: 'user' as const, content }];
    for await (const delta of engine.generate({ ...request, messages }, never)) {
      if (delta.type === 'text-delta') text += delta.text;
      if (delta.type === 'finish') tokens = delta.usage.outputTokens;
    }
    const limits = repetitionLimitsFor({ maxReplyTokens: 1024 });
    answers.push({ text, tokens, isLoop: findRepetitionCutoff(text, limits) !== undefined });
  }
  return answers;
}

expose({ measure, write, score, loadAll, answerAll });
