/**
 * PURE: decides whether a call runs, needs approval or is refused. Reasons: docs/decisions/2026-11-21-permissions.md. We assume that the
 * model obeys anything it reads. Permissions therefore depend only on what the user typed, allowed or refused, and on the sources of the
 * text.
 */
import type { ApprovalRequest, AskReason, Grant } from '../../contracts/permission';
import type { JsonSchema, ReadResult } from '../../contracts/schema';
import type { SearchTarget, ToolEffects } from '../../contracts/tool';
import { type Address, readAddress, readHost } from './addresses';
import { findCopiedArguments } from './carried-text';
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
  contacted: ReadonlySet<string>;
  denials: number;
  /** Addresses that the user just allowed, for this one call only. */
  approved: ReadonlySet<string>;
  /** What calls of this turn have revealed without approval while outside text was present. */
  spent: Disclosure;
}

type AskFields = 'reason' | 'targets' | 'url' | 'query' | 'note' | 'server' | 'carried' | 'offers';

export interface AskDecision extends Pick<ApprovalRequest, AskFields> {
  verdict: 'ask';
  grantTargets: readonly string[];
}

export type Decision =
  | { verdict: 'allow'; hosts: readonly string[]; disclosure: Disclosure }
  | AskDecision
  | { verdict: 'deny'; reason: string };

export const maxDenials = 3;
/** Maximum characters after the host in an address that a lasting grant covers. A longer address could carry a whole conversation. */
const maxGrantedCharactersAfterHost = 128;
/** Maximum characters of a query that we send without asking while outside text is present. */
const maxGrantedQueryCharacters = 200;
/** Limits per turn, above which we ask the user. `bits`: data that a model could hide in arguments. `quoted`: characters copied from the user. */
export const maxDisclosure: Disclosure = { bits: 32, quoted: 200 };
const noDisclosure: Disclosure = { bits: 0, quoted: 0 };

/** Begins the targets of grants for changes. */
const changePrefix = 'change:';
const grantOffers = ['chat', 'always'] as const;

