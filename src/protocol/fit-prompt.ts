/** Fits a chat into a prompt: drops old results first, then old turns, which a summary may replace. */
import type { BranchSummary, Message, ToolResult } from '../contracts/message';
import type { ContextUse, ModelSpec, PromptMessage, ReplyRequest } from '../contracts/model';
import { nextTask } from '../contracts/next-task';
import type { ToolSpec } from '../contracts/tool';
import { neutraliseTokens } from '../text/neutralise';
import type { Dialect } from './format';
import {
  buildPrompt,
  maskOldPictures,
  type FindPicture,
  type Prompt,
  writeDay,
  writeSummary,
} from './prompt';
import { findOpenThought } from './reader-marks';
import { textOf, resultHandleAt, startOfLastTurns } from '../contracts/message-parts';
import { readResultToolName } from '../contracts/tool-names';

interface FitterOptions {
  spec: ModelSpec;
  dialect: Dialect;
  header: string;
  count: (messages: readonly PromptMessage[]) => Promise<number[]>;
}

interface FitRequest extends Pick<ReplyRequest, 'messages' | 'summary' | 'aside' | 'day'> {
  listed: readonly ToolSpec[];
  tools: readonly ToolSpec[];
  pictureOf: FindPicture | undefined;
}

interface FittedPrompt {
  prompt: PromptMessage[];
  context: ContextUse;
  fits: boolean;
  /** Token count of everything before the chat, plus the reply's header. */
  fixedTokens: number;
}

export function createPromptFitter({ spec, dialect, header, count }: FitterOptions) {
  const limitTokens = spec.contextTokens - spec.maxReplyTokens;

  const bare = ({ message, prompt }: Prompt['chat'][number]) => ({
    message,
    prompt: closeOpenThought(message, prompt, header),
  });

  async function countChat(chat: readonly { prompt: PromptMessage | undefined }[]): Promise<number[]> {
    const counts = await count(chat.flatMap(({ prompt }) => (prompt ? [prompt] : [])));
    let at = 0;
    return chat.map(({ prompt }) => (prompt ? (counts[at++] ?? 0) : 0));
  }

  function writeNotes(summary: BranchSummary, names: readonly string[]): PromptMessage[] {
    const [notes, { parts, ...answer }] = writeSummary(summary, names);
    const said = { ...answer, content: writeThoughtEnd(header) + answer.content };
    return [notes, dialect.isNative && parts ? { ...said, parts } : said];
  }

  return async function fitPrompt(request: FitRequest): Promise<FittedPrompt> {
    const { messages, summary, aside, listed, tools, pictureOf, day } = request;
    const known = messages.map((message) => dropForeignRawText(message, spec.id));
    // A very small model was not trained on the line with the day.
    const isDated = spec.isSmall !== true;
    const teaching = readsSlowly(spec) ? { ...spec.teaching, isShort: true } : spec.teaching;
    const options = {
      teaching,
      pictureOf,
      isDated,
      // Servers expect calls and results as data. A very small model was trained on its own form.
      foldsResults: dialect.isNative !== true && spec.isSmall !== true,
      names: tools.map(({ name }) => name),
    };
    const pause = () => (hasLongText(messages) ? nextTask() : undefined);
    await pause();
    const { system: undated, chat: whole } = buildPrompt(known, listed, dialect, options);
    /** Adds the day of the first question in `chat`. Days differ by a token at most, so we count only one. */
    const dated = (chat: Prompt['chat']) =>
      isDated ? addToSystem(undated, writeDay(firstDayIn(chat) ?? day)) : undated;
    const start = summary?.messages ?? 0;
    const chat = whole.slice(start).map(bare);
    const notes = summary && summary.text !== '' ? writeNotes(summary, options.names) : [];
    const nativeTools: PromptMessage[] = [];
    if (dialect.isNative && listed.length > 0)
      nativeTools.push({ role: 'system', content: JSON.stringify(listed) });
    const fixed = sumTokens(await count([...dated(whole), ...nativeTools, replyHeader]));
    const noted = sumTokens(await count(notes));
    const room = limitTokens - fixed - noted;
    await pause();
    const tokens = await countChat(chat);
    // Small models were not trained on masked results, so drop whole turns instead.
    const canMask = !spec.isSmall && sumTokens(tokens) > room;
    const masking = (all: readonly Message[]) => {
      const results = maskOldResults(all, listed.length > 0);
      return pictureOf ? maskOldPictures(results) : results;
    };
    await pause();
    // Also mask the summarized part, because result handles are numbered from the chat's first result.
    const masked = canMask
      ? buildPrompt(masking(known), listed, dialect, options).chat.slice(start).map(bare)
      : chat;
    const maskedTokens = canMask ? await countChat(masked) : tokens;
    const weighed = chat.map(({ message }, at) => ({
      beginsTurn: message.role === 'user',
      isReply: message.role === 'assistant',
      tokens: tokens[at] ?? 0,
      maskedTokens: maskedTokens[at] ?? 0,
    }));
    const trimmed = trimContext(weighed, room);
    // Drop the summary rather than reject a long message.
    if (!trimmed.fits && notes.length > 0 && summary) {
      const without = await fitPrompt({ ...request, summary: { ...summary, text: '' } });
      const { summedUpMessages = 0, ...context } = without.context;
      const droppedMessages = context.droppedMessages + summedUpMessages;
      return { ...without, context: { ...context, droppedMessages } };
    }
    const { dropped, fits } = trimmed;
    const context: ContextUse = {
      promptTokens: fixed + noted + trimmed.tokens,
      limitTokens,
      droppedMessages: room > 0 ? dropped : 0,
      ...(start > 0 && { summedUpMessages: start }),
      ...(trimmed.masked > 0 && { maskedMessages: start + trimmed.masked }),
    };
    const kept = chat
      .map((one, at) => (at < trimmed.masked ? (masked[at] ?? one) : one))
      .slice(dropped, aside && aside.after - start);
    const chatPrompts = kept.flatMap(({ prompt }) => (prompt ? [prompt] : []));
    const before = [...dated(kept), ...notes, ...joinReplies(chatPrompts)];
    const fitted = { prompt: before, context, fits, fixedTokens: fixed };
    if (!aside) return fitted;
    const prompt = [...before, { role: 'user' as const, content: neutraliseTokens(aside.text) }];
    const promptTokens = sumTokens(await count([...prompt, ...nativeTools, replyHeader]));
    return { ...fitted, prompt, context: { ...context, promptTokens }, fits: promptTokens <= limitTokens };
  };
}

