/** Chooses the tools that a model sees, or keeps its earlier list. Undefined if the model sees all tools that are on. */
import type { Message } from '../../contracts/message';
import type { ChatModel, ModelSpec } from '../../contracts/model';
import type { ToolSpec, ListedTool, ToolOffer, ToolSearchMode, FoundTool } from '../../contracts/tool';
import { chooseList, mostListed, requestIn } from './choose-list';

/** Maximum share of the context that the list of tools may take. */
const listShare = 1 / 4;

export interface OfferRules {
  mode: ToolSearchMode;
  isPinned: (name: string) => boolean;
  /** Searches the tools that are on. Best first. */
  search: (words: string, limit: number) => readonly FoundTool[];
  /** Names of tools that must be listed, because the page dictates a call to them. */
  needed: readonly string[];
}

export interface OfferSituation {
  /** The model that answers. */
  spec: Pick<ModelSpec, 'id' | 'contextTokens'>;
  isSmall: boolean;
  tools: readonly ToolSpec[];
  /** The tool that finds tools. Undefined if this model cannot have it. */
  finder: ToolSpec | undefined;
  /** Ends with the request. */
  messages: readonly Message[];
  /** The chat's earlier list. */
  before: ToolOffer | undefined;
  measure: ChatModel['measure'];
}

/** A small model sees all unpinned tools if there are this few: it can distinguish them, and the right one may share no word with the request. */
const mostForSmall = 3;

export async function makeOffer(
  situation: OfferSituation,
  rules: OfferRules,
): Promise<ToolOffer | undefined> {
  const { spec, isSmall, tools, finder, before } = situation;
  const known = before?.modelId === spec.id ? before : undefined;
  if (isSmall) return offerFew({ ...situation, before: known }, rules);
  if (!finder || rules.mode === 'never') return undefined;
  const isMany = rules.mode === 'always' || tools.length > mostListed;
  if (!isMany && (await tokensOf(tools, situation)) <= mostTokens(situation)) return undefined;
  return offerList({ ...situation, finder, before: known }, rules);
}

async function offerFew(
  situation: OfferSituation,
  { isPinned, search, needed }: OfferRules,
): Promise<ToolOffer | undefined> {
  const { spec, tools, messages, before } = situation;
  if (tools.filter(({ name }) => !isPinned(name)).length <= mostForSmall) return undefined;
  const hits = search(requestIn(messages), tools.length);
  const listable = needed.filter((name) => tools.some((tool) => tool.name === name));
  const listed = chooseFew({ tools, isPinned, hits, needed: listable, before: before?.listed ?? [] });
  const tokens = await tokensOf(specsOf(listed, tools), situation);
  const isSameSet = before?.toolsOn === tools.length;
  const allTokens = isSameSet ? before.allTokens : await tokensOf(tools, situation);
  const counts = { toolsOn: tools.length, droppedMessages: 0, tokens, allTokens };
  return { modelId: spec.id, finder: 'page', listed, ...counts };
}

async function offerList(
  situation: OfferSituation & { finder: ToolSpec },
  { isPinned }: OfferRules,
): Promise<ToolOffer> {
  const { spec, tools, finder, messages, before, measure } = situation;
  const withFinder = (listed: readonly ListedTool[]) => [finder, ...specsOf(listed, tools)];
  /** The number of oldest messages that the model does not see in full. */
  const dropped = async (listed: readonly ListedTool[]) => {
    const { droppedMessages, summedUpMessages = 0 } = await measure(messages, withFinder(listed));
    return droppedMessages + summedUpMessages;
  };

  if (before && isStillRight(before, tools, isPinned)) {
    // An earlier list stays valid while the messages after it do.
    const isSame = before.toolsOn === tools.length;
    if ((await dropped(before.listed)) === before.droppedMessages) {
      return isSame
        ? before
        : { ...before, toolsOn: tools.length, allTokens: await tokensOf(tools, situation) };
    }
  }
  const listed = chooseList({ tools, isPinned, messages });
  const most = mostTokens(situation);
  let tokens = await tokensOf(withFinder(listed), situation);
  let free = listed.filter(({ reason }) => reason !== 'pinned').length;
  while (tokens > most && free > 0) {
    // Tools have similar lengths, so drop as many as the excess of tokens suggests, and measure again.
    const tooMany = Math.max(1, Math.ceil(listed.length * (1 - most / tokens)));
    free -= listed.splice(-Math.min(free, tooMany)).length;
    tokens = await tokensOf(withFinder(listed), situation);
  }
  const allTokens = await tokensOf(tools, situation);
  const counts = { toolsOn: tools.length, droppedMessages: await dropped(listed), tokens, allTokens };
  return { modelId: spec.id, finder: 'model', listed, ...counts };
}

/** Whether all tools of the list are still on and it has all pinned ones. */
function isStillRight(
  { listed, finder }: ToolOffer,
  tools: readonly ToolSpec[],
  isPinned: (name: string) => boolean,
): boolean {
  const names = new Set(listed.map(({ name }) => name));
  const pinned = tools.filter(({ name }) => isPinned(name));
  const areOn = specsOf(listed, tools).length === listed.length;
  return finder === 'model' && areOn && pinned.every(({ name }) => names.has(name));
}

export function specsOf(listed: readonly Pick<ListedTool, 'name'>[], tools: readonly ToolSpec[]): ToolSpec[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return listed.flatMap(({ name }) => byName.get(name) ?? []);
}

async function tokensOf(tools: readonly ToolSpec[], { measure }: OfferSituation): Promise<number> {
  return (await measure([], tools)).promptTokens;
}

function mostTokens({ spec }: OfferSituation): number {
  return spec.contextTokens * listShare;
}

/** The next tool counts as equally likely if its score is above this share of the score before it. */
const closeShare = 0.85;
const mostClose = 3;

interface Choice {
  tools: readonly ToolSpec[];
  isPinned: (name: string) => boolean;
  /** Search hits for the request, best first. */
  hits: readonly FoundTool[];
  needed: readonly string[];
  /** The chat's earlier list. */
  before: readonly ListedTool[];
}

/** Lists pinned tools first. Keeps the earlier list while it has the best hit, so that the prompt's cache stays valid. */
export function chooseFew({ tools, isPinned, hits, needed, before }: Choice): ListedTool[] {
  const isOn = new Set(tools.map(({ name }) => name));
  const pinned = tools.filter(({ name }) => isPinned(name)).map(({ name }) => listed(name, 'pinned'));
  const isFree = (name: string) => isOn.has(name) && !isPinned(name);
  const kept = before.filter(({ name }) => isFree(name));
  const shown = new Set([...pinned, ...kept].map(({ name }) => name));
  const [first] = hits;
  const wanted = needed.length > 0 ? needed : first ? [first.name] : [];
  if (wanted.every((name) => shown.has(name))) return [...pinned, ...kept];
  if (needed.length > 0) {
    return [...pinned, ...needed.filter(isFree).map((name) => listed(name, 'best'))];
  }
  const close = hits
    .filter(({ name, score }) => isFree(name) && score >= (first?.score ?? 0) * closeShare)
    .slice(0, mostClose);
  const reason = close.length > 1 ? 'close' : 'best';
  return [...pinned, ...close.map(({ name }) => listed(name, reason))];
}

function listed(name: string, reason: ListedTool['reason']): ListedTool {
  return { name, reason };
}
