/** Finds matching tools, by words and by meaning. Used by the model and the page. */
import { createToolListStage } from '../agent/offer-tools';
import type { Message } from '../contracts/message';
import type { ModelSpec } from '../contracts/model';
import type { Settings } from '../contracts/settings';
import type {
  FoundToolNames,
  FoundTool,
  Tool,
  ToolSpec,
  ToolOffer,
  ToolSearchMode,
  ToolVectors,
} from '../contracts/tool';
import type { ResultStore, ToolIndexStore } from '../contracts/store';
import { findReadableResults } from '../contracts/message-parts';
import { dialectOf } from '../protocol/dialects';
import { createFindToolsTool } from '../tools/find-tools';
import { createReadResultTool } from '../tools/read-result';
import type { Embedder } from '../engines/host/remote-model';
import { createLexicalSearcher, type LexicalSearcher } from '../tools/tool-search/lexical';
import { createEmbeddingSearcher, type EmbeddingSearcher, fuseRanks } from '../tools/tool-search/embedding';

export interface ToolPreferences {
  toolsOff: readonly string[];
  toolSearch?: ToolSearchMode | undefined;
  toolOffer?: ToolOffer | undefined;
}

export type ToolOffers = ReturnType<typeof createToolOffers>;

/** Maximum number of tools whose examples are compared with a request. Comparing more would take too long. */
const maxToolsToCompare = 24;

export function createToolOffers(parts: {
  readTools: () => Promise<readonly ToolSpec[]>;
  kept: ToolIndexStore;
  /** Whether the tool index may be stored now. False during a temporary chat: a search in another chat stores it later. */
  canStore?: () => boolean;
  loadResult: ResultStore['load'];
  settings: () => Pick<Settings, 'pins' | 'meaningModel'>;
  openEmbedder: (modelId: string) => Embedder;
  pinnedAtFirst: ReadonlySet<string>;
  spec: () => ModelSpec;
  /** A small model sees only a few tools and cannot read the rest of a cut result. */
  isSmall: () => boolean;
}) {
  const { readTools, kept, loadResult, settings, pinnedAtFirst } = parts;
  let searcher: LexicalSearcher | undefined;
  let indexing: Promise<LexicalSearcher> | undefined;
  let finding = new AbortController();
  const whenIndexed = () => {
    storePendingIndex();
    return (indexing ??= indexTools());
  };

  let isUnsaved = false;
  const keep = () => {
    isUnsaved = true;
    storePendingIndex();
  };
  /** Stores the tool index if it has changed. If that fails, the next visit tries again. */
  const storePendingIndex = () => {
    if (!isUnsaved || !searcher || parts.canStore?.() === false) return;
    isUnsaved = false;
    const vectors = meaning.toStored();
    void kept.save({ ...searcher.toStored(), ...(vectors && { vectors }) }).catch(() => undefined);
  };
  const meaning = createSemanticSearch(() => settings().meaningModel ?? null, parts.openEmbedder, keep);

  async function indexTools(): Promise<LexicalSearcher> {
    const stored = searcher ? undefined : await kept.load().catch(() => undefined);
    searcher ??= createLexicalSearcher({ stored });
    const tools = await readTools();
    const isChanged = searcher.index(tools);
    meaning.index(tools, stored?.vectors);
    if (isChanged) keep();
    return searcher;
  }

  const isPinned = (name: string) => settings().pins[name] ?? pinnedAtFirst.has(name);

  /** The index also contains tools that are off, so filter the hits. */
  const searchAmong = (index: LexicalSearcher, on: readonly ToolSpec[]) => {
    const names = new Set(on.map(({ name }) => name));
    return (words: string, limit: number) =>
      index
        .search(words, Infinity)
        .filter(({ name }) => names.has(name))
        .slice(0, limit);
  };

  return {
    /** Call this when the tools have changed. The next search then indexes them again. */
    refresh: () => void (indexing = undefined),
    /** Returns true once after each failure of the search by meaning, so one turn reports it. */
    takeFailure: meaning.takeFailure,
    /** Searches all tools, on or off. Returns names, best match first. Cancels an earlier search by meaning. */
    find: async (words: string): Promise<FoundToolNames> => {
      finding.abort();
      finding = new AbortController();
      const { signal } = finding;
      const hits = (await whenIndexed()).search(words, Infinity);
      const merging = meaning.merge({ words, hits, has: () => true, signal });
      const later = merging?.then((merged) => (merged === 'failed' ? merged : namesOf(merged)));
      return { names: namesOf(hits), ...(later && { later }) };
    },
    /** Returns the tools that the words may refer to: pinned tools and search hits. */
    async near(words: string, on: readonly Tool[]) {
      if (on.length <= maxToolsToCompare) return on;
      const hits = searchAmong(await whenIndexed(), on)(words, maxToolsToCompare);
      const names = new Set(hits.map(({ name }) => name));
      return on.filter(({ name }) => names.has(name) || isPinned(name));
    },
    /** Returns the stage that lists tools, and the tools that can be called, including `find_tools` and `read_result` if they help. */
    async forTurn(turn: {
      on: readonly Tool[];
      history: readonly Message[];
      wishes: Pick<ToolPreferences, 'toolSearch' | 'toolOffer'>;
      /** Names of tools that must be listed, because the page has already decided that the model calls them. */
      needed?: readonly string[] | undefined;
      /** Names of tools that are never listed or found but may be called. */
      unlisted?: ReadonlySet<string> | undefined;
      /** The small model, if it calls the tools for the chat's model. */
      hands?: ModelSpec | undefined;
    }) {
      const { on: callable, history, wishes, needed = [], unlisted, hands } = turn;
      const spec = hands ? () => hands : parts.spec;
      const isSmall = hands ? () => true : parts.isSmall;
      const index = await whenIndexed();
      const mode = wishes.toolSearch ?? 'when-needed';
      const on = unlisted ? callable.filter(({ name }) => !unlisted.has(name)) : callable;
      const search = searchAmong(index, on);
      const names = new Set(on.map(({ name }) => name));
      const stage = createToolListStage({
        spec,
        isSmall,
        search,
        isPinned,
        mode,
        needed,
        unlisted,
        before: wishes.toolOffer,
      });
      const finder = createFindToolsTool({
        tools: on,
        // Only for larger models. A small model gets the tools with the best scores, and merged hits have no scores.
        search: async (words, limit, signal) => {
          const hits = search(words, Infinity);
          const merged = await meaning.mergeInTurn({ words, hits, has: (name) => names.has(name), signal });
          return merged.slice(0, limit);
        },
        list: (tools) => dialectOf(spec().format).list(tools),
        described: () => stage.described(history),
      });
      const reader = createReadResultTool({ messages: () => stage.asked() ?? history, load: loadResult });
      // A small model was not trained to read the rest of a result, so its results are cut to the best part at once.
      const canReadOn = !isSmall() && (on.length > 0 || findReadableResults(history).length > 0);
      const canSearch = mode !== 'never' && on.length > 0;
      const tools = [...callable, ...(canSearch ? [finder] : []), ...(canReadOn ? [reader] : [])];
      return { stage, tools };
    },
  };
}

