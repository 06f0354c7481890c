/** What the page says in a very small model's place: the shape that each language fills. */
import type { ToolFailure } from '../contracts/tool-failure';
import type { Intent } from './intent';

export interface PageWords {
  /** What each built-in tool lets it do, as it stands in a list: `work out sums`. */
  abilities: Readonly<Record<string, string>>;
  /** A question to press for each built-in tool. */
  examples: Readonly<Record<string, string>>;
  /** `I can work out sums and use Unit conversion.` One of the lists may be empty, not both. */
  can: (abilities: readonly string[], otherTools: readonly string[]) => string;
  /** In place of `can`. */
  noTools: string;
  /** `can` is said only where the reply of an intent asks for it. `model` is its name. */
  replies: Readonly<Record<Intent, (model: string, can: string) => string>>;
  /** What is said of a failed call; the model speaks of others. */
  failures: Readonly<Partial<Record<ToolFailure, string>>>;
  /** Of a result in which there is nothing. */
  nothing: string;
  /** None of the attached files has a sentence with the words of the question. */
  beyondFiles: (names: string) => string;
  /** What all of a file is about was asked. */
  beginsFile: (name: string, beginning: string) => string;
  /** Behind how they begin. */
  beyondBeginnings: string;
  /** A picture goes with the question. */
  unseen: (modelName: string) => string;
  /** Of notes: one was kept, one was not allowed, none was found. */
  notes: Readonly<Record<'kept' | 'refused' | 'none', string>>;
  /** What the person said of themselves, and asks for: their own sentence. */
  told: (sentence: string) => string;
  /** Asked back where somebody wants to know the weather. */
  whichPlace: string;
  /** The person meant none of the readings that they were shown. */
  rephrase: string;
  /** A question about the world, where it may search. */
  searchInstead: string;
  /** `Search for QUERY`, as a request that is understood. */
  searchFor: (query: string) => string;
}
