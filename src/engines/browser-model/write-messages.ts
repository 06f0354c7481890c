/** PURE: messages in the browser's form: one instruction at the beginning, results as the user's words. */
import type { ImagePart, TextPart } from '../../contracts/message';
import type { PromptMessage } from '../../contracts/model';
import type { ApiMessage } from './api';

/** A message before it gets the browser's form, so that two chats can be compared. */
export interface WrittenMessage {
  role: ApiMessage['role'];
  content: string;
  /** With pictures in their places. Missing if there are none. */
  parts?: readonly (TextPart | ImagePart)[];
  /** Approximate tokens of all pictures. Missing if there are none. */
  pictureTokens?: number;
  prefix?: true;
}

export interface WrittenChat {
  before: WrittenMessage[];
  /** The question: from the user's last message on. */
  asked: WrittenMessage[];
}

export function writeChat(messages: readonly PromptMessage[]): WrittenChat {
  const written = messages.map(writeMessage);
  const start = written.findIndex(({ role }) => role !== 'system');
  const instructions = written.slice(0, start < 0 ? written.length : start);
  // Only the first message may be an instruction.
  const rest = written.slice(instructions.length).map(asWords);
  const last = rest.at(-1);
  if (last?.role === 'assistant') rest[rest.length - 1] = { ...last, prefix: true };
  const system = instructions.map(({ content }) => content).join('\n\n');
  const all: WrittenMessage[] = [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...rest,
  ];
  const asks = Math.max(
    all.findLastIndex(({ role }) => role === 'user'),
    system === '' ? 0 : 1,
  );
  return { before: all.slice(0, asks), asked: all.slice(asks) };
}

function writeMessage({ role, content, parts }: PromptMessage): WrittenMessage {
  const seen = parts?.type === 'question' && { parts: parts.content, pictureTokens: parts.pictureTokens };
  return { role: role === 'tool' ? 'user' : role, content, ...seen };
}

function asWords(message: WrittenMessage): WrittenMessage {
  return message.role === 'system' ? { ...message, role: 'user' } : message;
}

/** The messages after what a session holds. Undefined if the chat does not continue it. */
export function newIn(
  { before, asked }: WrittenChat,
  held: readonly WrittenMessage[],
): readonly WrittenMessage[] | undefined {
  const all = [...before, ...asked];
  if (held.length === 0 || held.length >= all.length) return undefined;
  const isSame = held.every((message, at) => isSameMessage(message, all[at]));
  const rest = all.slice(held.length);
  // A reply that is continued was interrupted, so its session is gone.
  return isSame && rest[0]?.role === 'user' ? rest : undefined;
}

function isSameMessage(one: WrittenMessage, other: WrittenMessage | undefined): boolean {
  if (one.role !== other?.role || one.content !== other.content) return false;
  const [shown, others] = [picturesIn(one), picturesIn(other)];
  return shown.length === others.length && shown.every((data, at) => data === others[at]);
}

function picturesIn({ parts = [] }: WrittenMessage): string[] {
  return parts.flatMap((part) => (part.type === 'image' ? [part.data] : []));
}

export function toApi(messages: readonly WrittenMessage[]): ApiMessage[] {
  return messages.map(({ role, content, parts, prefix }) => ({
    role,
    content: parts ? parts.map(toApiPart) : content,
    ...(prefix && { prefix }),
  }));
}

function toApiPart(part: TextPart | ImagePart) {
  return part.type === 'text'
    ? { type: 'text' as const, value: part.text }
    : { type: 'image' as const, value: blobOf(part) };
}

function blobOf({ data, mimeType: type }: ImagePart): Blob {
  return new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], { type });
}

/** Assumes three bytes a token and some for the message itself, which overestimates nearly every text. */
function guess({ content, pictureTokens = 0 }: WrittenMessage): number {
  return Math.ceil(new TextEncoder().encode(content).length / 3) + 4 + pictureTokens;
}

export function guessAll(messages: readonly WrittenMessage[]): number {
  return messages.reduce((sum, message) => sum + guess(message), 0);
}
