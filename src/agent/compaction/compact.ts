/**
 * Fits a chat into the model's context: in the prompt, a summary replaces the beginning of the chat. The agent loop, the screen, the store
 * and permission decisions still use the whole chat. The summary grows in rare, large steps. Between two steps the prompt only gets longer,
 * so the engine's cache stays valid.
 */
import { outsideOriginsIn } from '../../contracts/provenance';
import type { ChatModel, ContextUse, ModelEvent, ModelSpec, ReplyRequest } from '../../contracts/model';
import type { BranchSummary, Message } from '../../contracts/message';
import { textOf } from '../../contracts/message-parts';
import { untilAborted } from '../../contracts/until-aborted';
import { cutBeginning } from '../../text/cut';
import { type ModelStage, createStoppedEvent } from '../../contracts/pipeline';
import { findRequest } from '../offer-tools';
import { setPrefillReason } from '../speak-as';
import { summarizeByRule, findMissingStatements } from './rule-summary';
import { nextTask } from '../../contracts/next-task';
import { languageOf } from '../../text/language';

/** If the whole chat takes up at most this share of the context, we send it without a summary. */
const maxUnsummarizedShare = 1 / 2;

/** When rules extend a summary that the model wrote, the model's text may fill at most this share of the new summary. */
const maxEarlierSummaryShare = 0.6;

