/** What is found in all chats: what the worker that looks answers, and the screen shows. */

/** A part of a text that is shown; marked where it is what was asked for. */
export interface FoundPiece {
  text: string;
  isMarked: boolean;
}

export interface SearchHit {
  /** Unique among the hits of an answer. */
  id: string;
  /** The chat to be opened. */
  chatId: string;
  /** The message to be shown in it; missing where the chat's title was found. */
  messageId?: string | undefined;
  /** What was found: in this order the hits are given, and the newest first of each. */
  place: 'title' | 'question' | 'answer' | 'rest';
  /** Milliseconds since the epoch. */
  at: number;
  title: readonly FoundPiece[];
  /** The words around what was found; none where the title was. */
  snippet: readonly FoundPiece[];
}

export interface SearchAnswer {
  hits: readonly SearchHit[];
  /** There are more than were asked for. */
  hasMore: boolean;
}

/** How far the index is. */
export interface IndexProgress {
  /** Messages that are in it, and that are to be. */
  done: number;
  total: number;
}
