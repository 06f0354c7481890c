/** PURE: why a server cannot be used, from what a browser lets a page know. */
import type { EgressFailure } from '../../contracts/egress';
import type { ServerTrouble } from '../../contracts/mcp-server';
import type { LastAnswer } from './remote-server';
import type { ServerFault } from './worker-api';

export interface Trouble {
  trouble: ServerTrouble;
  /** In English, as it was found. */
  detail: string;
}

export function troubleOf(url: string, fault: ServerFault, message: string, last: LastAnswer): Trouble {
  if (last.failure) {
    return { trouble: ofFailure(last.failure, url), detail: last.message ?? message };
  }
  return { trouble: ofFault(fault, last), detail: message };
}

function ofFailure(failure: EgressFailure, url: string): ServerTrouble {
  switch (failure) {
    case 'offline':
      return 'offline';
    case 'refused-address':
      return 'address';
    case 'refused-redirect':
      return 'redirect';
    case 'timeout':
    case 'stopped':
      return 'timeout';
    case 'wrong-type':
      return 'not-mcp';
    case 'too-long':
      return 'too-long';
    case 'refused-request':
      return 'broken';
    case 'unreachable':
      return new URL(url).protocol === 'https:' ? 'certificate' : 'cors';
  }
}

function ofFault(fault: ServerFault, { status = 0 }: LastAnswer): ServerTrouble {
  if (fault === 'login' || fault === 'scope') return 'login';
  if (status === 403) return 'forbidden';
  if (fault === 'version' || fault === 'timeout') return fault;
  if (status === 429 || status >= 500) return 'status';
  // Something answers, and not as a server of this protocol does.
  if (status >= 400) return 'not-mcp';
  return 'broken';
}

/** Whether it may pass by itself. */
export function passes(trouble: ServerTrouble): boolean {
  const lasting: readonly ServerTrouble[] = ['address', 'login', 'login-failed', 'forbidden', 'version'];
  return !lasting.includes(trouble);
}
