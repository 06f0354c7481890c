/**
 * PURE: whether a call may run, must be asked about, or is refused.
 *
 * The model is taken to obey whatever it reads. So nothing it writes counts for a permission: only what the person
 * typed, allowed or refused, and where a text came from. Why each row is as it is:
 * docs/decisions/2026-11-21-permissions.md.
 */
import type { AskReason, Grant } from '../../contracts/permission';
import type { SearchTarget, ToolEffects } from '../../contracts/tool';
import { type Address, readAddress, readHost } from './addresses';
import type { ChatContext } from './context';

export interface CallFacts {
  tool: string;
  /** Of its code; '' for a built-in one. */
  revision: string;
  effects: ToolEffects;
}

export interface PermissionState extends ChatContext {
  chatId: string;
  grants: readonly Grant[];
  /** Hosts that calls of this turn were let through to. */
  contacted: ReadonlySet<string>;
  /** How often the person refused this tool in this turn. */
  denials: number;
  /** Addresses the person has just allowed to this one call. */
  approved: ReadonlySet<string>;
}

export interface Question {
  verdict: 'ask';
  reason: AskReason;
  /** As a person is shown them. */
  targets: readonly string[];
  /** As a grant names them. */
  grantTargets: readonly string[];
  url?: string;
  query?: string;
  offers: readonly ('chat' | 'always')[];
}

export type Decision =
  | { verdict: 'allow'; hosts: readonly string[] }
  | Question
  /** The reason is a sentence for the model. */
  | { verdict: 'deny'; reason: string };

export const maxDenials = 3;
/** Characters behind the host. A longer address can carry off a conversation: it is never allowed for good. */
const maxGrantedTail = 128;
/** Characters. Nobody searches for more; a longer query from a chat with outside text in it is always shown. */
const maxGrantedQuery = 200;

const both = ['chat', 'always'] as const;

export function decide(call: CallFacts, state: PermissionState): Decision {
  if (state.denials >= maxDenials) return { verdict: 'deny', reason: switchedOff(call.tool) };
  const { effects } = call;
  switch (effects.type) {
    case 'pure':
      return { verdict: 'allow', hosts: [] };
    case 'net-read':
      return decideRead(effects.urls, call, state);
    case 'search':
      return decideSearch(effects.query, effects.providers, call, state);
    case 'net-hosts':
      return decideHosts(effects.hosts, call, state);
    case 'side-effect':
      return decideChange(effects.hosts ?? [], call, state);
  }
}

/** For the model, once the person has refused a tool `maxDenials` times. */
export function switchedOff(tool: string): string {
  return `${tool} is off until the user's next question: they did not allow it. Answer without it.`;
}

/** Each address for itself; the first that must be asked about is the question. */
function decideRead(urls: readonly string[], call: CallFacts, state: PermissionState): Decision {
  const hosts: string[] = [];
  let question: Question | undefined;
  for (const url of urls) {
    const address = readAddress(url);
    if (!address) return { verdict: 'deny', reason: unreadable(url) };
    hosts.push(address.host);
    question ??= questionAbout(address, call, state);
  }
  return question ?? { verdict: 'allow', hosts };
}

function questionAbout(address: Address, call: CallFacts, state: PermissionState): Question | undefined {
  const { href, host, tailLength } = address;
  if (state.approved.has(href) || state.typed.has(href)) return undefined;
  const ask = (reason: AskReason, offers: Question['offers'] = both): Question => ({
    verdict: 'ask',
    reason,
    targets: [host],
    grantTargets: [host],
    url: href,
    offers,
  });
  const isGranted = hasGrant(host, call, state);
  if (state.copied.has(href)) {
    return isGranted || state.contacted.has(host) ? undefined : ask('new-host');
  }
  // What was allowed for good was allowed for a model that nobody else tells what to write.
  if (state.sources.length > 0) {
    return ask('composed-url-after-outside-text', tailLength > maxGrantedTail ? [] : both);
  }
  return isGranted ? undefined : ask('composed-url');
}

function decideSearch(
  query: string,
  providers: readonly SearchTarget[],
  call: CallFacts,
  state: PermissionState,
): Decision {
  const isTainted = state.sources.length > 0;
  const isLong = isTainted && query.length > maxGrantedQuery;
  const asked = providers.filter(({ id }) => isLong || !hasGrant(`search:${id}`, call, state));
  if (asked.length === 0) return { verdict: 'allow', hosts: providers.map(({ host }) => host) };
  return {
    verdict: 'ask',
    reason: isTainted ? 'search-after-outside-text' : 'first-search',
    targets: asked.map(({ name }) => name),
    grantTargets: asked.map(({ id }) => `search:${id}`),
    query,
    offers: isLong ? [] : both,
  };
}

function decideHosts(named: readonly string[], call: CallFacts, state: PermissionState): Decision {
  const read = readHosts(named);
  if (!read.ok) return { verdict: 'deny', reason: read.reason };
  const asked = read.hosts.filter((host) => !hasGrant(host, call, state));
  if (asked.length === 0) return { verdict: 'allow', hosts: read.hosts };
  return {
    verdict: 'ask',
    reason: state.sources.length > 0 ? 'tool-hosts-after-outside-text' : 'tool-hosts',
    targets: asked,
    grantTargets: asked,
    offers: both,
  };
}

function decideChange(named: readonly string[], call: CallFacts, state: PermissionState): Decision {
  const read = readHosts(named);
  if (!read.ok) return { verdict: 'deny', reason: read.reason };
  const isTainted = state.sources.length > 0;
  const targets = read.hosts.length > 0 ? read.hosts.map((host) => `change:${host}`) : ['change:'];
  if (!isTainted && targets.every((target) => hasGrant(target, call, state))) {
    return { verdict: 'allow', hosts: read.hosts };
  }
  return {
    verdict: 'ask',
    reason: 'side-effect',
    targets: read.hosts,
    grantTargets: targets,
    // Never for good: what changes something is seen at least once in every chat.
    offers: isTainted ? [] : ['chat'],
  };
}

function hasGrant(target: string, call: CallFacts, { grants, chatId }: PermissionState): boolean {
  return grants.some(
    (grant) =>
      grant.target === target &&
      grant.tool === call.tool &&
      grant.revision === call.revision &&
      (grant.chatId === null || grant.chatId === chatId),
  );
}

function readHosts(named: readonly string[]): { ok: true; hosts: string[] } | { ok: false; reason: string } {
  const hosts = new Set<string>();
  for (const name of named) {
    const host = readHost(name);
    if (host === undefined) return { ok: false, reason: unreadable(name) };
    hosts.add(host);
  }
  return { ok: true, hosts: [...hosts] };
}

function unreadable(address: string): string {
  return `"${address.slice(0, 200)}" cannot be asked: give a whole address that begins with https:// and has no user name in it.`;
}
