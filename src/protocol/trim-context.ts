/**
 * Leaves out the oldest of a chat that has outgrown the context of its model: first what old results say, then whole old turns.
 *
 * Stateless, and the same beginning for many turns: the chat is gone through as it grew, and whenever it no longer fitted, so much
 * went at once that an engine's cache of the prompt holds until the next step.
 */

/** One message of the chat, as the model would be given it. */
export interface Weighed {
  /** A user's message begins a turn; a turn is kept or dropped whole, so that no call loses its results. */
  beginsTurn: boolean;
  /** Written by the model: it was asked with all that stands before. */
  isReply: boolean;
  tokens: number;
  /** Once its results are masked; as `tokens` where it has none. */
  maskedTokens: number;
}

export interface Trimmed {
  /** Messages to leave out, from the oldest. */
  dropped: number;
  /** Results of messages before this one are masked. */
  masked: number;
  /** Tokens of what is left. */
  tokens: number;
  /** False when the last turn alone is too long. */
  fits: boolean;
}

/** Of the room, what a step that only masks must free at least: with less the next one would follow at once. */
const leastMasked = 1 / 4;
/** Of the room, what a step that drops turns frees at least. */
const leastDropped = 1 / 2;
/** Turns whose results stay, the one that runs among them. */
const unmaskedTurns = 2;

/** `room` is what the messages may take, in tokens. The last turn is never dropped. */
export function trimContext(messages: readonly Weighed[], room: number): Trimmed {
  /** First messages of the turns so far that are kept. */
  const starts: number[] = [];
  let [dropped, masked, tokens] = [0, 0, 0];
  const tokensOf = (from: number, to: number) =>
    messages
      .slice(from, to)
      .reduce((sum, one, at) => sum + (from + at < masked ? one.maskedTokens : one.tokens), 0);

  function makeRoom(): void {
    const before = tokens;
    const border = starts.at(-unmaskedTurns) ?? masked;
    if (border > masked) {
      const from = Math.max(masked, dropped);
      const [whole, earlier] = [tokensOf(from, border), masked];
      masked = border;
      const freed = whole - tokensOf(from, border);
      tokens -= freed;
      if (freed === 0) masked = earlier;
    }
    if (tokens <= room && before - tokens >= room * leastMasked) return;
    while (starts.length > 1 && (tokens > room || before - tokens < room * leastDropped)) {
      starts.shift();
      const next = starts[0] ?? dropped;
      tokens -= tokensOf(dropped, next);
      dropped = next;
    }
  }

  for (const [index, message] of messages.entries()) {
    if (message.beginsTurn || index === 0) starts.push(index);
    tokens += message.tokens;
    const next = messages[index + 1];
    const wasAsked = next === undefined || next.isReply;
    if (wasAsked && tokens > room) makeRoom();
  }
  return { dropped, masked, tokens, fits: tokens <= room };
}
