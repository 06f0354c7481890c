/** Has a model sum up the beginning of its own chat. The chat stands before the request as it did in the last prompt: only the request is new. */
import type { Message } from '../../contracts/message';
import type { ChatModel, ModelEvent, ReplyRequest } from '../../contracts/model';
import { textOf } from '../../contracts/text-of';
import { languageOf } from '../../text/language';

interface Asked {
  /** The chat's own, which waits: what is summed up is the beginning of its messages. */
  request: Pick<ReplyRequest, 'messages' | 'summary' | 'tools'>;
  messages: number;
  /** Of the summary, in characters; what is much longer is ended. */
  maxCharacters: number;
}

const requests = {
  en: (words: number) =>
    `Stop here and write notes on this conversation so far, in at most ${words} words and in its language. You will go on from these notes without seeing it again. Keep: who the person is and what they said of themselves, names, numbers, dates, places, what they want, what was decided, what is still open, and what tools found that is still needed. Leave out greetings. Write the notes only: no call, no question, nothing to the person.`,
  zh: (words: number) =>
    `请在此停下，为到目前为止的对话写一份笔记，最多 ${words} 个字，用对话的语言。之后你只能看到这份笔记，看不到原来的对话。要保留：用户是谁、说过自己的哪些事、人名、数字、日期、地点、想要什么、决定了什么、还有什么没解决，以及工具查到的、还用得着的内容。问候可以略去。只写笔记：不要调用工具，不要提问，不要对用户说话。`,
};

/**
 * Resolves to the text; undefined where it wrote none, or cannot read what is to be summed up. Yields what the prompt is told of. Rejects
 * where what the model runs on is lost.
 */
export async function* askForSummary(
  model: ChatModel,
  { request, messages, maxCharacters }: Asked,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, string | undefined> {
  const known = await messagesBefore(model, request, messages);
  if (!known) return undefined;
  const enough = new AbortController();
  let text = '';
  let isFinished = false;
  const replies = model.respond(
    {
      ...{ messages: known, summary: request.summary },
      aside: { after: messages, text: requestFor(request.messages.slice(0, messages), maxCharacters) },
      ...{ tools: request.tools, toolChoice: 'none' },
    },
    AbortSignal.any([signal, enough.signal]),
  );
  for await (const event of replies) {
    if (event.type === 'tool-offer') yield event;
    if (event.type === 'text-delta') text += event.text;
    if (text.length > 2 * maxCharacters) enough.abort();
    if (event.type === 'finish') isFinished = event.message.finishReason !== 'error';
  }
  return isFinished && /[\p{L}\p{N}]/u.test(text) ? text.trim() : undefined;
}

/**
 * The chat as it was when it was last asked with: an engine still has it as it stood then, with what was masked in it. Where it does not
 * fit so, what is to be summed up alone; undefined where not even that does: what is left out would be missing in the summary, unseen.
 */
async function messagesBefore(
  model: ChatModel,
  { messages, summary, tools }: Asked['request'],
  summedUp: number,
): Promise<readonly Message[] | undefined> {
  const lastTurn = messages.findLastIndex(({ role }) => role === 'user');
  const lastReply = messages.slice(0, lastTurn).findLastIndex(({ role }) => role === 'assistant');
  for (const length of [Math.max(lastReply, summedUp), summedUp]) {
    const known = messages.slice(0, length);
    if ((await model.measure(known, tools, summary)).droppedMessages === 0) return known;
  }
  return undefined;
}

function requestFor(messages: readonly Message[], maxCharacters: number): string {
  const newest = messages.findLast(({ role }) => role === 'user');
  const language = newest?.role === 'user' ? languageOf(textOf(newest.content)) : undefined;
  const isChinese = language === 'zh';
  const words = Math.max(40, Math.floor(maxCharacters / (isChinese ? 1.5 : 7) / 10) * 10);
  return requests[isChinese ? 'zh' : 'en'](words);
}
