/** The models a person can have: what each costs, how it suits this device, how much of it is here. As the screen shows them. */
import type { DownloadFailure } from './download';
import type { ErrorCode } from './error-code';
import type { ModelName } from './model-name';

/** One finding about a model on this device, with its figures. The first two say that it will not run. */
export type FitFinding =
  | { code: 'no-gpu'; isBlocked: boolean }
  | { code: 'limit'; limit: string; has: number; needs: number }
  /** More than the device probably has; browsers do not say exactly. */
  | { code: 'memory'; needsMb: number; budgetMb: number }
  | { code: 'room'; needsBytes: number; freeBytes: number }
  /** Software in place of a chip: many seconds a word. */
  | { code: 'software-gpu' }
  /** No 16-bit numbers: the larger variant is taken. */
  | { code: 'full-precision' }
  | { code: 'on-processor' };

export type DownloadState =
  /** `isExact`: every size is known, the total is no estimate. */
  | { type: 'running'; loadedBytes: number; totalBytes: number; isExact: boolean; bytesPerSecond?: number }
  /** It goes on by itself when there is a network again. */
  | { type: 'waiting' }
  /** The browser fetches its own model; `share` is 0 to 1. */
  | { type: 'by-browser'; share: number }
  /** The browser did not; `detail` is what it said. */
  | { type: 'browser-failed'; code: ErrorCode; detail: string }
  | { type: 'failed'; failure: DownloadFailure; detail: string };

/** How it stands with the model that the browser brings along. `unfit`: there is one, but not for this device. */
export type BroughtState = 'here' | 'coming' | 'can-come' | 'unfit';

export interface ModelCard extends ModelName {
  /** `bytes` is no estimate: the model's own list of its files has said it, or they are all here. */
  isSizeKnown: boolean;
  /** What it is good for, by language. Missing for a model of the person's own. */
  about?: Readonly<{ en: string } & Partial<Record<string, string>>>;
  /** Missing where nobody said. */
  licence?: string;
  /** Memory that it takes on the GPU, in megabytes; missing where it is not known. */
  memoryMb?: number;
  /** Tokens of prompt and reply together. */
  contextTokens: number;
  /** `unlikely` and `impossible` are marked, and can be chosen all the same. */
  verdict: 'good' | 'slow' | 'unlikely' | 'impossible';
  /** It fits, and is more than is recommended unasked. */
  isLarge: boolean;
  /** What led to the verdict. */
  findings: readonly FitFinding[];
  isRecommended: boolean;
  /** Who brought it: the app, its catalog, the person, or the browser. */
  origin: 'built-in' | 'catalog' | 'own' | 'browser';
  /** It can think aloud before it answers. */
  canThink: boolean;
  /** It can make vectors of texts, by which tools are found. */
  makesVectors: boolean;
  /** Codes of those it was trained for; empty where nobody said. */
  languages: readonly string[];
  /** It was put here from this device's disk: deleted, it cannot be downloaded again. */
  isFromDisk: boolean;
  /** Of a model that a server answers with. Its key is not shown, only that there is one. */
  endpoint?: { address: string; model: string; hasKey: boolean; isNative: boolean; canSee: boolean };
  /** Of the model that the browser brings along. */
  brought?: BroughtState;
  /** How much of its files is on this device. */
  kept: { isWhole: boolean; bytes: number };
}

/** One thing that was found out about this device, with its figures. */
export type Diagnosis =
  | { code: 'gpu-none' | 'gpu-blocked' | 'gpu-software' | 'no-f16' | 'has-f16' }
  | { code: 'relaxed-simd' | 'plain-simd' }
  | { code: 'gpu'; name: string }
  | { code: 'gpu-limit'; limit: string; has: number; needs: number }
  | { code: 'memory'; gigabytes: number; budgetMb: number }
  | { code: 'memory-unknown'; budgetMb: number }
  | { code: 'cores'; cores: number; threads: number }
  | { code: 'not-isolated'; threads: number }
  | { code: 'room'; freeBytes: number }
  | { code: 'room-unknown' | 'persisted' | 'not-persisted' | 'no-files' | 'browser-model-unfit' };

/** What the screen is handed of all models. */
export interface ShelfView {
  cards: readonly ModelCard[];
  diagnosis: readonly Diagnosis[];
  /** Bytes free for the app; absent where the browser does not say. */
  freeBytes?: number;
}
