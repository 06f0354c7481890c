/**
 * Leaves out the oldest turns of a chat that has outgrown the context of its model.
 *
 * Stateless, and the same beginning for many turns: old turns go in steps of half the room, so that an engine's
 * cache of the prompt holds until the next step.
 */

/** One message of the chat, as the model would be given it. */
export interface Weighed {
  /** A user's message begins a turn; a turn is kept or dropped whole, so that no call loses its results. */
  beginsTurn: boolean;
  tokens: number;
}

export interface Trimmed {
  /** Messages to leave out, from the oldest. */
  dropped: number;
  /** Tokens of the messages that are left. */
  tokens: number;
  /** False when the last turn alone is too long. */
  fits: boolean;
}

/** `room` is what the messages may take, in tokens. The last turn is never dropped. */
export function trimContext(messages: readonly Weighed[], room: number): Trimmed {
  const turns = turnsOf(messages);
  const total = messages.reduce((sum, { tokens }) => sum + tokens, 0);
  const step = Math.max(1, Math.floor(room / 2));
  const last = turns.at(-1) ?? { index: 0, tokensBefore: 0 };

  // A turn goes when it begins before a multiple of the step: which multiple depends on the whole, but for a while not on its growth.
  const mustGo = total - room;
  for (let threshold = 0; ; threshold += step) {
    const first = turns.find(({ tokensBefore }) => tokensBefore >= threshold) ?? last;
    if (first.tokensBefore >= mustGo || first === last) {
      const tokens = total - first.tokensBefore;
      return { dropped: first.index, tokens, fits: tokens <= room };
    }
  }
}

function turnsOf(messages: readonly Weighed[]): { index: number; tokensBefore: number }[] {
  const turns: { index: number; tokensBefore: number }[] = [];
  let tokensBefore = 0;
  for (const [index, { beginsTurn, tokens }] of messages.entries()) {
    if (beginsTurn || index === 0) turns.push({ index, tokensBefore });
    tokensBefore += tokens;
  }
  return turns;
}
