/** A typed wrapper for llama.cpp with one model. Every call except `loadLlama` is synchronous and blocks the worker, so keep calls short. */
import { AppError } from '../../contracts/app-error';
import type { LoadOptions, ModelSpec, GenerateRequest } from '../../contracts/model';
import { isOutOfMemory } from '../engine';
import type { FetchedProgram, Program } from './program';
import type { ThreadCounts } from '../../egress/kept-files';
import { openSiteFile } from '../../egress/own-files';
import { toEngineCrash, isSiteFile, createWeightReadOptions, readWeights } from '../engine-parts';
import { createStartPosition } from '../gguf/gbnf-matcher';
import {
  anyTextGrammar,
  chooseToken,
  createRandomGenerator,
  packTokens,
  findMajorityTokens,
  type TokenCandidate,
  type Vocabulary,
} from '../gguf/sampler';

/** The numbers of `purpose` in engine/src/hearth.cpp. */
const purposeNumbers = { chat: 0, 'chat-small-cache': 1, embedding: 2 } as const;

interface LlamaOptions {
  contextTokens: number;
  use: keyof typeof purposeNumbers;
  /** `decode` calls this often, and ends early if it returns true. */
  isStopped?: () => boolean;
  onRead?: (bytes: number) => void;
}

export type Llama = ReturnType<typeof wrapSession>;

export const maxBatchTokens = 512;
/** Tokens per batch of the small model. The number is low, because every visitor's device needs memory for them. */
const maxSmallModelBatchTokens = 128;

/** Maximum bytes of the weights. llama.cpp can address 4 GB, and the cache needs some of it. */
const maxFileBytes = 4 * 1024 ** 3 - 2 ** 26;

export class GrammarError extends Error {}

/** How many tokens of a reply may repeat before more of them become less likely: docs/decisions/2026-11-30-circles.md. */
const maxRepeatedTokens = 8;

/** The defaults of llama.cpp's own server. */
const [defaultTopK, defaultTopP, defaultMinP] = [40, 0.95, 0.05];

/** Rejects with an `AppError`: `model-damaged`, `out-of-memory` or `engine-crashed`. */
export async function loadLlama(
  { start, maxThreads }: FetchedProgram,
  weights: WeightsReader,
  { contextTokens, use, isStopped = () => false, onRead = () => undefined }: LlamaOptions,
): Promise<Llama> {
  const { size: fileBytes } = weights;
  if (fileBytes > maxFileBytes) throw new AppError('out-of-memory', `The file has ${fileBytes} bytes.`);
  let readBytes = 0;
  const program: Program = await start({
    isStopped,
    readFile(target, offset, size) {
      const bytes = weights.read(offset, size);
      memoryBytesOf(program).set(bytes, target);
      readBytes = Math.max(readBytes, offset + bytes.byteLength);
      onRead(readBytes);
      return bytes.byteLength;
    },
  });
  const maxBatch = use === 'chat-small-cache' ? maxSmallModelBatchTokens : maxBatchTokens;
  let session: number;
  try {
    session = program._hearth_load(fileBytes, contextTokens, maxBatch, maxThreads, purposeNumbers[use]);
  } catch (error) {
    // If llama.cpp fails after it has read the weights, there is too little memory for its cache. If it fails earlier, the file is probably damaged.
    if (program._hearth_has_read_weights()) throw new AppError('out-of-memory', String(error));
    throw toLoadError(String(error));
  }
  weights.close();
  if (session === 0) throw toLoadError(readFault(program));
  return wrapSession(program, session, maxBatch);
}

function memoryBytesOf(program: Program): Uint8Array {
  return new Uint8Array(program.wasmMemory.buffer);
}

