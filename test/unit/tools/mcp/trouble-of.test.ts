/** Why a server cannot be used: each thing that a browser lets a page know has its own sentence. */
import { expect, test } from 'vitest';
import { EgressFailure } from '../../../../src/contracts/egress';
import { type ServerTrouble, serverTroubles } from '../../../../src/contracts/mcp-server';
import { type LastAnswer, passes, troubleOf } from '../../../../src/tools/mcp/remote-server';
import type { ServerFault } from '../../../../src/tools/mcp/worker-api';

const https = 'https://mcp.example.org/mcp';

const ofFailures: Record<EgressFailure, ServerTrouble> = {
  offline: 'offline',
  'refused-address': 'address',
  'refused-redirect': 'redirect',
  'refused-request': 'broken',
  timeout: 'timeout',
  stopped: 'timeout',
  'wrong-type': 'not-mcp',
  'too-long': 'too-long',
  unreachable: 'certificate',
};

test.for(EgressFailure.options)('a request that failed as %s says more than the worker knows', (failure) => {
  for (const fault of ['broken', 'login', 'timeout', 'session'] as const) {
    const last = { failure, message: 'From the door.', status: 500 };
    expect(troubleOf(https, fault, 'From the worker.', last)).toEqual({
      trouble: ofFailures[failure],
      detail: 'From the door.',
    });
  }
});

test('over plain http no certificate is to blame, and without a word of the door the worker has one', () => {
  expect(troubleOf('http://192.168.1.5:3000/mcp', 'broken', 'Failed.', { failure: 'unreachable' })).toEqual({
    trouble: 'cors',
    detail: 'Failed.',
  });
});

test.for<[ServerFault, LastAnswer, ServerTrouble]>([
  ['login', { status: 401 }, 'login'],
  ['scope', { status: 403 }, 'login'],
  ['login', {}, 'login'],
  ['broken', { status: 403 }, 'forbidden'],
  ['version', { status: 403 }, 'forbidden'],
  ['version', { status: 200 }, 'version'],
  ['version', { status: 400 }, 'version'],
  ['timeout', { status: 200 }, 'timeout'],
  ['timeout', {}, 'timeout'],
  ['broken', { status: 429 }, 'status'],
  ['broken', { status: 500 }, 'status'],
  ['broken', { status: 503 }, 'status'],
  ['broken', { status: 400 }, 'not-mcp'],
  ['broken', { status: 404 }, 'not-mcp'],
  ['session', { status: 404 }, 'not-mcp'],
  ['broken', { status: 200 }, 'broken'],
  ['broken', { status: 302 }, 'broken'],
  ['lost', { status: 200 }, 'broken'],
  ['broken', {}, 'broken'],
])('%s after %o is %s', ([fault, last, trouble]) => {
  expect(troubleOf(https, fault, 'Why.', last)).toEqual({ trouble, detail: 'Why.' });
});

test('what only a person can mend is not tried again by itself', () => {
  const lasting = serverTroubles.filter((trouble) => !passes(trouble));
  expect(lasting).toEqual(['address', 'version', 'login', 'login-failed', 'forbidden']);
});
