/**
 * Chooses which of the callable tools the prompt lists. The agent loop does not know about this choice: it passes all tools, including
 * `find_tools`, and runs whatever the model calls. Search results describe the tools that the model finds later. The list is part of the
 * cached beginning of the prompt, so it only changes together with that beginning: for another model, after we dropped or summarized old
 * messages, or when the user switches tools on or off.
 */
import type { Message } from '../contracts/message';
import type { ChatModel, ModelSpec, ReplyRequest } from '../contracts/model';
import {
  type FoundTool,
  foundToolsIn,
  type ListedTool,
  type ToolOffer,
  type ToolSearchMode,
  type ToolSpec,
} from '../contracts/tool';
import { findToolsName, readResultToolName } from '../contracts/tool-names';
import { findReadableResults, textOf } from '../contracts/message-parts';
import { untilAborted } from '../contracts/until-aborted';
import { type ModelStage, createStoppedEvent } from '../contracts/pipeline';

interface OfferOptions extends OfferRules {
  /** The current model, which a fallback may replace within a turn. */
  spec: () => Pick<ModelSpec, 'id' | 'contextTokens'>;
  isSmall: () => boolean;
  before: ToolOffer | undefined;
  unlisted?: ReadonlySet<string> | undefined;
}

export interface ToolListStage extends ModelStage {
  /** Returns the names of tools that the model can see: in its list, or in search results within its context. */
  described: (messages: readonly Message[]) => ReadonlySet<string>;
  /** The messages of the turn's last request. Undefined before the first one. */
  asked: () => readonly Message[] | undefined;
}

