/** The sandbox for untrusted code: its input, limits and results. Screens load this file, so it must not import zod. */

export type SandboxFailure =
  | 'TIMEOUT'
  | 'THROWN'
  | 'SCRIPT'
  | 'TOO_LARGE'
  | 'FLOOD'
  /** The sandboxed code attacked the sandbox or ran out of memory, or the sandbox did not start. */
  | 'PROTOCOL'
  | 'CANCELLED'
  | 'BAD_ARGS'
  | 'BAD_JSON'
  /** The code requested something forbidden and did not catch the refusal. */
  | 'DENIED';

export type SandboxLimits = typeof defaultSandboxLimits;

export const defaultSandboxLimits = {
  timeMs: 5_000,
  outputCharacters: 65_536,
  argumentCharacters: 65_536,
  hostCalls: 20,
  /** Maximum number of stored log lines. Ten times as many lines abort the run. */
  logs: 50,
};

/** Upper bounds. Higher limits are reduced to these. */
export const maxSandboxLimits: SandboxLimits = {
  timeMs: 30_000,
  outputCharacters: 262_144,
  argumentCharacters: 262_144,
  hostCalls: 100,
  logs: 200,
};

/** Performs `host.fetch` for an untrusted `request`. The code can catch a rejection. An uncaught `DeniedError` ends the run. */
export type HostCall = (request: { url: string; options: unknown }, signal: AbortSignal) => Promise<unknown>;

/** Thrown to refuse a host call. The message says why and what to do. */
export class DeniedError extends Error {
  override readonly name = 'DeniedError';
}

export interface SandboxRun {
  code: string;
  args: unknown;
  limits?: Partial<SandboxLimits> | undefined;
  onLog?: ((line: string) => void) | undefined;
  /** If absent, every `host.fetch` is refused. */
  hostCall?: HostCall | undefined;
}

export type SandboxResult = { logs: readonly string[]; ms: number } & (
  | { ok: true; json: string }
  | SandboxRefusal
);

export interface SandboxRefusal {
  ok: false;
  failure: SandboxFailure;
  message: string;
  line?: number | undefined;
}

export interface Sandbox {
  /** Never rejects. If `signal` aborts, the failure is CANCELLED. */
  run: (run: SandboxRun, signal: AbortSignal) => Promise<SandboxResult>;
  /** Checks the syntax without running the code. Resolves to undefined if the syntax is valid. */
  check: (code: string, signal: AbortSignal) => Promise<SandboxRefusal | undefined>;
}
