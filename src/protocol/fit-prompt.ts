/** As much of a chat as its model has room for, as a prompt: old results go first, then old turns, unless a summary stands for them. */
import type { Message, ToolResult } from '../contracts/message';
import type { ContextUse, ModelSpec, PromptMessage, ReplyRequest } from '../contracts/model';
import type { BranchSummary } from '../contracts/summary';
import type { ToolSpec } from '../contracts/tool';
import { neutraliseTokens } from '../text/neutralise';
import type { Dialect, PromptLanguage } from './format';
import { buildPrompt, maskOldPictures, type PictureOf, type Prompt, writeSummary } from './prompt';
import { openThoughtIn } from './reader-marks';
import { textOf } from '../contracts/text-of';
import { handleAt, readResultName, startOfLastTurns } from '../contracts/whole-result';

interface FitterOptions {
  spec: ModelSpec;
  dialect: Dialect;
  language: PromptLanguage;
  /** What stands before a reply. */
  header: string;
  /** Tokens of each message in its template. */
  count: (messages: readonly PromptMessage[]) => Promise<number[]>;
}

interface Asked extends Pick<ReplyRequest, 'messages' | 'summary' | 'aside'> {
  /** Tools of the system text. */
  listed: readonly ToolSpec[];
  /** All that can be called. */
  tools: readonly ToolSpec[];
  /** Missing for a model that sees no pictures. */
  pictureOf: PictureOf | undefined;
}

interface FittedPrompt {
  prompt: PromptMessage[];
  context: ContextUse;
  /** False where the last turn alone is too long. */
  fits: boolean;
  /** Of what stands before the chat, and of the header of the reply. */
  fixedTokens: number;
}

export function createPromptFitter({ spec, dialect, language, header, count }: FitterOptions) {
  const limitTokens = spec.contextTokens - spec.maxReplyTokens;

  const bare = ({ message, prompt }: Prompt['chat'][number]) => ({
    message,
    prompt: withoutThought(message, prompt, header),
  });

  /** Tokens of each message; 0 for one that the model need not see. */
  async function countChat(chat: readonly { prompt: PromptMessage | undefined }[]): Promise<number[]> {
    const counts = await count(chat.flatMap(({ prompt }) => (prompt ? [prompt] : [])));
    let at = 0;
    return chat.map(({ prompt }) => (prompt ? (counts[at++] ?? 0) : 0));
  }

  function writeNotes(summary: BranchSummary, names: readonly string[]): PromptMessage[] {
    const [notes, { parts, ...answer }] = writeSummary(summary, names, language);
    const said = { ...answer, content: closingOf(header) + answer.content };
    return [notes, dialect.isNative && parts ? { ...said, parts } : said];
  }

  return async function fitPrompt(asked: Asked): Promise<FittedPrompt> {
    const { messages, summary, aside, listed, tools, pictureOf } = asked;
    const known = messages.map((message) => withoutOthersWords(message, spec.id));
    const options = { teaching: spec.teaching, pictureOf, names: tools.map(({ name }) => name) };
    const written = buildPrompt(known, listed, dialect, language, options);
    const { system } = written;
    const start = summary?.messages ?? 0;
    const chat = written.chat.slice(start).map(bare);
    const notes = summary && summary.text !== '' ? writeNotes(summary, options.names) : [];
    const handed = dialect.isNative && listed.length > 0 ? [asMessage(listed)] : [];
    const fixed = total(await count([...system, ...handed, replyHeader]));
    const noted = total(await count(notes));
    const room = limitTokens - fixed - noted;
    const tokens = await countChat(chat);
    // A small model was not trained on what stands in the place of a masked result: its old turns go whole.
    const canMask = !spec.isSmall && total(tokens) > room;
    const masking = (all: readonly Message[]) => {
      const results = maskOldResults(all, language);
      return pictureOf ? maskOldPictures(results, language) : results;
    };
    // All of the chat, whatever stands for its beginning: a handle counts results from the first one on.
    const masked = canMask
      ? buildPrompt(masking(known), listed, dialect, language, options).chat.slice(start).map(bare)
      : chat;
    const maskedTokens = canMask ? await countChat(masked) : tokens;
    const weighed = chat.map(({ message }, at) => ({
      beginsTurn: message.role === 'user',
      isReply: message.role === 'assistant',
      tokens: tokens[at] ?? 0,
      maskedTokens: maskedTokens[at] ?? 0,
    }));
    const trimmed = trimContext(weighed, room);
    // Rather than refuse a long message for the sake of what was said before it.
    if (!trimmed.fits && notes.length > 0 && summary) {
      const bared = { ...summary, text: '' };
      const without = await fitPrompt({ ...asked, summary: bared });
      const { summedUpMessages = 0, ...context } = without.context;
      const droppedMessages = context.droppedMessages + summedUpMessages;
      return { ...without, context: { ...context, droppedMessages } };
    }
    const { dropped, fits } = trimmed;
    const context: ContextUse = {
      promptTokens: fixed + noted + trimmed.tokens,
      limitTokens,
      // Where the tools alone take all of the room, no message is to blame.
      droppedMessages: room > 0 ? dropped : 0,
      ...(start > 0 && { summedUpMessages: start }),
      ...(trimmed.masked > 0 && { maskedMessages: start + trimmed.masked }),
    };
    const kept = chat
      .map((one, at) => (at < trimmed.masked ? (masked[at] ?? one) : one))
      .slice(dropped, aside && aside.after - start)
      .flatMap(({ prompt }) => (prompt ? [prompt] : []));
    const before = [...system, ...notes, ...joinReplies(kept)];
    if (!aside) return { prompt: before, context, fits, fixedTokens: fixed };
    const prompt = [...before, { role: 'user' as const, content: neutraliseTokens(aside.text) }];
    const promptTokens = total(await count([...prompt, ...handed, replyHeader]));
    return {
      prompt,
      context: { ...context, promptTokens },
      fixedTokens: fixed,
      fits: promptTokens <= limitTokens,
    };
  };
}