export function createToolListStage(options: OfferOptions): ToolListStage {
  let asked: readonly Message[] | undefined;
  let current: { offer: ToolOffer | undefined; modelId: string } | undefined;
  let reported: { offer: ToolOffer | undefined } | undefined;

  const { unlisted: unshown = new Set() } = options;
  /** For a small model, the page makes some calls itself, so the model never sees their tools. */
  const isListable = ({ name, isCalledByPage }: ToolSpec) =>
    !unshown.has(name) && !(isCalledByPage && options.isSmall());

  async function update(
    { messages, tools, summary }: Pick<ReplyRequest, 'messages' | 'tools' | 'summary'>,
    model: ChatModel,
  ) {
    const spec = options.spec();
    // Without `find_tools`, keep the list for the whole turn. It has all tools, or those that we chose for a small model and this request.
    if (current?.modelId === spec.id && current.offer?.finder !== 'model') return current;
    const offer = await chooseToolOffer(
      {
        spec,
        isSmall: options.isSmall(),
        messages,
        measure: (given, listed) => model.measure(given, listed, given.length > 0 ? summary : undefined),
        tools: tools.filter((tool) => !separatelyChosenTools.has(tool.name) && isListable(tool)),
        finder: tools.find(({ name }) => name === findToolsName),
        before: current ? current.offer : options.before,
      },
      options,
    );
    current = { offer, modelId: spec.id };
    return current;
  }

  function share(
    offer: ToolOffer | undefined,
    tools: readonly ToolSpec[],
    messages: readonly Message[] = [],
  ) {
    const others = tools.filter((tool) => !separatelyChosenTools.has(tool.name) && isListable(tool));
    // A cut result tells the model to call `read_result` for the rest, so that call must be accepted.
    const canReadOn = !options.isSmall() && findReadableResults(messages).length > 0;
    const readers = canReadOn ? tools.filter(({ name }) => name === readResultToolName) : [];
    if (!offer || offer.finder === 'page') {
      const listed = offer ? specsOf(offer.listed, others) : others;
      const isCallable = ({ name }: ToolSpec) => unshown.has(name) || options.needed.includes(name);
      const called = tools.filter((tool) => !isListable(tool) && isCallable(tool));
      const more = [...called, ...readers];
      return { listed, callable: more.length > 0 ? [...listed, ...more] : listed };
    }
    const finders = tools.filter(({ name }) => name === findToolsName);
    const listed = [...finders, ...specsOf(offer.listed, others)];
    const silent = tools.filter(({ name }) => unshown.has(name));
    return { listed, callable: [...others, ...silent, ...finders, ...readers] };
  }

  return {
    name: 'tool-list',
    async *wrapStream(request, signal, model) {
      asked = request.messages;
      // An earlier stage has chosen the list.
      if (request.listed) {
        yield* model.respond(request, signal);
        return;
      }
      // Counting the prompt's tokens may load the model, which can take minutes, so Stop must end the wait.
      const updated = await untilAborted(update(request, model), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (!updated) {
        yield createStoppedEvent();
        return;
      }
      const { offer } = updated;
      const isNews = reported ? reported.offer !== offer : (offer ?? options.before) !== undefined;
      reported = { offer };
      if (isNews) yield { type: 'tool-offer', offer };
      const { listed, callable } = share(offer, request.tools, request.messages);
      const names = callable !== listed && { listed: listed.map(({ name }) => name) };
      yield* model.respond({ ...request, tools: callable, ...names }, signal);
    },
    async measure(model, messages, tools, summary) {
      // Before the first request of a turn, assume that the list stays the same.
      const { before } = options;
      const known = current ?? (before?.modelId === options.spec().id ? { offer: before } : undefined);
      const { offer } = known ?? (await update({ messages, tools, summary }, model));
      return model.measure(messages, share(offer, tools).listed, summary);
    },
    asked: () => asked,
    described(messages) {
      const { listed = [], droppedMessages = 0 } = current?.offer ?? {};
      const kept = messages.filter(({ role }) => role !== 'system').slice(droppedMessages);
      return new Set([...listed.map(({ name }) => name), ...foundToolsIn(kept)]);
    },
  };
}

/** We do not rank these tools: we list `find_tools` if the model must search, and allow `read_result` after cutting a result. */
const separatelyChosenTools: ReadonlySet<string> = new Set([findToolsName, readResultToolName]);

/** Maximum share of the context for the list of tools. */
const maxToolListShare = 1 / 4;

interface OfferRules {
  mode: ToolSearchMode;
  isPinned: (name: string) => boolean;
  /** Searches the tools that are on. Best match first. */
  search: (words: string, limit: number) => readonly FoundTool[];
  /** Names of tools that the page will certainly call, because it dictates these calls. */
  needed: readonly string[];
}

interface OfferContext {
  spec: Pick<ModelSpec, 'id' | 'contextTokens'>;
  isSmall: boolean;
  tools: readonly ToolSpec[];
  /** Undefined if this model cannot use `find_tools`. */
  finder: ToolSpec | undefined;
  messages: readonly Message[];
  before: ToolOffer | undefined;
  measure: ChatModel['measure'];
}

/** A small model sees all unpinned tools if there are at most this many: the right tool may share no word with the request. */
const maxToolsForSmallModel = 3;

export async function chooseToolOffer(situation: OfferContext, rules: OfferRules) {
  const { spec, isSmall, tools, finder, before } = situation;
  const known = before?.modelId === spec.id ? before : undefined;
  if (isSmall) return offerFewTools({ ...situation, before: known }, rules);
  if (!finder || rules.mode === 'never') return undefined;
  const isMany = rules.mode === 'always' || tools.length > maxListedTools;
  if (!isMany && (await countTokens(tools, situation)) <= computeMaxListTokens(situation)) return undefined;
  return offerToolList({ ...situation, finder, before: known }, rules);
}

async function offerFewTools(
  situation: OfferContext,
  { isPinned, search, needed }: OfferRules,
): Promise<ToolOffer | undefined> {
  const { spec, tools, messages, before } = situation;
  if (tools.filter(({ name }) => !isPinned(name)).length <= maxToolsForSmallModel) return undefined;
  const hits = search(findRequest(messages), tools.length);
  const listable = needed.filter((name) => tools.some((tool) => tool.name === name));
  const listed = chooseFewTools({ tools, isPinned, hits, needed: listable, before: before?.listed ?? [] });
  const tokens = await countTokens(specsOf(listed, tools), situation);
  const isSameSet = before?.toolsOn === tools.length;
  const allTokens = isSameSet ? before.allTokens : await countTokens(tools, situation);
  const counts = { toolsOn: tools.length, droppedMessages: 0, tokens, allTokens };
  return { modelId: spec.id, finder: 'page', listed, ...counts };
}

async function offerToolList(
  situation: OfferContext & { finder: ToolSpec },
  { isPinned }: OfferRules,
): Promise<ToolOffer> {
  const { spec, tools, finder, messages, before, measure } = situation;
  const withFinder = (listed: readonly ListedTool[]) => [finder, ...specsOf(listed, tools)];
  const dropped = async (listed: readonly ListedTool[]) => {
    const { droppedMessages, summedUpMessages = 0 } = await measure(messages, withFinder(listed));
    return droppedMessages + summedUpMessages;
  };

  // A new list would invalidate the engine's cache, so keep the earlier list until the number of dropped messages changes.
  const isValid = before && isOfferStillValid(before, tools, isPinned);
  if (isValid && (await dropped(before.listed)) === before.droppedMessages) {
    if (before.toolsOn === tools.length) return before;
    return { ...before, toolsOn: tools.length, allTokens: await countTokens(tools, situation) };
  }
  const listed = chooseToolList({ tools, isPinned, messages });
  const most = computeMaxListTokens(situation);
  let tokens = await countTokens(withFinder(listed), situation);
  let free = listed.filter(({ reason }) => reason !== 'pinned').length;
  while (tokens > most && free > 0) {
    const tooMany = Math.max(1, Math.ceil(listed.length * (1 - most / tokens)));
    free -= listed.splice(-Math.min(free, tooMany)).length;
    tokens = await countTokens(withFinder(listed), situation);
  }
  const allTokens = await countTokens(tools, situation);
  const counts = { toolsOn: tools.length, droppedMessages: await dropped(listed), tokens, allTokens };
  return { modelId: spec.id, finder: 'model', listed, ...counts };
}

function isOfferStillValid(
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

async function countTokens(tools: readonly ToolSpec[], { measure }: OfferContext): Promise<number> {
  return (await measure([], tools)).promptTokens;
}

function computeMaxListTokens({ spec }: OfferContext): number {
  return spec.contextTokens * maxToolListShare;
}

/** We also list a search hit if its score is at least this share of the best hit's score. */
const minShareOfBestScore = 0.85;
const maxSimilarTools = 3;

interface FewToolsOptions extends Pick<OfferContext, 'tools'>, Pick<OfferRules, 'isPinned' | 'needed'> {
  /** Best first. */
  hits: readonly FoundTool[];
  before: readonly ListedTool[];
}

/** Lists pinned tools first. Keeps the earlier list while it contains the best hit, so that the prompt cache stays valid. */
export function chooseFewTools({ tools, isPinned, hits, needed, before }: FewToolsOptions): ListedTool[] {
  const isOn = new Set(tools.map(({ name }) => name));
  const pinnedTools = tools.filter(({ name }) => isPinned(name));
  const pinned = toListedTools(pinnedTools, 'pinned');
  const isFree = (name: string) => isOn.has(name) && !isPinned(name);
  const kept = before.filter(({ name }) => isFree(name));
  const shown = new Set([...pinned, ...kept].map(({ name }) => name));
  const [first] = hits;
  const wanted = needed.length > 0 ? needed : first ? [first.name] : [];
  if (wanted.every((name) => shown.has(name))) return [...pinned, ...kept];
  if (needed.length > 0) {
    return [...pinned, ...needed.filter(isFree).map((name) => ({ name, reason: 'best' as const }))];
  }
  const close = hits
    .filter(({ name, score }) => isFree(name) && score >= (first?.score ?? 0) * minShareOfBestScore)
    .slice(0, maxSimilarTools);
  const reason = close.length > 1 ? 'close' : 'best';
  return [...pinned, ...toListedTools(close, reason)];
}

function toListedTools(tools: readonly { name: string }[], reason: ListedTool['reason']): ListedTool[] {
  return tools.map(({ name }) => ({ name, reason }));
}

/** Maximum number of listed tools. If more are on, the model must search for the rest. */
export const maxListedTools = 24;

/** We look for the names of tools only in the beginning of a longer request. */
const maxRequestCharacters = 20_000;

/** Most important tools first: if the list is too long, we remove tools from its end, but never pinned ones. */
export function chooseToolList({
  tools,
  isPinned,
  messages,
}: Pick<OfferContext, 'tools' | 'messages'> & Pick<OfferRules, 'isPinned'>): ListedTool[] {
  const pinnedTools = tools.filter(({ name }) => isPinned(name));
  const pinned = toListedTools(pinnedTools, 'pinned');
  const others = tools.filter(({ name }) => !isPinned(name));
  const isOn = new Set(others.map(({ name }) => name));
  const recent = findRecentTools(messages).filter(({ name }) => isOn.has(name));
  const known = new Set(recent.map(({ name }) => name));
  const request = ` ${normalizeText(findRequest(messages).slice(0, maxRequestCharacters))} `;
  const named = others.filter((tool) => !known.has(tool.name) && isToolNamedIn(tool, request));
  const used = recent.filter(({ reason }) => reason === 'used');
  const found = recent.filter(({ reason }) => reason === 'found');
  const chosen = [...used, ...toListedTools(named, 'named'), ...found];
  return [...pinned, ...chosen.slice(0, Math.max(0, maxListedTools - pinned.length))];
}

export function findRequest(messages: readonly Message[]): string {
  const request = messages.findLast(({ role }) => role === 'user');
  return request?.role === 'user' ? textOf(request.content) : '';
}

function findRecentTools(messages: readonly Message[]): ListedTool[] {
  const recent = new Map<string, ListedTool>();
  for (const message of messages.toReversed()) {
    for (const one of findToolsIn(message).toReversed()) {
      const known = recent.get(one.name);
      // If a tool was both found and called, list it once, as called, at the position of its latest mention.
      if (!known) recent.set(one.name, one);
      else if (one.reason === 'used') known.reason = 'used';
    }
  }
  return [...recent.values()];
}

function findToolsIn(message: Message): ListedTool[] {
  if (message.role === 'tool') {
    const found = message.results.flatMap(({ foundTools = [] }) => foundTools);
    return found.map((name) => ({ name, reason: 'found' }));
  }
  if (message.role !== 'assistant') return [];
  return message.content.flatMap((part) =>
    part.type === 'tool-call' && part.name !== findToolsName ? [{ name: part.name, reason: 'used' }] : [],
  );
}

/** `request` is normalized, with a blank at both ends. */
function isToolNamedIn({ name, title }: ToolSpec, request: string): boolean {
  return [name, title].map(normalizeText).some((words) => containsWords(words, request));
}

function containsWords(words: string, text: string): boolean {
  const hasNoSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(words);
  if (hasNoSpaces) return words.length >= 2 && text.includes(words);
  return words.length >= 3 && text.includes(` ${words} `);
}

function normalizeText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