function wrapSession(program: Program, session: number, maxBatch: number) {
  const encoder = new TextEncoder();
  const bytesAt = (at: number, count: number) => new Uint8Array(program.wasmMemory.buffer, at, count);
  const vocabularySize = program._hearth_vocabulary_size(session);

  function lend<T>(bytes: Uint8Array, work: (pointer: number) => T): T {
    const pointer = program._malloc(Math.max(1, bytes.byteLength));
    if (pointer === 0) throw new AppError('out-of-memory', `No room for ${bytes.byteLength} bytes.`);
    try {
      bytesAt(pointer, bytes.byteLength).set(bytes);
      return work(pointer);
    } finally {
      program._free(pointer);
    }
  }
  const lendTokens = <T>(tokens: readonly number[], work: (pointer: number) => T) =>
    lend(new Uint8Array(Int32Array.from(tokens).buffer), work);
  const fail = (what: string) => toEngineCrash(`${what} failed. ${readFault(program)}`);

  return {
    /** Context length in tokens: as requested, or less if the model was trained on less. */
    contextTokens: program._hearth_context_tokens(session),
    vocabularySize,
    batchTokens: maxBatch,
    /** Converts template markers to their tokens. `addsBegin`: starts with the model's begin token, if there is one. */
    tokenize(text: string, { addsBegin } = { addsBegin: false }): number[] {
      const bytes = encoder.encode(text);
      const count = lend(bytes, (start) => program._hearth_tokenize(session, start, bytes.length, addsBegin));
      if (count < 0) throw fail('tokenize');
      const at = program._hearth_tokens(session);
      return [...new Int32Array(program.wasmMemory.buffer, at, count)];
    },
    /** Returns a token's bytes, or none for a marker. The next call overwrites this view. */
    pieceOf(token: number): Uint8Array {
      const count = program._hearth_read_piece(session, token);
      return bytesAt(program._hearth_piece(session), Math.max(0, count));
    },
    endsReply: (token: number): boolean => program._hearth_ends_reply(session, token) !== 0,
    addEnd: (token: number): void => program._hearth_add_end(session, token),
    /** Reads up to `batchTokens` more tokens. Returns false if `isStopped` ended it. */
    decode(tokens: readonly number[]): boolean {
      const result = lendTokens(tokens, (pointer) => program._hearth_decode(session, pointer, tokens.length));
      if (result === 0) return true;
      if (result === 2) return false;
      throw fail(`decode (${result})`);
    },
    /** Drops all tokens after the first `count`. Returns false if the model had to drop all tokens. */
    keep: (count: number): boolean => program._hearth_keep(session, count) !== 0,
    beginReply({
      sampling: { temperature, topK = defaultTopK, topP = defaultTopP, seed },
      grammar = '',
      avoidsLoops = false,
    }: Pick<GenerateRequest, 'sampling' | 'avoidsLoops'> & { grammar?: string | undefined }): void {
      const loopLength = avoidsLoops ? maxRepeatedTokens : 0;
      const text = encoder.encode(`${grammar}\0`);
      const seedOrChance = seed ?? Math.floor(Math.random() * 2 ** 32);
      const isBegun = lend(text, (pointer) =>
        program._hearth_begin_reply(
          session,
          temperature,
          topK,
          topP,
          defaultMinP,
          loopLength,
          seedOrChance,
          pointer,
        ),
      );
      if (!isBegun) throw new GrammarError(`llama.cpp cannot read the grammar. ${readFault(program)}`);
    },
    sample(): number | undefined {
      const token = program._hearth_sample(session);
      if (token === -2) throw createGarbledOutputError();
      return token < 0 ? undefined : token;
    },
    /** Returns the likeliest next tokens, best first, with probabilities from 0 to 1. */
    rank(count: number): TokenCandidate[] {
      const pairs = Math.min(count, vocabularySize);
      const at = program._hearth_rank(session, pairs);
      const numbers = new Float32Array(program.wasmMemory.buffer, at, 2 * pairs);
      if (!Number.isFinite(numbers[1])) throw createGarbledOutputError();
      return Array.from({ length: pairs }, (_, index) => ({
        token: numbers[2 * index] ?? 0,
        p: numbers[2 * index + 1] ?? 0,
      }));
    },
    embed(tokens: readonly number[]): Float32Array<ArrayBuffer> {
      const at = lendTokens(tokens, (pointer) => program._hearth_embed(session, pointer, tokens.length));
      if (at === 0) throw fail('embed');
      return new Float32Array(program.wasmMemory.buffer, at, program._hearth_vector_size(session)).slice();
    },
    setThreads: ({ writing, reading }: ThreadCounts): void =>
      program._hearth_set_threads(session, writing, reading),
    /** Returns the state for `restoreState` of the same model. Undefined if memory is too small. */
    saveState(): Uint8Array<ArrayBuffer> | undefined {
      const size = program._hearth_state_size(session);
      const pointer = program._malloc(size);
      if (pointer === 0) return undefined;
      try {
        const saved = program._hearth_save_state(session, pointer, size);
        if (saved === 0) throw fail('save_state');
        return bytesAt(pointer, saved).slice();
      } finally {
        program._free(pointer);
      }
    },
    /** Returns false and drops all tokens if the bytes do not match the model or memory is too small. */
    restoreState(state: Uint8Array): boolean {
      const { byteLength } = state;
      try {
        return lend(state, (pointer) => program._hearth_restore_state(session, pointer, byteLength) !== 0);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        program._hearth_keep(session, 0);
        return false;
      }
    },
    free: (): void => program._hearth_free(session),
  };
}

