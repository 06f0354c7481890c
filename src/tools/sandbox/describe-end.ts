/** How a run of code failed, for those who did not write the code. */
import type { SandboxFailure } from '../../contracts/sandbox';
import type { ToolFailure } from '../../contracts/tool-failure';

interface End {
  /** The beginning of a sentence for the model. */
  sentence: string;
  failure: ToolFailure;
}

const failed: End = { sentence: 'The code failed:', failure: 'code' };
const ends: Readonly<Record<SandboxFailure, End>> = {
  THROWN: failed,
  FLOOD: failed,
  PROTOCOL: failed,
  TIMEOUT: { ...failed, failure: 'time-limit' },
  CANCELLED: { ...failed, failure: 'stopped' },
  SCRIPT: { sentence: 'The code cannot be read:', failure: 'code' },
  DENIED: { sentence: 'Not allowed:', failure: 'code' },
  BAD_ARGS: { sentence: 'The arguments do not fit:', failure: 'arguments' },
  BAD_JSON: { sentence: 'The result cannot be used:', failure: 'result' },
  TOO_LARGE: { sentence: 'The result cannot be used:', failure: 'result' },
};

export function describeEnd(failure: SandboxFailure): string {
  return ends[failure].sentence;
}

export function failureOfEnd(failure: SandboxFailure): ToolFailure {
  return ends[failure].failure;
}