/** A model on the processor reads some ten tokens a second, so each token of its list of tools counts. */
function readsSlowly({ hardware, isSmall }: ModelSpec): boolean {
  return hardware !== undefined && !hardware.isOnGpu && isSmall !== true;
}

/** A text of this length takes so long to read that the page must be able to respond in between. */
const minLongCharacters = 200_000;

function hasLongText(messages: readonly Message[]): boolean {
  return messages.some(
    (message) => message.role === 'user' && textOf(message.content).length > minLongCharacters,
  );
}

/** Some templates start each reply with `<think>`. If we write a reply without its raw text, closes that thought at once. */
function closeOpenThought(message: Message, prompt: PromptMessage | undefined, header: string) {
  const isOwn = message.role === 'assistant' && message.raw !== undefined;
  if (prompt?.role !== 'assistant' || isOwn) return prompt;
  return { ...prompt, content: writeThoughtEnd(header) + prompt.content };
}

/** Drops the raw text of another model's reply. We then write the reply again in our model's format. */
function dropForeignRawText(message: Message, modelId: string): Message {
  if (message.role !== 'assistant' || (message.writer ?? modelId) === modelId) return message;
  return { ...message, raw: undefined };
}

const replyHeader: PromptMessage = { role: 'assistant', content: '' };

function sumTokens(counts: readonly number[]): number {
  return counts.reduce((total, tokens) => total + tokens, 0);
}

/** Returns the text that closes a thought which `before` leaves open, or '' if none is open. */
export function writeThoughtEnd(before: string): string {
  const thought = findOpenThought(before);
  return thought ? `${thought.close}\n\n` : '';
}