function readFault(program: Program): string {
  const at = program._hearth_fault();
  const memory = memoryBytesOf(program);
  // Copy the bytes, because `TextDecoder` rejects shared memory.
  return new TextDecoder().decode(memory.slice(at, memory.indexOf(0, at)));
}

function toLoadError(said: string): AppError {
  return new AppError(isOutOfMemory(said) ? 'out-of-memory' : 'model-damaged', said);
}

function createGarbledOutputError(): AppError {
  return new AppError('model-garbled', 'The model computes no numbers.');
}

interface WeightsReader {
  readonly size: number;
  /** Returns up to `size` bytes from `offset` on. The next call may overwrite them. */
  read: (offset: number, size: number) => Uint8Array;
  close: () => void;
}

export async function openWeights(model: ModelSpec, options: LoadOptions): Promise<WeightsReader> {
  const { path, bytes } = model.file;
  if (!isSiteFile(path)) return openWeightsOnDisk(await readWeights(model, options));
  const pieces = await openSiteFile(path, createWeightReadOptions(model, options));
  const all = new Uint8Array(bytes);
  let at = 0;
  for await (const piece of pieces) {
    // Drop surplus bytes. If the file is too long, the stream throws at its end.
    all.set(piece.subarray(0, bytes - at), at);
    at = Math.min(bytes, at + piece.byteLength);
    // Keep the buffer if it also contains other pieces.
    if (piece.byteLength === piece.buffer.byteLength) freeBuffer(piece.buffer);
  }
  return {
    size: bytes,
    read: (offset, size) => all.subarray(offset, offset + size),
    close: () => freeBuffer(all.buffer),
  };
}

/** Frees a buffer at once. Browsers collect garbage when code allocates memory, which this worker does rarely. */
function freeBuffer(buffer: ArrayBuffer): void {
  // Browsers from before 2024 lack `transfer`.
  const { transfer } = buffer as { transfer?: (this: ArrayBuffer, size: number) => unknown };
  transfer?.call(buffer, 0);
}

/** Exists only in workers, so the page's type library lacks it. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** Reads only the pieces that llama.cpp requests, because memory may not hold two copies of the file. */
function openWeightsOnDisk(file: Blob): WeightsReader {
  const reader = new FileReaderSync();
  return {
    size: file.size,
    read: (offset, size) => new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + size))),
    close: () => undefined,
  };
}

/** Returns the next token, or `end`. `logProbability`: natural logarithm, absent if unknown. */
type ChooseNextToken = () => { token: number; logProbability?: number } | 'end';

export function createTokenChooser(llama: Llama, request: GenerateRequest): ChooseNextToken {
  llama.beginReply({ ...request, grammar: request.constraint?.grammar });
  return () => {
    const token = llama.sample();
    return token === undefined || llama.endsReply(token) ? 'end' : { token };
  };
}

/** Number of likeliest tokens to try first. One of them nearly always fits the grammar, and ranking all tokens takes longer. */
const firstCandidateCount = 64;

export function createGrammarTokenChooser(
  llama: Llama,
  vocabulary: Vocabulary,
  { sampling, constraint }: GenerateRequest,
): ChooseNextToken {
  const random = createRandomGenerator(sampling.seed);
  let position = createStartPosition(constraint?.grammar ?? anyTextGrammar);
  let opening = sampling.temperature <= 0 ? constraint?.majorityFor : undefined;
  const take = (ranked: TokenCandidate[]) => chooseToken(ranked, position, vocabulary, sampling, random);

  function choose() {
    if (opening !== undefined) {
      const { taken, share } = findMajorityTokens(llama.rank(Infinity), vocabulary, opening);
      const choice = take(taken);
      // Report how likely the model was to decide for (or against) a tool call, not the probability of the token that it begins with.
      if (choice) return choice === 'end' ? choice : { ...choice, p: share };
    }
    const early = opening === undefined ? take(llama.rank(firstCandidateCount)) : undefined;
    return early ?? take(llama.rank(Infinity)) ?? 'end';
  }

  return () => {
    const choice = choose();
    opening = undefined;
    if (choice === 'end') return choice;
    position = choice.position;
    return { token: choice.token, logProbability: Math.log(choice.p) };
  };
}

/** Reads the bytes of all tokens. Use it only for a small vocabulary. */
export function readVocabulary(llama: Llama): Vocabulary {
  const tokens = Array.from({ length: llama.vocabularySize }, (_, token) => token);
  return {
    bytesOf: packTokens(tokens.map((token) => llama.pieceOf(token).slice())),
    ends: new Set(tokens.filter((token) => llama.endsReply(token))),
  };
}