/** A reply whose own words were not kept has no thought: where the header opens one, it is closed at once. */
function withoutThought(message: Message, prompt: PromptMessage | undefined, header: string) {
  const isOwn = message.role === 'assistant' && message.raw !== undefined;
  if (prompt?.role !== 'assistant' || isOwn) return prompt;
  return { ...prompt, content: closingOf(header) + prompt.content };
}

/** Another model may have been trained on other calls: what it wrote is written anew, from what was read in it. */
function withoutOthersWords(message: Message, modelId: string): Message {
  if (message.role !== 'assistant' || message.writer === undefined || message.writer === modelId) {
    return message;
  }
  return { ...message, raw: undefined };
}

/** Tools that the engine is handed take room too. */
function asMessage(tools: readonly ToolSpec[]): PromptMessage {
  return { role: 'system', content: JSON.stringify(tools) };
}

/** The header of a reply costs tokens too. */
const replyHeader: PromptMessage = { role: 'assistant', content: '' };

function total(counts: readonly number[]): number {
  return counts.reduce((total, tokens) => total + tokens, 0);
}

/** Ends the thought that `before` leaves open. */
export function closingOf(before: string): string {
  const thought = openThoughtIn(before);
  return thought ? `${thought.close}\n\n` : '';
}

//# Leaves out the oldest of a chat that has outgrown the context of its model: first what old results say, then whole old turns.
//# Stateless, and the same beginning for many turns: the chat is gone through as it grew, and whenever it no longer fitted, so much
//# went at once that an engine's cache of the prompt holds until the next step.

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

interface Trimmed {
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

//# PURE: results of old turns as one line each, which says what they were and how to read them again.

const lines: Record<PromptLanguage, (tool: string, characters: number, handle: string) => string> = {
  en: (tool, characters, handle) =>
    `[An earlier result of ${tool}, ${characters} characters, is left out here. To read it again call ${readResultName} with its handle ${handle} and a query.]`,
  zh: (tool, characters, handle) =>
    `[${tool} 之前的结果（${characters} 个字符）在此省略。要再次阅读，请调用 ${readResultName}，给出它的 handle ${handle} 和 query。]`,
};

/** With the results of all turns but the last two masked. Failures and descriptions of tools stay: they are short, or still needed. */
export function maskOldResults(messages: readonly Message[], language: PromptLanguage): Message[] {
  const border = startOfLastTurns(messages);
  let position = 0;
  return messages.map((message, index) => {
    if (message.role !== 'tool') return message;
    const results = message.results.map((result) => {
      const handle = handleAt(position++);
      return index < border ? mask(result, result.whole?.handle ?? handle, language) : result;
    });
    return { ...message, results };
  });
}

function mask(result: ToolResult, handle: string, language: PromptLanguage): ToolResult {
  const { isError, foundTools, content, whole, toolName } = result;
  const { length } = textOf(content);
  const line = lines[language](whole?.toolName ?? toolName, whole?.characters ?? length, handle);
  if (isError || foundTools || length <= 2 * line.length) return result;
  return { ...result, content: [{ type: 'text', text: line }] };
}

//# PURE: replies that follow one another become one.

/** A reply that was broken off and went on is one reply. Where it is the last, the engine goes on with it. */
function joinReplies(messages: readonly PromptMessage[]): PromptMessage[] {
  const joined: PromptMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const isSameReply = last?.role === 'assistant' && message.role === 'assistant';
    if (isSameReply) joined[joined.length - 1] = joinTwo(last, message);
    else joined.push(message);
  }
  return joined;
}

function joinTwo(one: PromptMessage, other: PromptMessage): PromptMessage {
  const joined = { ...one, content: one.content + other.content };
  if (one.parts?.type !== 'reply' || other.parts?.type !== 'reply') return joined;
  const parts = {
    type: 'reply' as const,
    text: one.parts.text + other.parts.text,
    calls: [...one.parts.calls, ...other.parts.calls],
  };
  return { ...joined, parts };
}
