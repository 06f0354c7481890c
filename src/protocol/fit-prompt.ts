/** As much of a chat as its model has room for, as a prompt: old results go first, then old turns, unless a summary stands for them. */
import type { BranchSummary, Message } from '../contracts/message';
import type { ContextUse, ModelSpec, PromptMessage, ReplyRequest } from '../contracts/model';
import type { ToolSpec } from '../contracts/tool';
import { neutraliseTokens } from '../text/neutralise';
import type { Dialect, PromptLanguage } from './format';
import { joinReplies } from './join-replies';
import { maskOldResults } from './mask-results';
import { buildPrompt, type Prompt } from './prompt';
import { openThoughtIn } from './reader-marks';
import { trimContext } from './trim-context';
import { maskOldPictures, type PictureOf } from './write-pictures';
import { writeSummary } from './write-summary';

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
    const fixed = sum(await count([...system, ...handed, replyHeader]));
    const noted = sum(await count(notes));
    const room = limitTokens - fixed - noted;
    const tokens = await countChat(chat);
    // A small model was not trained on what stands in the place of a masked result: its old turns go whole.
    const canMask = !spec.isSmall && sum(tokens) > room;
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
    const promptTokens = sum(await count([...prompt, ...handed, replyHeader]));
    return {
      ...{ prompt, context: { ...context, promptTokens }, fixedTokens: fixed },
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

function sum(counts: readonly number[]): number {
  return counts.reduce((total, tokens) => total + tokens, 0);
}

/** Ends the thought that `before` leaves open. */
export function closingOf(before: string): string {
  const thought = openThoughtIn(before);
  return thought ? `${thought.close}\n\n` : '';
}