export function createCompactionStage(options: {
  spec: () => Pick<ModelSpec, 'name' | 'contextTokens' | 'maxReplyTokens'>;
  /** True if the model is too small to write summaries. Rules then write them. */
  isSmall: () => boolean;
  /** Summaries from earlier turns, oldest first. Only the last one is used. */
  before: readonly BranchSummary[];
  newNonce: () => string;
}): ModelStage {
  const { spec, isSmall, before, newNonce } = options;
  let current = before.at(-1);
  let hasMeasured = false;
  let hasFailed = false;

  const summaryOf = ({ length }: readonly Message[]) =>
    current && current.messages < length ? current : undefined;

  /** Returns what to summarize, 'drop' if the chat now fits without its summary, or undefined if the request needs no change. */
  async function plan(request: ReplyRequest, model: ChatModel) {
    const { messages } = request;
    const tools = toolsInPrompt(request);
    const summary = summaryOf(messages);
    if (!summary && isShortChat(messages, spec())) return undefined;
    if (summary && !hasMeasured) {
      hasMeasured = true;
      // The whole chat may fit again after a change of model or after the user deleted messages.
      if (fitsWithoutSummary(await model.measure(messages, tools))) return 'drop';
    }
    const use = await model.measure(messages, tools, summary);
    return use.droppedMessages === 0 ? undefined : planCompaction({ messages, tools, summary }, model);
  }

  /** Returns undefined if the user stops the turn. */
  async function* summarize(
    request: ReplyRequest,
    { messages, maxTokens }: CompactionStep,
    signal: AbortSignal,
    model: ChatModel,
  ): AsyncGenerator<ModelEvent, BranchSummary | undefined> {
    const summedUp = request.messages.slice(0, messages);
    const maxCharacters = Math.floor(maxTokens * estimateCharactersPerToken(summedUp));
    let written: string | undefined;
    if (!isSmall() && !hasFailed) {
      // If the caller stops reading this generator early, the lines below never run. The attempt then counts as failed.
      hasFailed = true;
      const asked = { ...request, summary: summaryOf(summedUp) };
      written = yield* askForSummary(model, asked, messages, maxCharacters, signal);
      hasFailed = written === undefined;
    }
    // A rule reads every message, so let the page respond first.
    await nextTask();
    if (signal.aborted) return undefined;
    return {
      messages,
      nonce: newNonce(),
      ...(written === undefined
        ? extendSummary(summedUp, summaryOf(summedUp), maxCharacters)
        : { text: addMissingStatements(written, summedUp, maxCharacters), by: 'model', model: spec().name }),
      origins: [{ door: 'summary' }, ...outsideOriginsIn(summedUp)],
    };
  }

  return {
    name: 'summary',
    measure: (rest, messages, tools, summary = summaryOf(messages)) => rest.measure(messages, tools, summary),
    async *wrapStream(request, signal, model) {
      const { messages } = request;
      // Measuring may load the model for minutes, so Stop must end the wait.
      const planned = await untilAborted(plan(request, model), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (planned === 'drop') {
        current = undefined;
        for (const { messages: length } of before) yield { type: 'summary', messages: length };
      } else if (planned) {
        yield { type: 'summing-up', messages: planned.messages };
        const made = yield* summarize(request, planned, signal, model);
        if (made) {
          current = made;
          const { messages: length, ...summary } = made;
          yield { type: 'summary', messages: length, summary };
        }
      }
      if (signal.aborted) yield createStoppedEvent();
      else {
        const summary = summaryOf(messages);
        const events = model.respond({ ...request, ...(summary && { summary }) }, signal);
        for await (const event of events)
          yield planned ? setPrefillReason(event, { code: 'summed-up' }) : event;
      }
    },
  };
}

/** Estimates from the number of characters whether a chat fits, so we rarely need to measure. */
function isShortChat(
  messages: readonly Message[],
  { contextTokens, maxReplyTokens }: Pick<ModelSpec, 'contextTokens' | 'maxReplyTokens'>,
): boolean {
  const turns = messages.filter(({ role }) => role === 'user').length;
  const length = messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
  return turns < 2 || length < (contextTokens - maxReplyTokens) / 2;
}

function fitsWithoutSummary({
  droppedMessages,
  maskedMessages = 0,
  promptTokens,
  limitTokens,
}: ContextUse): boolean {
  return droppedMessages === 0 && maskedMessages === 0 && promptTokens <= limitTokens * maxUnsummarizedShare;
}

const maxSampleCharacters = 5_000;

/** Reads only the beginning of each message. Returns a low estimate, so that a summary within the resulting character limit also stays within its token limit. */
function estimateCharactersPerToken(messages: readonly Message[]): number {
  const text = messages
    .map((message) => (message.role === 'user' ? textOf(message.content).slice(0, maxSampleCharacters) : ''))
    .join('');
  const dense = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return dense > text.length / 4 ? 1 : 3;
}

function extendSummary(
  messages: readonly Message[],
  before: BranchSummary | undefined,
  maxCharacters: number,
): Pick<BranchSummary, 'text' | 'by' | 'model'> {
  if (before?.model === undefined) return { text: summarizeByRule(messages, maxCharacters), by: 'rule' };
  const kept = cutBeginning(before.text, maxCharacters * maxEarlierSummaryShare);
  const since = summarizeByRule(messages.slice(before.messages), maxCharacters - kept.length);
  return { text: `${kept}\n\n${since}`.trim(), by: 'rule', model: before.model };
}

function addMissingStatements(written: string, messages: readonly Message[], maxCharacters: number): string {
  const text = cutBeginning(written, maxCharacters);
  const unsaid = findMissingStatements(text, messages, maxCharacters / 2);
  return unsaid === '' ? text : `${text}\n\n${unsaid}`;
}

const summaryPrompts = {
  en: (words: number) =>
    `Stop here and write notes on this conversation so far, in at most ${words} words and in its language. You will go on from these notes without seeing it again. Keep: who the person is and what they said of themselves, names, numbers, dates, places, what they want, what was decided, what is still open, and what tools found that is still needed. Leave out greetings. Write the notes only: no call, no question, nothing to the person.`,
  zh: (words: number) =>
    `请在此停下，为到目前为止的对话写一份笔记，最多 ${words} 个字，用对话的语言。之后你只能看到这份笔记，看不到原来的对话。要保留：用户是谁、说过自己的哪些事、人名、数字、日期、地点、想要什么、决定了什么、还有什么没解决，以及工具查到的、还用得着的内容。问候可以略去。只写笔记：不要调用工具，不要提问，不要对用户说话。`,
};

/**
 * Asks the model to summarize the first `messages` messages of the request. Stops the model at twice `maxCharacters`. Returns undefined if
 * the model wrote nothing or these messages do not fit its context. Passes on its `tool-offer` events. Rejects if the model crashes.
 */
async function* askForSummary(
  model: ChatModel,
  request: ReplyRequest,
  messages: number,
  maxCharacters: number,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, string | undefined> {
  const known = await chooseMessagesForSummary(model, request, messages);
  if (!known) return undefined;
  const enough = new AbortController();
  let text = '';
  let isFinished = false;
  const replies = model.respond(
    {
      messages: known,
      summary: request.summary,
      aside: {
        after: messages,
        text: writeSummaryPrompt(request.messages.slice(0, messages), maxCharacters),
      },
      tools: request.tools,
      ...(request.listed && { listed: request.listed }),
      toolChoice: 'none',
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
 * If the messages of the last request fit, returns them, because the engine has cached them. Otherwise, returns only the messages to
 * summarize. Undefined if these do not fit either.
 */
async function chooseMessagesForSummary(
  model: ChatModel,
  request: ReplyRequest,
  summedUp: number,
): Promise<readonly Message[] | undefined> {
  const { messages, summary } = request;
  const tools = toolsInPrompt(request);
  const lastTurn = messages.findLastIndex(({ role }) => role === 'user');
  const lastReply = messages.slice(0, lastTurn).findLastIndex(({ role }) => role === 'assistant');
  for (const length of [Math.max(lastReply, summedUp), summedUp]) {
    const known = messages.slice(0, length);
    if ((await model.measure(known, tools, summary)).droppedMessages === 0) return known;
  }
  return undefined;
}

/** An earlier stage may have chosen which tools the prompt lists. */
function toolsInPrompt({ tools, listed }: ReplyRequest): ReplyRequest['tools'] {
  return listed ? tools.filter(({ name }) => listed.includes(name)) : tools;
}

function writeSummaryPrompt(messages: readonly Message[], maxCharacters: number): string {
  const isChinese = languageOf(findRequest(messages)) === 'zh';
  const words = Math.max(40, Math.floor(maxCharacters / (isChinese ? 1.5 : 7) / 10) * 10);
  return summaryPrompts[isChinese ? 'zh' : 'en'](words);
}

/** After a new summary, the summary and the newest turns may fill at most this share of the room for messages. */
const maxShareAfterCompaction = 1 / 2;
const maxSummaryShare = 1 / 6;
const maxSummaryTokens = 1000;

interface CompactionStep {
  messages: number;
  maxTokens: number;
}

/** Undefined if everything except the last turn is already summarized. */
export async function planCompaction(
  { messages, tools, summary }: Pick<ReplyRequest, 'messages' | 'tools' | 'summary'>,
  model: ChatModel,
): Promise<CompactionStep | undefined> {
  const before = summary?.messages ?? 0;
  const starts = messages.flatMap(({ role }, at) => (role === 'user' && at > before ? [at] : []));
  const last = starts.at(-1);
  if (last === undefined) return undefined;
  const { promptTokens: fixed, limitTokens } = await model.measure([], tools);
  const room = Math.max(0, limitTokens - fixed);
  const maxTokens = Math.min(maxSummaryTokens, Math.floor(room * maxSummaryShare));
  const most = fixed + room * maxShareAfterCompaction - maxTokens;

  const fits = async (from: number) => {
    const standIn = { text: '', by: 'rule' as const, nonce: '', messages: from, origins: [] };
    const use = await model.measure(messages, tools, standIn);
    return use.droppedMessages === 0 && !use.maskedMessages && use.promptTokens <= most;
  };
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await fits(starts[middle] ?? last)) high = middle;
    else low = middle + 1;
  }
  return { messages: starts[low] ?? last, maxTokens };
}
