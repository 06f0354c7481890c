/** PURE: messages as the browser takes them: one instruction at the beginning, results as words of the person. */
import type { PromptMessage } from '../../contracts/model';
import type { ApiMessage } from './api';

export interface WrittenChat {
  /** What the model is to know before it is asked. */
  before: ApiMessage[];
  /** What it is asked: from the last message of the person on. */
  asked: ApiMessage[];
}

export function writeChat(messages: readonly PromptMessage[]): WrittenChat {
  const written = messages.map(writeMessage);
  const start = written.findIndex(({ role }) => role !== 'system');
  const instructions = written.slice(0, start < 0 ? written.length : start);
  // Only the first may be an instruction.
  const rest = written.slice(instructions.length).map(asWords);
  const last = rest.at(-1);
  if (last?.role === 'assistant') rest[rest.length - 1] = { ...last, prefix: true };
  const system = instructions.map(({ content }) => content).join('\n\n');
  const all: ApiMessage[] = [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...rest,
  ];
  const asks = Math.max(
    all.findLastIndex(({ role }) => role === 'user'),
    system === '' ? 0 : 1,
  );
  return { before: all.slice(0, asks), asked: all.slice(asks) };
}

function writeMessage({ role, content }: PromptMessage): ApiMessage {
  return { role: role === 'tool' ? 'user' : role, content };
}

function asWords({ role, content }: ApiMessage): ApiMessage {
  return { role: role === 'system' ? 'user' : role, content };
}

/** Undefined where the chat does not go on from what a session holds. */
export function newIn(
  { before, asked }: WrittenChat,
  held: readonly ApiMessage[],
): readonly ApiMessage[] | undefined {
  const all = [...before, ...asked];
  if (held.length === 0 || held.length >= all.length) return undefined;
  const isSame = held.every(({ role, content }, at) => all[at]?.role === role && all[at].content === content);
  const rest = all.slice(held.length);
  // A reply that is gone on with was broken off: the session that wrote it is none any more.
  return isSame && rest[0]?.role === 'user' ? rest : undefined;
}
