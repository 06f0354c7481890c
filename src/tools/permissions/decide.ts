/**
 * PURE: decides whether a call runs, needs approval or is refused. Reasons: docs/decisions/2026-11-21-permissions.md.
 *
 * We assume that the model obeys anything it reads. Permissions therefore depend only on what the user typed, allowed or refused, and on
 * where text came from.
 */
import type { AskReason, CarriedText, Grant } from '../../contracts/permission';
import type { JsonSchema } from '../../contracts/schema';
import type { SearchTarget, ToolEffects } from '../../contracts/tool';
import { type Address, readAddress, readHost } from './addresses';
import { carriedIn } from './carried-text';
import type { ChatContext } from './context';
import { type Disclosure, measureDisclosure } from './telling';

export interface CallFacts {
  tool: string;
  revision: string;
  effects: ToolEffects;
  input: unknown;
  inputSchema: JsonSchema;
}

export interface PermissionState extends ChatContext {
  chatId: string;
  grants: readonly Grant[];
  /** Hosts that calls of this turn have contacted. */
  contacted: ReadonlySet<string>;
  denials: number;
  /** Addresses that the user just allowed, for this one call only. */
  approved: ReadonlySet<string>;
  /** How much the calls of this turn have already revealed without asking, while outside text was present. */
  spent: Disclosure;
}

export interface Question {
  verdict: 'ask';
  reason: AskReason;
  targets: readonly string[];
  grantTargets: readonly string[];
  url?: string;
  query?: string;
  note?: string;
  server?: string;
  carried?: readonly CarriedText[];
  offers: readonly ('chat' | 'always')[];
}

export type Decision =
  | { verdict: 'allow'; hosts: readonly string[]; disclosure: Disclosure }
  | Question
  | { verdict: 'deny'; reason: string };

export const maxDenials = 3;
/** Maximum characters after the host of an address that a lasting grant covers. A longer address could carry a whole conversation. */
const maxGrantedTailCharacters = 128;
/** Maximum characters of a query that may be sent without asking while outside text is present. */
const maxGrantedQueryCharacters = 200;
/** Limits per turn for what is sent without asking: bits that the model chose, and characters quoted from the user. */
export const maxUnasked: Disclosure = { bits: 32, quoted: 200 };
const noDisclosure: Disclosure = { bits: 0, quoted: 0 };

const lastingOffers = ['chat', 'always'] as const;

export function decide(call: CallFacts, state: PermissionState): Decision {
  if (state.denials >= maxDenials) return { verdict: 'deny', reason: offMessage(call.tool) };
  const { effects } = call;
  switch (effects.type) {
    case 'pure':
      return { verdict: 'allow', hosts: [], disclosure: noDisclosure };
    case 'agent':
      return decideAgent(effects, call, state);
    case 'net-read':
      return decideRead(effects.urls, call, state);
    case 'search':
      return decideSearch(effects.query, effects.providers, call, state);
    case 'net-hosts':
      return decideHosts(effects.hosts, call, state);
    case 'remote':
      return decideRemote(effects, ['remote', 'remote-after-outside-text'], call, state);
    case 'side-effect':
      return effects.note === undefined
        ? decideChange(effects.hosts ?? [], call, state)
        : askAboutNote(effects.note, state);
  }
}

export function offMessage(tool: string): string {
  return `${tool} is off until the user's next question: they did not allow it. Answer without it.`;
}

/** Judges each address separately and asks about the first one that needs approval. */
function decideRead(urls: readonly string[], call: CallFacts, state: PermissionState): Decision {
  const hosts: string[] = [];
  const disclosure = { ...noDisclosure };
  let question: Question | undefined;
  for (const url of urls) {
    const address = readAddress(url);
    if (!address) return { verdict: 'deny', reason: unreadable(url) };
    hosts.push(address.host);
    question ??= askAboutAddress(address, call, state, disclosure);
  }
  return question ?? { verdict: 'allow', hosts, disclosure };
}

/** Returns a question, or adds what the request reveals to `disclosure` and returns undefined. */
function askAboutAddress(
  address: Address,
  call: CallFacts,
  state: PermissionState,
  disclosure: { bits: number },
): Question | undefined {
  const { href, host, tailLength } = address;
  if (state.approved.has(href)) return undefined;
  const ask = (reason: AskReason, offers: Question['offers'] = lastingOffers): Question => ({
    verdict: 'ask',
    reason,
    targets: [host],
    grantTargets: [host],
    url: href,
    offers,
  });
  // Choosing among addresses reveals data to their server, and a page can offer hundreds of them.
  const choose = (choices: number) => {
    disclosure.bits += Math.log2(choices + 1);
    return state.spent.bits + disclosure.bits > maxUnasked.bits ? ask('many-addresses', []) : undefined;
  };
  if (state.typed.has(href)) return state.sources.length > 0 ? choose(state.typed.size) : undefined;
  const isOpen = (name: string) => hasGrant(name, call, state) || state.contacted.has(name);
  if (state.copied.has(href)) {
    if (!isOpen(host)) return ask('new-host');
    return choose([...state.copied].filter((other) => isOpen(readAddress(other)?.host ?? '')).length);
  }
  // Lasting grants do not count here, because the model may be following outside text.
  if (state.sources.length > 0) {
    return ask('composed-url-after-outside-text', tailLength > maxGrantedTailCharacters ? [] : lastingOffers);
  }
  return hasGrant(host, call, state) ? undefined : ask('composed-url');
}

