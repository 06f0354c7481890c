/** What a person looks for in all chats, what was found, and how far the index of the chats is. */
import type { ErrorCode } from '../contracts/error-code';
import type { IndexProgress, SearchAnswer } from '../contracts/search';

/** Handed in by `src/app`. */
export interface SearchFunctions {
  /** The first `most` hits. Rejects with an `AppError`. */
  find: (query: string, most: number) => Promise<SearchAnswer>;
  /** Makes ready for a question: the person is about to ask one. */
  warm: () => void;
  /** Throws the index away, and begins another. Resolves once that has all chats, or cannot: `fault` says why. */
  rebuild: () => Promise<void>;
}

/** Hits at first, and added with each press. */
const page = 20;

export class Search {
  query = $state('');
  /** Of the query as it was when this was found; undefined while nothing is looked for. */
  answer = $state.raw<SearchAnswer>();
  /** How far the index is, while it is being built; undefined once it has all. */
  progress = $state.raw<IndexProgress>();
  /** What is wrong with the index; undefined where nothing is. */
  fault = $state<ErrorCode>();
  /** Nothing is kept on this visit, so nothing can be found. */
  isUnkept = $state(false);
  /** How often the index has grown: for who looks for something beside this. */
  grown = $state(0);
  readonly functions: SearchFunctions;
  #most = page;
  #asking: Promise<void> | undefined;
  /** Grows with each question. */
  #asked = 0;

  constructor(functions: SearchFunctions) {
    this.functions = functions;
  }

  /** What is typed while an answer is on its way is asked after it, and only the last of it. */
  async look(query: string): Promise<void> {
    this.query = query;
    this.#most = page;
    await this.#ask();
  }

  async showMore(): Promise<void> {
    this.#most += page;
    await this.#ask();
  }

  /** The index has grown. */
  async lookAgain(): Promise<void> {
    this.grown += 1;
    if (this.query.trim() !== '') await this.#ask();
  }

  /** Resolves when what was asked last is answered. */
  #ask(): Promise<void> {
    this.#asked += 1;
    this.#asking ??= this.#askAll().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #askAll(): Promise<void> {
    for (let asked = 0; asked !== this.#asked;) {
      asked = this.#asked;
      const answer = await this.#answerTo(this.query);
      // What was typed meanwhile has its own answer; an empty box shows no hits, not even for a moment.
      if (asked === this.#asked || answer === undefined) this.answer = answer;
    }
  }

  async #answerTo(query: string): Promise<SearchAnswer | undefined> {
    if (query.trim() === '' || this.isUnkept) return undefined;
    // What went wrong is told by `fault`.
    return this.functions.find(query, this.#most).catch(() => undefined);
  }
}
