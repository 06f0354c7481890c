/** What was deleted and can still be had back. Without zod: nothing of it is stored but as a mark on the rows themselves. */

/** `messages`: one of a chat with all that grew from it. `model`: one of the person's own, without its files. */
export type BinKind = 'chat' | 'messages' | 'persona' | 'tool' | 'note' | 'prompt' | 'server' | 'model';

export interface BinPlace {
  kind: BinKind;
  /** Of its row; of messages, the first one's. */
  id: string;
}

export interface BinEntry extends BinPlace {
  /** What a person knows it by: its title or name, or the beginning of its text. '' where that cannot be read. */
  name: string;
  /** Milliseconds since the epoch. */
  deletedAt: number;
  /** How many messages there are. Only of messages. */
  count?: number;
}

/** Milliseconds for which something stays in the bin. */
export const binMs = 30 * 24 * 60 * 60 * 1000;
