/** The sandbox for untrusted code: its input, limits and results. Screens use this file, so no zod here. */

export type SandboxFailure =
  | 'TIMEOUT'
  | 'THROWN'
  | 'SCRIPT'
  | 'TOO_LARGE'
  | 'FLOOD'
  /** The sandbox broke its protocol: an attack from inside, out of memory, or a failed start. */
  | 'PROTOCOL'
  | 'CANCELLED'
  | 'BAD_ARGS'
  /** The result is not JSON, or does not match the tool's schema. */
  | 'BAD_JSON'
  /** The code asked for something it may not have and did not catch the refusal. */
  | 'DENIED';

export interface SandboxLimits {
  timeMs: number;
  outputCharacters: number;
  argumentCharacters: number;
  hostCalls: number;
  /** Maximum log lines to keep. Ten times as many end the run. */
  logs: number;
}

export const defaultSandboxLimits: SandboxLimits = {
  timeMs: 5_000,
  outputCharacters: 65_536,
  argumentCharacters: 65_536,
  hostCalls: 20,
  logs: 50,
};

/** Upper bounds. Higher requested limits are reduced to these. */
export const maxSandboxLimits: SandboxLimits = {
  timeMs: 30_000,
  outputCharacters: 262_144,
  argumentCharacters: 262_144,
  hostCalls: 100,
  logs: 200,
};

/**
 * Answers `host.fetch(url, options)` with a JSON value. `request` is untrusted. A rejection is thrown in the code; an uncaught
 * `DeniedError` ends the run as DENIED.
 */
export type HostCall = (request: HostRequest, signal: AbortSignal) => Promise<unknown>;

interface HostRequest {
  url: string;
  /** Passed by the code, not validated. */
  options: unknown;
}

/** Refuses a host call. The message says why and what to do. */
export class DeniedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DeniedError';
  }
}

export interface SandboxRun {
  code: string;
  args: unknown;
  limits?: Partial<SandboxLimits> | undefined;
  onLog?: ((line: string) => void) | undefined;
  /** Without it, every `host.fetch` is refused. */
  hostCall?: HostCall | undefined;
}

export type SandboxResult = {
  logs: readonly string[];
  ms: number;
} & ({ ok: true; json: string } | SandboxRefusal);

export interface SandboxRefusal {
  ok: false;
  failure: SandboxFailure;
  message: string;
  line?: number | undefined;
}

export interface Sandbox {
  /** Never rejects. An aborted `signal` gives CANCELLED. */
  run: (run: SandboxRun, signal: AbortSignal) => Promise<SandboxResult>;
  /** Checks the syntax without running the code. Undefined if it is fine. */
  check: (code: string, signal: AbortSignal) => Promise<SandboxRefusal | undefined>;
}
