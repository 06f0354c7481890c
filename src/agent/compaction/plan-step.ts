/** How much of a chat the next summary stands for: so much at once that the prompt only grows for a long while after. */
import type { ChatModel, ReplyRequest } from '../../contracts/model';

/** Of the room beside system text and tools, what the newest turns and the summary may take after a step. */
const keptShare = 1 / 2;
/** Of the same room, what the summary may take. */
const summaryShare = 1 / 6;
/** What is longer is no summary, whatever room there is. */
const longestSummary = 1000;

export interface CompactionStep {
  /** How many of the oldest messages are to be summed up. */
  messages: number;
  /** For the summary. */
  maxTokens: number;
}

type Situation = Pick<ReplyRequest, 'messages' | 'tools' | 'summary'> & { measure: ChatModel['measure'] };

/** Undefined where nothing is left to be summed up: all but the last turn already is. */
export async function planStep({
  messages,
  tools,
  summary,
  measure,
}: Situation): Promise<CompactionStep | undefined> {
  const before = summary?.messages ?? 0;
  const starts = messages.flatMap(({ role }, at) => (role === 'user' && at > before ? [at] : []));
  const last = starts.at(-1);
  if (last === undefined) return undefined;
  const { promptTokens: fixed, limitTokens } = await measure([], tools);
  const room = Math.max(0, limitTokens - fixed);
  const maxTokens = Math.min(longestSummary, Math.floor(room * summaryShare));
  const most = fixed + room * keptShare - maxTokens;

  const fits = async (from: number) => {
    const standIn = { text: '', by: 'rule' as const, nonce: '', messages: from };
    const use = await measure(messages, tools, standIn);
    return use.droppedMessages === 0 && !use.maskedMessages && use.promptTokens <= most;
  };
  // The later a turn is the first that stays, the less there is: the earliest with which it fits.
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await fits(starts[middle] ?? last)) high = middle;
    else low = middle + 1;
  }
  return { messages: starts[low] ?? last, maxTokens };
}
