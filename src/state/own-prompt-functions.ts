/** What the screens are handed to do with prompts of one's own. */
import type { OwnPromptList } from '../contracts/own-prompt';

/** Each rejects with an `AppError` where the store does. */
export interface OwnPromptFunctions {
  /** The prompts now and after every change, also by another tab. Returns what ends it. */
  watch: (onList: (list: OwnPromptList) => void) => () => void;
  /** Resolves to its id. */
  add: (name: string, text: string) => Promise<string>;
  edit: (id: string, name: string, text: string) => Promise<void>;
  /** Puts those named into this order. */
  order: (ids: readonly string[]) => Promise<void>;
}