export function decide(call: CallFacts, state: PermissionState): Decision {
  if (state.denials >= maxDenials) return { verdict: 'deny', reason: writeToolOffMessage(call.tool) };
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

export function writeToolOffMessage(tool: string): string {
  return `${tool} is off until the user's next question: they did not allow it. Answer without it.`;
}

/** Judges each address separately. Asks about the first one that needs approval. */
function decideRead(urls: readonly string[], call: CallFacts, state: PermissionState): Decision {
  const hosts: string[] = [];
  const disclosure = { ...noDisclosure };
  let question: AskDecision | undefined;
  for (const url of urls) {
    const address = readAddress(url);
    if (!address) return { verdict: 'deny', reason: writeInvalidAddressMessage(url) };
    hosts.push(address.host);
    question ??= askAboutAddress(address, call, state, disclosure);
  }
  return question ?? { verdict: 'allow', hosts, disclosure };
}

/** Returns the question to ask. If we need not ask, returns undefined and adds what the request reveals to `disclosure`. */
function askAboutAddress(
  address: Address,
  call: CallFacts,
  state: PermissionState,
  disclosure: { bits: number },
): AskDecision | undefined {
  const { href, host, tailLength } = address;
  if (state.approved.has(href)) return undefined;
  const ask = (reason: AskReason, offers: AskDecision['offers'] = grantOffers): AskDecision => ({
    verdict: 'ask',
    reason,
    targets: [host],
    grantTargets: [host],
    url: href,
    offers,
  });
  // By its choice among addresses, a model could send data to a server. A page can offer hundreds of addresses.
  const choose = (choices: number) => {
    disclosure.bits += Math.log2(choices + 1);
    return state.spent.bits + disclosure.bits > maxDisclosure.bits ? ask('many-addresses', []) : undefined;
  };
  if (state.typed.has(href)) return state.origins.length > 0 ? choose(state.typed.size) : undefined;
  const isOpen = (name: string) => hasGrant(name, call, state) || state.contacted.has(name);
  if (state.copied.has(href)) {
    if (!isOpen(host)) return ask('new-host');
    return choose([...state.copied].filter((other) => isOpen(readAddress(other)?.host ?? '')).length);
  }
  // Outside text may have made the model compose this address, so lasting grants do not count.
  if (state.origins.length > 0) {
    const offers = tailLength > maxGrantedCharactersAfterHost ? [] : grantOffers;
    return ask('composed-url-after-outside-text', offers);
  }
  return hasGrant(host, call, state) ? undefined : ask('composed-url');
}

function decideSearch(
  query: string,
  providers: readonly SearchTarget[],
  call: CallFacts,
  state: PermissionState,
): Decision {
  const hosts = providers.map(({ host }) => host);
  const targets = providers.map(({ id }) => `search:${id}`);
  const { isTainted, disclosure, ungranted, isComposed } = assessCall(call, state, hosts, targets);
  const isPrivate = isComposed || (isTainted && query.length > maxGrantedQueryCharacters);
  const asked = providers.filter(({ id }) => isPrivate || ungranted.includes(`search:${id}`));
  if (asked.length === 0) return { verdict: 'allow', hosts, disclosure };
  return {
    verdict: 'ask',
    reason: isTainted ? 'search-after-outside-text' : 'first-search',
    targets: asked.map(({ name }) => name),
    grantTargets: asked.map(({ id }) => `search:${id}`),
    query,
    offers: isPrivate ? [] : grantOffers,
  };
}

function decideHosts(hostNames: readonly string[], call: CallFacts, state: PermissionState): Decision {
  const read = readHosts(hostNames);
  if (!read.ok) return { verdict: 'deny', reason: read.reason };
  const hosts = read.value;
  const { isTainted, disclosure, ungranted, isComposed } = assessCall(call, state, hosts, hosts);
  const asked = isComposed ? hosts : ungranted;
  if (asked.length === 0) return { verdict: 'allow', hosts, disclosure };
  // Built-in tools get a milder question: they send only their arguments, but a custom tool's code may send anything.
  const plain = call.revision === '' ? 'built-in-hosts' : 'tool-hosts';
  const first = isTainted ? 'tool-hosts-after-outside-text' : plain;
  return {
    verdict: 'ask',
    reason: isComposed ? 'composed-text' : first,
    targets: asked,
    grantTargets: asked,
    // No lasting grant covers text that the model composed, so offer none.
    offers: isComposed ? [] : grantOffers,
  };
}

/** Each tool of a server needs approval, because we cannot know what it does. No grant covers sending text from other hosts. */
function decideRemote(
  { host: named, server, serverId }: { host: string; server: string; serverId?: string },
  [plain, afterOutsideText]: readonly [AskReason, AskReason],
  call: CallFacts,
  everything: PermissionState,
): Decision {
  const state = withoutOwnDescriptions(everything, serverId);
  const host = readHost(named);
  if (host === undefined) return { verdict: 'deny', reason: writeInvalidAddressMessage(named) };
  const target = `server:${host}`;
  const { isTainted, disclosure, ungranted, isComposed } = assessCall(call, state, [host], [target]);
  const carried = isTainted
    ? findCopiedArguments(call.input, call.inputSchema, { id: serverId, host }, state)
    : [];
  const isCarrying = carried.length > 0;
  if (ungranted.length === 0 && !isComposed && !isCarrying)
    return { verdict: 'allow', hosts: [host], disclosure };
  const unseen = isCarrying ? 'remote-carries' : 'composed-text';
  const first = isTainted ? afterOutsideText : plain;
  return {
    verdict: 'ask',
    reason: isComposed || isCarrying ? unseen : first,
    targets: [host],
    grantTargets: [target],
    server,
    ...(isCarrying && { carried }),
    offers: isComposed || isCarrying ? [] : grantOffers,
  };
}

/** Leaves out the descriptions of the server's own tools: a server may read what its own tools are called with. */
function withoutOwnDescriptions(state: PermissionState, serverId: string | undefined): PermissionState {
  const origins = state.origins.filter(
    (origin) => origin.door !== 'tool-description' || serverId === undefined || origin.serverId !== serverId,
  );
  return { ...state, origins };
}

/** If a persona's model runs on a server, calling the persona needs permission. The answer of a server's model is outside text. */
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

function decideChange(hostNames: readonly string[], call: CallFacts, state: PermissionState): Decision {
  const read = readHosts(hostNames);
  if (!read.ok) return { verdict: 'deny', reason: read.reason };
  const hosts = read.value;
  const isTainted = state.origins.length > 0;
  const targets = hosts.length > 0 ? hosts.map((host) => changePrefix + host) : [changePrefix];
  if (!isTainted && targets.every((target) => hasGrant(target, call, state))) {
    return { verdict: 'allow', hosts, disclosure: noDisclosure };
  }
  return {
    verdict: 'ask',
    reason: 'side-effect',
    targets: hosts,
    grantTargets: targets,
    // Changing data needs approval in each chat, so do not offer to allow it in all chats.
    offers: isTainted ? [] : ['chat'],
  };
}

/** Every note needs approval: other chats read notes, so injected text would take effect there too. */
function askAboutNote(note: string, { origins }: PermissionState): AskDecision {
  const reason = origins.length > 0 ? 'note-after-outside-text' : 'note';
  return { verdict: 'ask', reason, targets: [], grantTargets: [], note, offers: [] };
}

/** Finds the targets without a grant, and estimates what the call reveals to `hosts` while outside text is present. */
function assessCall(
  call: CallFacts,
  state: PermissionState,
  hosts: readonly string[],
  targets: readonly string[],
) {
  const isTainted = state.origins.length > 0;
  const ungranted = targets.filter((target) => !hasGrant(target, call, state));
  const disclosure = isTainted ? estimateDisclosure(call, hosts, state) : noDisclosure;
  const bits = state.spent.bits + disclosure.bits;
  const quoted = state.spent.quoted + disclosure.quoted;
  const isAffordable = bits <= maxDisclosure.bits && quoted <= maxDisclosure.quoted;
  /** True if every target has a grant, but the arguments may reveal too much. */
  const isComposed = ungranted.length === 0 && !isAffordable;
  return { isTainted, disclosure, ungranted, isComposed };
}

/** Estimates what a call reveals to `hosts`. Adds one bit, because the call is itself a choice. */
function estimateDisclosure(
  { tool, input, inputSchema }: CallFacts,
  hosts: readonly string[],
  state: PermissionState,
): Disclosure {
  const sent = state.sent
    .filter((one) => one.tool === tool && hosts.every((host) => one.hosts.includes(host)))
    .map(({ text }) => text);
  const { bits, quoted } = measureDisclosure(input, inputSchema, { ...state, sent });
  return { bits: bits + 1, quoted };
}

/** Changes are never allowed for all chats. A backup could contain such a grant. */
function hasGrant(target: string, call: CallFacts, { grants, chatId }: PermissionState): boolean {
  return grants.some(
    (grant) =>
      grant.target === target &&
      grant.tool === call.tool &&
      grant.revision === call.revision &&
      (grant.chatId === chatId || (grant.chatId === null && !target.startsWith(changePrefix))),
  );
}

function readHosts(hostNames: readonly string[]): ReadResult<string[]> {
  const hosts = new Set<string>();
  for (const name of hostNames) {
    const host = readHost(name);
    if (host === undefined) return { ok: false, reason: writeInvalidAddressMessage(name) };
    hosts.add(host);
  }
  return { ok: true, value: [...hosts] };
}

function writeInvalidAddressMessage(address: string): string {
  return `"${address.slice(0, 200)}" cannot be asked: give a whole address that begins with https:// and has no user name in it.`;
}
