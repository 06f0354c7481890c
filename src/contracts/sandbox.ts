/** Running code that is not ours: what is given to the sandbox, and what comes back. Without zod, for screens too. */

export type SandboxFailure =
  /** It took longer than its time limit. */
  | 'TIMEOUT'
  /** The code threw an error. */
  | 'THROWN'
  /** The code cannot be read: a syntax error. */
  | 'SCRIPT'
  /** Its result is longer than the limit. */
  | 'TOO_LARGE'
  /** Too many log lines or host calls. */
  | 'FLOOD'
  /** The sandbox did not answer as agreed: it was attacked from inside, ran out of memory, or did not start. */
  | 'PROTOCOL'
  /** By the person. */
  | 'CANCELLED'
  /** The arguments do not fit; the code was not run. */
  | 'BAD_ARGS'
  /** The result is no JSON, or not what the tool says it gives. */
  | 'BAD_JSON'
  /** It asked for what it may not have, and stopped at the refusal. */
  | 'DENIED';

export interface SandboxLimits {
  /** Milliseconds, from the start of the code to its end, host calls included. */
  timeMs: number;
  /** Of the result as JSON. */
  outputCharacters: number;
  /** Of the arguments as JSON. */
  argumentCharacters: number;
  /** Requests of one run. */
  hostCalls: number;
  /** Log lines that are kept; ten times as many end the run. */
  logs: number;
}

export const defaultSandboxLimits: SandboxLimits = {
  timeMs: 5_000,
  outputCharacters: 65_536,
  argumentCharacters: 65_536,
  hostCalls: 20,
  logs: 50,
};

/** What is asked for beyond these is cut to them. */
export const greatestSandboxLimits: SandboxLimits = {
  timeMs: 30_000,
  outputCharacters: 262_144,
  argumentCharacters: 262_144,
  hostCalls: 100,
  logs: 200,
};

/**
 * Answers `host.fetch(url, options)` of the code with a value that JSON can carry. `request` is hostile. What it
 * rejects with is thrown in the code; a `DeniedError` that the code does not catch ends the run as DENIED.
 */
export type HostCall = (request: HostRequest, signal: AbortSignal) => Promise<unknown>;

export interface HostRequest {
  url: string;
  /** As the code gave them: nothing of it is checked yet. */
  options: unknown;
}

/** The code may not have what it asked for; the message says why, and what to do. */
export class DeniedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DeniedError';
  }
}

export interface SandboxRun {
  /** The body of an async function with the parameters `args` and `host`. */
  code: string;
  /** Becomes `args`, as JSON carries it. */
  args: unknown;
  /** One that is missing is as by default. */
  limits?: Partial<SandboxLimits> | undefined;
  /** Each line as it is written; all of them are in the result too. */
  onLog?: ((line: string) => void) | undefined;
  /** Without it every `host.fetch` is refused. */
  hostCall?: HostCall | undefined;
}

export type SandboxResult = {
  /** Lines that the code logged, in order. */
  logs: readonly string[];
  /** Milliseconds that the code ran. */
  ms: number;
} & ({ ok: true; json: string } | SandboxRefusal);

export interface SandboxRefusal {
  ok: false;
  failure: SandboxFailure;
  /** A sentence, with a next step where there is one. */
  message: string;
  /** Line of the code, from 1. Missing where no line is to blame. */
  line?: number | undefined;
}

export interface Sandbox {
  /** Never rejects: an aborted `signal` is CANCELLED. */
  run: (run: SandboxRun, signal: AbortSignal) => Promise<SandboxResult>;
  /** Reads the code and runs none of it: why it cannot be run, or undefined. */
  check: (code: string, signal: AbortSignal) => Promise<SandboxRefusal | undefined>;
}
