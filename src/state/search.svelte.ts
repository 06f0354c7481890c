/** The state of the search across all chats, and the progress of its index. */
import type { ErrorCode } from '../contracts/error-code';
import type { IndexProgress, SearchAnswer } from '../contracts/search';
import { coalesce } from './coalesce';

interface SearchFunctions {
  /** Resolves to at most `most` hits. Rejects with an `AppError`. */
  find: (query: string, most: number) => Promise<SearchAnswer>;
  warm: () => void;
  /** Rebuilds the index. Resolves when it is complete or has failed. After a failure, `fault` is set. */
  rebuild: () => Promise<void>;
}

const hitsPerPage = 20;

export class Search {
  query = $state('');
  answer = $state.raw<SearchAnswer>();
  progress = $state.raw<IndexProgress>();
  fault = $state<ErrorCode>();
  isNothingStored = $state(false);
  indexGrowthCount = $state(0);
  readonly functions: SearchFunctions;
  #most = hitsPerPage;
  readonly #ask = coalesce(async () => {
    const { query } = this;
    const isAsking = query.trim() !== '' && !this.isNothingStored;
    const answer = isAsking ? await this.functions.find(query, this.#most).catch(() => undefined) : undefined;
    // If the user has typed a newer query, keep the shown hits, because that query runs next. An empty query clears them at once.
    if (query === this.query || answer === undefined) this.answer = answer;
  });

  constructor(functions: SearchFunctions) {
    this.functions = functions;
  }

  /** Searches. If several queries are typed during a search, only the last one is run. */
  async search(query: string): Promise<void> {
    this.query = query;
    this.#most = hitsPerPage;
    await this.#ask();
  }

  async showMore(): Promise<void> {
    this.#most += hitsPerPage;
    await this.#ask();
  }

  async searchAgain(): Promise<void> {
    this.indexGrowthCount += 1;
    if (this.query.trim() !== '') await this.#ask();
  }
}