export interface MessageSize {
  /** Whether this is a user message. It begins a turn, which we keep or drop as a whole, so no call loses its results. */
  beginsTurn: boolean;
  isReply: boolean;
  tokens: number;
  maskedTokens: number;
}

/** If masking results frees less than this share of the room, also drop turns. Otherwise we would soon trim again. */
const minMaskedShare = 1 / 4;
const minDroppedShare = 1 / 2;
const minUnmaskedTurns = 2;

/**
 * Fits a chat into `room` tokens: masks old results, then drops whole old turns, but never the last one. Frees a large share each time, to
 * keep the engine's prompt cache valid for many turns. `masked`: index of the first message with unmasked results.
 */
export function trimContext(messages: readonly MessageSize[], room: number) {
  const starts: number[] = [];
  let [dropped, masked, tokens] = [0, 0, 0];
  const tokensOf = (from: number, to: number) =>
    messages
      .slice(from, to)
      .reduce((sum, one, at) => sum + (from + at < masked ? one.maskedTokens : one.tokens), 0);

  function makeRoom(): void {
    const before = tokens;
    const border = starts.at(-minUnmaskedTurns) ?? masked;
    if (border > masked) {
      const from = Math.max(masked, dropped);
      const [whole, earlier] = [tokensOf(from, border), masked];
      masked = border;
      const freed = whole - tokensOf(from, border);
      tokens -= freed;
      if (freed === 0) masked = earlier;
    }
    if (tokens <= room && before - tokens >= room * minMaskedShare) return;
    while (starts.length > 1 && (tokens > room || before - tokens < room * minDroppedShare)) {
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

/** Returns the day of the first question that has one. */
function firstDayIn(chat: Prompt['chat']): string | undefined {
  return chat.flatMap(({ message }) => (message.role === 'user' ? (message.day ?? []) : []))[0];
}

/** Adds a line after the tools, so that the engine keeps what it has read of them. */
function addToSystem(system: readonly PromptMessage[], line: string | undefined): readonly PromptMessage[] {
  if (line === undefined) return system;
  const [first] = system;
  return [{ role: 'system', content: first ? `${first.content}\n\n${line}` : line }];
}

/**
 * Replaces each old result with one line, which says how to read it again if `canReadAgain`. Keeps errors and tool descriptions.
 */
export function maskOldResults(messages: readonly Message[], canReadAgain = true): Message[] {
  const border = startOfLastTurns(messages);
  let position = 0;
  return messages.map((message, index) => {
    if (message.role !== 'tool') return message;
    const results = message.results.map((result) => {
      const handle = resultHandleAt(position++);
      return index < border
        ? maskResult(result, canReadAgain ? (result.whole?.handle ?? handle) : undefined)
        : result;
    });
    return { ...message, results };
  });
}

function maskResult(result: ToolResult, handle: string | undefined): ToolResult {
  const { isError, foundTools, content, whole, toolName } = result;
  const { length } = textOf(content);
  const size = `${whole?.toolName ?? toolName}, ${whole?.characters ?? length} characters`;
  const again =
    handle === undefined
      ? ''
      : ` To read it again call ${readResultToolName} with its handle ${handle} and a query.`;
  const line = `[An earlier result of ${size}, is left out here.${again}]`;
  if (isError || foundTools || length <= 2 * line.length) return result;
  return { ...result, content: [{ type: 'text', text: line }] };
}

/** Joins a partial reply with its continuation. */
function joinReplies(messages: readonly PromptMessage[]): PromptMessage[] {
  const joined: PromptMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const isSameReply = last?.role === 'assistant' && message.role === 'assistant';
    if (isSameReply) joined[joined.length - 1] = joinReplyPair(last, message);
    else joined.push(message);
  }
  return joined;
}

function joinReplyPair(one: PromptMessage, other: PromptMessage): PromptMessage {
  const joined = { ...one, content: one.content + other.content };
  if (one.parts?.type !== 'reply' || other.parts?.type !== 'reply') return joined;
  const calls = [...one.parts.calls, ...other.parts.calls];
  return { ...joined, parts: { type: 'reply', text: one.parts.text + other.parts.text, calls } };
}
