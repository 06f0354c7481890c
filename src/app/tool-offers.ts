/** A part of the composition root: finding tools among many, for the model that asks for them and for the page that chooses. */
import { type ToolListStage, toolListStage } from '../agent/tool-offer/offer-tools';
import type { Message } from '../contracts/message';
import type { ModelSpec } from '../contracts/model';
import type { Settings } from '../contracts/settings';
import type { FoundNames, FoundTool, Tool, ToolSpec, ToolOffer, ToolSearchMode } from '../contracts/tool';
import type { ResultStore, ToolIndexStore } from '../contracts/store';
import { namedResults } from '../contracts/message-parts';
import { dialectOf } from '../protocol/dialects';
import { createFindTools } from '../tools/find-tools';
import { createReadResult } from '../tools/read-result';
import type { Embedder } from '../engines/host/remote-embedder';
import { createLexicalSearcher, type LexicalSearcher } from '../tools/tool-search/lexical';
import { createToolMeaning } from './tool-meaning';

/** What a chat says of its tools. */
export interface ToolWishes {
  /** Names of those that are off. */
  toolsOff: readonly string[];
  /** Missing: when needed. */
  toolSearch?: ToolSearchMode | undefined;
  /** What its model was shown in the turns before. */
  toolOffer?: ToolOffer | undefined;
}

export interface ToolOffersParts {
  /** All that can be found, on or off. */
  readTools: () => Promise<readonly ToolSpec[]>;
  /** What was found by in an earlier visit. */
  kept: ToolIndexStore;
  /** Nothing is written for a temporary chat: what was found by in it is kept with the next one that is. */
  mayKeep?: () => boolean;
  /** All of a result that was cut. */
  loadResult: ResultStore['load'];
  settings: () => Pick<Settings, 'pins' | 'meaningModel'>;
  /** A model on this device, by its id, as a maker of vectors. */
  openEmbedder: (modelId: string) => Embedder;
  /** Names of tools that are listed unless the person does not want it. */
  pinnedAtFirst: ReadonlySet<string>;
  /** The model that answers at this moment. */
  spec: () => ModelSpec;
  /** Whether that model is shown few tools, and reads on nowhere. */
  isSmall: () => boolean;
}

interface TurnTools {
  /** Those that are on in the chat, for this model. */
  on: readonly Tool[];
  history: readonly Message[];
  wishes: Pick<ToolWishes, 'toolSearch' | 'toolOffer'>;
  /** Names of tools that are called in any case. */
  needed?: readonly string[] | undefined;
  /** Names of tools that are not shown and not found, though a call of them is understood. */
  unlisted?: ReadonlySet<string> | undefined;
}

export interface ToolOffers {
  /** The tools have changed: they are read anew before the next search. */
  refresh: () => void;
  /** Names of tools, on or off, best first. What an earlier call has still to find by meaning is not looked for any more. */
  find: (words: string) => Promise<FoundNames>;
  /** Tools cannot be found by meaning, though the person wants it, and nobody has told them so yet. */
  takeFailure: () => boolean;
  /** Of many tools those that words may mean: pinned ones, and those that the words find. */
  near: (words: string, on: readonly Tool[]) => Promise<readonly Tool[]>;
  /** The stage that lists tools, and the tools that can be called: those that are on, and where they help those that find tools and read results. */
  forTurn: (turn: TurnTools) => Promise<{ stage: ToolListStage; tools: readonly Tool[] }>;
}

/** To read a request by the examples of more tools than this takes longer than a person should wait. */
const mostNear = 24;

