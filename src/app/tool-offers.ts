/** Part of the composition root: finds tools among many, for the model and for the page. */
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

export interface ToolWishes {
  toolsOff: readonly string[];
  /** Absent: `when-needed`. */
  toolSearch?: ToolSearchMode | undefined;
  /** The list of earlier turns. */
  toolOffer?: ToolOffer | undefined;
}

export interface ToolOffersParts {
  /** All tools that can be found, on or off. */
  readTools: () => Promise<readonly ToolSpec[]>;
  /** The index of an earlier visit. */
  kept: ToolIndexStore;
  /** False during a temporary chat. The index is then stored with the next search in another chat. */
  mayKeep?: () => boolean;
  /** The whole text of a cut result. */
  loadResult: ResultStore['load'];
  settings: () => Pick<Settings, 'pins' | 'meaningModel'>;
  /** Opens an embedding model on this device. */
  openEmbedder: (modelId: string) => Embedder;
  /** Names of tools that are listed unless the user unpins them. */
  pinnedAtFirst: ReadonlySet<string>;
  /** The model that answers at this moment. */
  spec: () => ModelSpec;
  /** Whether that model is small: it sees few tools and cannot read on in cut results. */
  isSmall: () => boolean;
}

interface TurnTools {
  /** The tools that are on in the chat, for this model. */
  on: readonly Tool[];
  history: readonly Message[];
  wishes: Pick<ToolWishes, 'toolSearch' | 'toolOffer'>;
  /** Names of tools that must be listed, because the page dictates a call to them. */
  needed?: readonly string[] | undefined;
  /** Names of tools that are neither shown nor found, but may be called. */
  unlisted?: ReadonlySet<string> | undefined;
}

export interface ToolOffers {
  /** The tools have changed: read them again before the next search. */
  refresh: () => void;
  /** Names of tools, on or off, best first. Cancels the search by meaning of an earlier call. */
  find: (words: string) => Promise<FoundNames>;
  /** Whether the search by meaning failed and no turn has reported it. */
  takeFailure: () => boolean;
  /** The tools that the words may mean: pinned ones and search hits. */
  near: (words: string, on: readonly Tool[]) => Promise<readonly Tool[]>;
  /** The stage that lists tools, and the tools that can be called, including the finder and the reader if they help. */
  forTurn: (turn: TurnTools) => Promise<{ stage: ToolListStage; tools: readonly Tool[] }>;
}

/** Maximum tools whose examples are matched against a request. More would take too long. */
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
  /** A failed write is repeated with the next visit. */
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

  /** The index has all tools, so filter those that are on. */
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
        // Not for a small model: there the gaps between scores decide how many tools it sees, and merged ranks have none.
        search: async (words, limit, signal) => {
          const hits = search(words, Infinity);
          const merged = await meaning.mergeInTurn({ words, hits, has: (name) => names.has(name), signal });
          return merged.slice(0, limit);
        },
        list: (tools) => dialectOf(spec().format).list(tools),
        described: () => stage.described(history),
      });
      const reader = createReadResult({ messages: () => stage.asked() ?? history, load: loadResult });
      // A small model was not trained to read on, so it gets the best part at once.
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
