/** A piece of displayed text. Marked pieces match the query. */
export interface DisplayPiece {
  text: string;
  isMarked: boolean;
}

export interface SearchHit {
  id: string;
  chatId: string;
  /** The message to scroll to. Absent if the title matched. */
  messageId?: string | undefined;
  /** Where the match is. Search sorts hits in this order, then newest first. */
  place: 'title' | 'question' | 'answer' | 'rest';
  at: number;
  title: readonly DisplayPiece[];
  snippet: readonly DisplayPiece[];
}

export interface SearchAnswer {
  hits: readonly SearchHit[];
  hasMore: boolean;
}

export interface IndexProgress {
  done: number;
  total: number;
}