export function createToolOffers(parts: ToolOffersParts): ToolOffers {
  const { readTools, kept, mayKeep = () => true, loadResult, settings, pinnedAtFirst, spec, isSmall } = parts;
  let searcher: LexicalSearcher | undefined;
  let indexing: Promise<LexicalSearcher> | undefined;
  let finding = new AbortController();
  const whenIndexed = () => {
    keepNow();
    return (indexing ??= indexTools());
  };
  const ignore = () => undefined;

  let isUnkept = false;
  const keep = () => {
    isUnkept = true;
    keepNow();
  };
  /** What cannot be written is made anew with the next visit. */
  const keepNow = () => {
    if (!isUnkept || !searcher || !mayKeep()) return;
    isUnkept = false;
    const vectors = meaning.toStored();
    void kept.save({ ...searcher.toStored(), ...(vectors && { vectors }) }).catch(ignore);
  };
  const meaning = createToolMeaning({
    wanted: () => settings().meaningModel ?? null,
    openEmbedder: parts.openEmbedder,
    onChange: keep,
  });

  async function indexTools(): Promise<LexicalSearcher> {
    const stored = searcher ? undefined : await kept.load().catch(ignore);
    searcher ??= createLexicalSearcher({ stored });
    const tools = await readTools();
    const isChanged = searcher.index(tools);
    meaning.index(tools, stored?.vectors);
    if (isChanged) keep();
    return searcher;
  }

  const isPinned = (name: string) => settings().pins[name] ?? pinnedAtFirst.has(name);

  /** All are indexed, whichever of them a chat has on. */
  const searchAmong = (index: LexicalSearcher, on: readonly ToolSpec[]) => {
    const names = new Set(on.map(({ name }) => name));
    return (words: string, limit: number) =>
      index
        .search(words, Infinity)
        .filter(({ name }) => names.has(name))
        .slice(0, limit);
  };

  return {
    refresh: () => (indexing = undefined),
    takeFailure: meaning.takeFailure,
    async find(words) {
      finding.abort();
      finding = new AbortController();
      const { signal } = finding;
      const hits = (await whenIndexed()).search(words, Infinity);
      const merging = meaning.merge({ words, hits, has: () => true, signal });
      const later = merging?.then((merged) => (merged === 'failed' ? merged : namesOf(merged)));
      return { names: namesOf(hits), ...(later && { later }) };
    },
    async near(words, on) {
      if (on.length <= mostNear) return on;
      const hits = searchAmong(await whenIndexed(), on)(words, mostNear);
      const names = new Set(hits.map(({ name }) => name));
      return on.filter(({ name }) => names.has(name) || isPinned(name));
    },
    async forTurn({ on: callable, history, wishes, needed = [], unlisted }) {
      const index = await whenIndexed();
      const mode = wishes.toolSearch ?? 'when-needed';
      const on = unlisted ? callable.filter(({ name }) => !unlisted.has(name)) : callable;
      const search = searchAmong(index, on);
      const names = new Set(on.map(({ name }) => name));
      const stage = toolListStage({
        ...{ spec, isSmall, search, isPinned, mode, needed, unlisted },
        before: wishes.toolOffer,
      });
      const finder = createFindTools({
        tools: on,
        // Not where the page chooses for a small model: how far scores lie apart says there how many it is shown, and merged ranks have no such gaps.
        search: async (words, limit, signal) => {
          const hits = search(words, Infinity);
          const merged = await meaning.mergeInTurn({ words, hits, has: (name) => names.has(name), signal });
          return merged.slice(0, limit);
        },
        list: (tools) => dialectOf(spec().format).list(tools),
        described: () => stage.described(history),
      });
      const reader = createReadResult({ messages: () => stage.asked() ?? history, load: loadResult });
      // A small model was not trained to read on: it is given what fits its question best.
      const canReadOn = !isSmall() && (on.length > 0 || namedResults(history).length > 0);
      const canSearch = mode !== 'never' && on.length > 0;
      const tools = [...callable, ...(canSearch ? [finder] : []), ...(canReadOn ? [reader] : [])];
      return { stage, tools };
    },
  };
}

function namesOf(found: readonly FoundTool[]): string[] {
  return found.map(({ name }) => name);
}
