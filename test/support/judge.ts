/** Asks the policy about a call, in a situation described in a few words. */
import type { Grant } from '../../src/contracts/permission';
import type { JsonSchema } from '../../src/contracts/schema';
import type { Origin } from '../../src/contracts/origin';
import type { ToolEffects } from '../../src/contracts/tool';
import { findAddresses, findTypedAddresses } from '../../src/tools/permissions/addresses';
import {
  type CallFacts,
  decide,
  type Decision,
  type PermissionState,
} from '../../src/tools/permissions/decide';
import type { Disclosure } from '../../src/tools/permissions/telling';

export interface Situation {
  typed?: string;
  /** Outside text in the chat. */
  result?: string;
  origins?: Origin[];
  contacted?: string[];
  grants?: Partial<Grant>[];
  denials?: number;
  approved?: string[];
  tool?: string;
  revision?: string;
  input?: unknown;
  inputSchema?: JsonSchema;
  /** Earlier calls of the same tool that were sent. */
  sent?: { hosts: string[]; text: string }[];
  /** Text that the model wrote into calls. */
  written?: string[];
  spent?: Disclosure;
}

const grantOf = (grant: Partial<Grant>): Grant => ({
  id: 'g',
  tool: 'fetch_page',
  revision: '',
  target: 'example.com',
  chatId: null,
  createdAt: 0,
  ...grant,
});

export function judge(effects: ToolEffects, situation: Situation = {}): Decision {
  const { typed = '', result = '', contacted = [], denials = 0, approved = [], grants = [] } = situation;
  const call: CallFacts = {
    tool: situation.tool ?? 'fetch_page',
    revision: situation.revision ?? '',
    effects,
    input: situation.input ?? (effects.type === 'search' ? { query: effects.query } : {}),
    inputSchema: situation.inputSchema ?? { properties: { query: { type: 'string' } } },
  };
  const origins =
    situation.origins ?? (result === '' ? [] : [{ door: 'page' as const, name: 'outside.org' }]);
  const state: PermissionState = {
    chatId: 'chat',
    typed: findTypedAddresses(typed),
    copied: findAddresses(result),
    origins,
    contacted: new Set(contacted),
    grants: grants.map(grantOf),
    denials,
    approved: new Set(approved),
    question: typed,
    found: result === '' ? [] : [result],
    sent: (situation.sent ?? []).map((one) => ({ tool: call.tool, ...one })),
    outside: result === '' ? [] : [{ origins, text: result }],
    questions: [typed],
    written: [typed, ...(situation.written ?? [])],
    spent: situation.spent ?? { bits: 0, quoted: 0 },
  };
  return decide(call, state);
}

/** Returns `allow`, `deny`, or the reason and the options offered: `composed-url +chat +always`. */
export function said(decision: Decision): string {
  if (decision.verdict !== 'ask') return decision.verdict;
  return [decision.reason, ...decision.offers.map((offer) => `+${offer}`)].join(' ');
}

export const reads = (...urls: string[]): ToolEffects => ({ type: 'net-read', urls });
/** The options offered in addition to `once`. */
export const both = '+chat +always';
