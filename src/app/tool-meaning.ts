/**
 * Part of the composition root: finds tools by meaning, with an embedding model on this device that the user chose. Searching by words works as
 * before: hits by meaning are merged in once they are known, and left out if that fails.
 */
import type { FoundTool, ToolSpec, ToolVectors } from '../contracts/tool';
import type { Embedder } from '../engines/host/remote-embedder';
import { createEmbeddingSearcher, type EmbeddingSearcher, fuseRanks } from '../tools/tool-search/embedding';

interface ToolMeaningParts {
  /** Id of the model that the user chose for it, or null. */
  wanted: () => string | null;
  openEmbedder: (modelId: string) => Embedder;
  /** `toStored` has changed. */
  onChange: () => void;
}

/** Maximum hits by meaning. Without a limit, every search would find every tool. */
const mostNear = 10;
/** Milliseconds that a turn waits for the vector of a query, whose model may have to load first. */
const patienceMs = 10_000;

interface Current {
  model: string;
  searcher: EmbeddingSearcher;
  /** Aborts when another model is chosen or this one fails. */
  life: AbortController;
  hasFailed: boolean;
}

export interface ToolMeaning {
  /** Sets the tools that can be found. `kept`: vectors of an earlier visit. */
  index: (tools: readonly ToolSpec[], kept: ToolVectors | undefined) => void;
  /** Merges hits by meaning into those by words, however long it takes. Undefined if no model is chosen. */
  merge: (query: Query) => Promise<FoundTool[] | 'failed'> | undefined;
  /** Like `merge` for a turn, which does not wait for unread tools: until all are read, only words count. */
  mergeInTurn: (query: Query) => Promise<FoundTool[]>;
  toStored: () => ToolVectors | undefined;
  /** Whether it failed since the last call. Reported once. */
  takeFailure: () => boolean;
}

interface Query {
  words: string;
  hits: FoundTool[];
  has: (name: string) => boolean;
  signal: AbortSignal;
}

export function createToolMeaning({ wanted, openEmbedder, onChange }: ToolMeaningParts): ToolMeaning {
  let tools: readonly ToolSpec[] = [];
  let stored: ToolVectors | undefined;
  let current: Current | undefined;
  let isUntold = false;

  function begin(model: string): Current {
    const life = new AbortController();
    const embedder = openEmbedder(model);
    life.signal.addEventListener('abort', embedder.end);
    const searcher = createEmbeddingSearcher({
      ...{ model, embed: embedder.embed, stored, life: life.signal },
      onRead() {
        stored = searcher.toStored();
        onChange();
      },
    });
    searcher.index(tools);
    return { model, searcher, life, hasFailed: false };
  }

  /** Follows the user's current choice. */
  function follow(): Current | undefined {
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

  function fail(failed: Current, error: unknown): void {
    if (failed.life.signal.aborted) return;
    failed.hasFailed = true;
    isUntold = true;
    failed.life.abort(error);
  }

  async function mergeWith(asked: Current, { words, hits, has, signal }: Query) {
    try {
      const near = await asked.searcher.search(words, Infinity, signal);
      return fuseRanks(hits, near.filter(({ name }) => has(name)).slice(0, mostNear));
    } catch (error) {
      // The search was cancelled, or the model was replaced by another one.
      if (signal.aborted || (asked.life.signal.aborted && !asked.hasFailed)) return hits;
      fail(asked, error);
      return 'failed';
    }
  }

  return {
    index(all, kept) {
      tools = all;
      stored ??= kept;
      follow()?.searcher.index(all);
    },
    merge(query) {
      const asked = follow();
      if (!asked || query.words.trim() === '') return undefined;
      const merging = asked.hasFailed ? Promise.resolve('failed' as const) : mergeWith(asked, query);
      return merging.then((merged) => {
        // The screen reports this failure, so no turn has to.
        if (merged === 'failed') isUntold = false;
        return merged;
      });
    },
    async mergeInTurn(query) {
      const asked = follow();
      if (!asked || asked.hasFailed) return query.hits;
      if (!asked.searcher.isRead) {
        asked.searcher.read().catch((error: unknown) => fail(asked, error));
        return query.hits;
      }
      const signal = AbortSignal.any([query.signal, AbortSignal.timeout(patienceMs)]);
      const merged = await mergeWith(asked, { ...query, signal });
      return merged === 'failed' ? query.hits : merged;
    },
    toStored: () => stored,
    takeFailure() {
      const isNews = isUntold;
      isUntold = false;
      return isNews;
    },
  };
}