function decideSearch(
  query: string,
  providers: readonly SearchTarget[],
  call: CallFacts,
  state: PermissionState,
): Decision {
  const isTainted = state.sources.length > 0;
  const hosts = providers.map(({ host }) => host);
  const isLong = isTainted && query.length > maxGrantedQueryCharacters;
  const ungranted = providers.filter(({ id }) => !hasGrant(`search:${id}`, call, state));
  const disclosure = isTainted ? disclosureOf(call, hosts, state) : noDisclosure;
  const isComposed = ungranted.length === 0 && !isAffordable(disclosure, state);
  const asked = isLong || isComposed ? providers : ungranted;
  if (asked.length === 0) return { verdict: 'allow', hosts, disclosure };
  return {
    verdict: 'ask',
    reason: isTainted ? 'search-after-outside-text' : 'first-search',
    targets: asked.map(({ name }) => name),
    grantTargets: asked.map(({ id }) => `search:${id}`),
    query,
    offers: isLong || isComposed ? [] : lastingOffers,
  };
}

function decideHosts(named: readonly string[], call: CallFacts, state: PermissionState): Decision {
  const read = readHosts(named);
  if (!read.ok) return { verdict: 'deny', reason: read.reason };
  const isTainted = state.sources.length > 0;
  const disclosure = isTainted ? disclosureOf(call, read.hosts, state) : noDisclosure;
  const ungranted = read.hosts.filter((host) => !hasGrant(host, call, state));
  const isComposed = ungranted.length === 0 && !isAffordable(disclosure, state);
  const asked = isComposed ? read.hosts : ungranted;
  if (asked.length === 0) return { verdict: 'allow', hosts: read.hosts, disclosure };
  return {
    verdict: 'ask',
    reason: isComposed ? 'composed-text' : reasonFor(call, isTainted),
    targets: asked,
    grantTargets: asked,
    // Offers no lasting grant, because none covers text that the model composed.
    offers: isComposed ? [] : lastingOffers,
  };
}

/** Each tool of a server needs approval, because we cannot know what it does. No grant covers sending text from other hosts. */
function decideRemote(
  { host: named, server }: { host: string; server: string },
  [plain, afterOutsideText]: readonly [AskReason, AskReason],
  call: CallFacts,
  state: PermissionState,
): Decision {
  const host = readHost(named);
  if (host === undefined) return { verdict: 'deny', reason: unreadable(named) };
  const isTainted = state.sources.length > 0;
  const disclosure = isTainted ? disclosureOf(call, [host], state) : noDisclosure;
  const carried = isTainted ? carriedIn(call.input, call.inputSchema, host, state) : [];
  const target = `server:${host}`;
  const isGranted = hasGrant(target, call, state);
  if (isGranted && carried.length === 0 && isAffordable(disclosure, state)) {
    return { verdict: 'allow', hosts: [host], disclosure };
  }
  const unseen = carried.length > 0 ? 'remote-carries' : 'composed-text';
  const first = isTainted ? afterOutsideText : plain;
  return {
    verdict: 'ask',
    reason: isGranted || carried.length > 0 ? unseen : first,
    targets: [host],
    grantTargets: [target],
    server,
    ...(carried.length > 0 && { carried }),
    offers: isGranted || carried.length > 0 ? [] : lastingOffers,
  };
}

/** A persona on a server receives its arguments as a remote tool does, but its answer counts as model output. */
function decideAgent(
  { host, server = '' }: Extract<ToolEffects, { type: 'agent' }>,
  call: CallFacts,
  state: PermissionState,
): Decision {
  if (host === undefined) return { verdict: 'allow', hosts: [], disclosure: noDisclosure };
  const reasons = ['agent-server', 'agent-server-after-outside-text'] as const;
  const decision = decideRemote({ host, server }, reasons, call, state);
  return decision.verdict === 'allow' ? { ...decision, hosts: [] } : decision;
}

/** Built-in tools send only their arguments, but a custom tool's code may send anything. */
function reasonFor({ revision }: CallFacts, isTainted: boolean): Question['reason'] {
  if (isTainted) return 'tool-hosts-after-outside-text';
  return revision === '' ? 'built-in-hosts' : 'tool-hosts';
}

function decideChange(named: readonly string[], call: CallFacts, state: PermissionState): Decision {
  const read = readHosts(named);
  if (!read.ok) return { verdict: 'deny', reason: read.reason };
  const isTainted = state.sources.length > 0;
  const targets = read.hosts.length > 0 ? read.hosts.map((host) => `change:${host}`) : ['change:'];
  if (!isTainted && targets.every((target) => hasGrant(target, call, state))) {
    return { verdict: 'allow', hosts: read.hosts, disclosure: noDisclosure };
  }
  return {
    verdict: 'ask',
    reason: 'side-effect',
    targets: read.hosts,
    grantTargets: targets,
    // No grant for all chats: each chat needs its own approval for a change.
    offers: isTainted ? [] : ['chat'],
  };
}

/** Every note needs approval: other chats read notes, so injected text would take effect there too. */
function askAboutNote(note: string, { sources }: PermissionState): Question {
  const reason = sources.length > 0 ? 'note-after-outside-text' : 'note';
  return { verdict: 'ask', reason, targets: [], grantTargets: [], note, offers: [] };
}

/** Estimates what a call reveals to `hosts`. Adds one bit, because making the call is itself a choice. */
function disclosureOf(
  { tool, input, inputSchema }: CallFacts,
  hosts: readonly string[],
  state: PermissionState,
): Disclosure {
  const sent = state.sent.filter(
    (one) => one.tool === tool && hosts.every((host) => one.hosts.includes(host)),
  );
  const known = { ...state, sent: sent.map(({ text }) => text) };
  const { bits, quoted } = measureDisclosure(input, inputSchema, known);
  return { bits: bits + 1, quoted };
}

function isAffordable({ bits, quoted }: Disclosure, { spent }: PermissionState): boolean {
  return spent.bits + bits <= maxUnasked.bits && spent.quoted + quoted <= maxUnasked.quoted;
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