export const namesOf = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

/** Maximum number of hits by meaning. Every tool is similar to some degree, so without a limit each search would find all of them. */
const maxHitsByMeaning = 10;
/** Maximum milliseconds that a turn waits for a query's vector. The embedding model may have to load first. */
const maxQueryWaitMs = 10_000;

interface CurrentEmbedder {
  model: string;
  searcher: EmbeddingSearcher;
  /** Aborts when the user chooses another embedding model or this one fails. */
  life: AbortController;
  hasFailed: boolean;
}

interface SemanticQuery {
  words: string;
  hits: FoundTool[];
  has: (name: string) => boolean;
  signal: AbortSignal;
}

function createSemanticSearch(
  wanted: () => string | null,
  openEmbedder: (modelId: string) => Embedder,
  onChange: () => void,
) {
  let tools: readonly ToolSpec[] = [];
  let stored: ToolVectors | undefined;
  let current: CurrentEmbedder | undefined;
  let isUnreported = false;

  function begin(model: string): CurrentEmbedder {
    const life = new AbortController();
    const embedder = openEmbedder(model);
    life.signal.addEventListener('abort', embedder.end);
    const searcher = createEmbeddingSearcher({
      model,
      embed: embedder.embed,
      stored,
      life: life.signal,
      onRead() {
        stored = searcher.toStored();
        onChange();
      },
    });
    searcher.index(tools);
    return { model, searcher, life, hasFailed: false };
  }

  function follow(): CurrentEmbedder | undefined {
    const model = wanted();
    if (current && current.model !== model) {
      current.life.abort(new Error('Another model is wanted.'));
      current = undefined;
    }
    if (stored && stored.model !== model) {
      stored = undefined;
      onChange();
    }
    if (model !== null) current ??= begin(model);
    return current;
  }

  function fail(failed: CurrentEmbedder, error: unknown): void {
    if (failed.life.signal.aborted) return;
    failed.hasFailed = true;
    isUnreported = true;
    failed.life.abort(error);
  }

  async function mergeWith(asked: CurrentEmbedder, { words, hits, has, signal }: SemanticQuery) {
    try {
      const near = await asked.searcher.search(words, Infinity, signal);
      return fuseRanks(hits, near.filter(({ name }) => has(name)).slice(0, maxHitsByMeaning));
    } catch (error) {
      if (signal.aborted || (asked.life.signal.aborted && !asked.hasFailed)) return hits;
      fail(asked, error);
      return 'failed';
    }
  }

  return {
    index(all: readonly ToolSpec[], kept: ToolVectors | undefined) {
      tools = all;
      stored ??= kept;
      follow()?.searcher.index(all);
    },
    /** Merges hits by meaning into the hits by words. Waits as long as necessary. Undefined if no embedding model is chosen. */
    merge(query: SemanticQuery): Promise<FoundTool[] | 'failed'> | undefined {
      const asked = follow();
      if (!asked || query.words.trim() === '') return undefined;
      const merging = asked.hasFailed ? Promise.resolve('failed' as const) : mergeWith(asked, query);
      return merging.then((merged) => {
        // The screen shows this failure, so no turn needs to report it.
        if (merged === 'failed') isUnreported = false;
        return merged;
      });
    },
    /** Like `merge`, but does not wait until all tools have embedding vectors. Until then, returns only the hits for the words of the query. */
    async mergeInTurn(query: SemanticQuery) {
      const asked = follow();
      if (!asked || asked.hasFailed) return query.hits;
      if (!asked.searcher.isRead) {
        asked.searcher.read().catch((error: unknown) => fail(asked, error));
        return query.hits;
      }
      const signal = AbortSignal.any([query.signal, AbortSignal.timeout(maxQueryWaitMs)]);
      const merged = await mergeWith(asked, { ...query, signal });
      return merged === 'failed' ? query.hits : merged;
    },
    toStored: () => stored,
    takeFailure: () => {
      const isNews = isUnreported;
      isUnreported = false;
      return isNews;
    },
  };
}
