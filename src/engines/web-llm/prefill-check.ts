/**
 * Knows what WebLLM's cache holds, by the rule it decides by, and says why a request cannot go on from it.
 *
 * The rule: the last reply ended by itself, and all messages but the last are the same to the character.
 */

import type { PrefillReason } from '../../contracts/model';

interface Held {
  messages: readonly SaidMessage[];
  endedBy: 'stop' | 'length' | 'aborted';
}

interface SaidMessage {
  role: string;
  content: string;
}

export interface PrefillCheck {
  /** Why the request will be prefilled anew; without a reason only its last message will, or all of it is new. */
  judge(messages: readonly SaidMessage[]): { isFirst: boolean; reason?: PrefillReason };
  /** Takes note of what the engine holds after a reply. */
  hold(messages: readonly SaidMessage[], reply: string, endedBy: Held['endedBy']): void;
}

export function createPrefillCheck(): PrefillCheck {
  let held: Held | undefined;
  return {
    judge(messages) {
      if (!held) {
        const hasHistory = messages.some(({ role }) => role === 'assistant');
        return { isFirst: true, ...(hasHistory && { reason: { code: 'loaded' } }) };
      }
      const reason = differenceOf(held, messages);
      return { isFirst: false, ...(reason !== undefined && { reason }) };
    },
    hold(messages, reply, endedBy) {
      held = { messages: [...messages, { role: 'assistant', content: reply }], endedBy };
    },
  };
}

function differenceOf(
  { messages: held, endedBy }: Held,
  asked: readonly SaidMessage[],
): PrefillReason | undefined {
  if (isWithoutStart(held, asked)) return { code: 'start-dropped' };
  if (isOther(held, asked)) return { code: 'other-chat' };
  if (endedBy === 'aborted') return { code: 'stopped' };
  if (endedBy === 'length') return { code: 'cut-off' };
  const at = held.findIndex((message, index) => !isSame(message, asked[index]));
  if (at === 0 && held[0]?.role === 'system') return { code: 'system' };
  if (at >= 0) return { code: 'history', message: at + 1, of: held.length };
  const messages = asked.length - held.length;
  return messages === 1 ? undefined : { code: 'several-new', messages };
}

/** A chat is known by its first question, behind which a reply that goes on may stand. */
function isOther(held: readonly SaidMessage[], asked: readonly SaidMessage[]): boolean {
  const first = (messages: readonly SaidMessage[]) =>
    messages.find(({ role }) => role !== 'system')?.content ?? '';
  return !first(held).startsWith(first(asked)) && !first(asked).startsWith(first(held));
}

/** Whether the request begins in the middle of what the engine holds: the oldest turns were dropped. */
function isWithoutStart(held: readonly SaidMessage[], asked: readonly SaidMessage[]): boolean {
  const from = asked.findIndex(({ role }) => role !== 'system');
  const first = asked[from];
  if (!first) return false;
  return held.some(({ content }, at) => {
    // In the middle of a chat a message begins with what ends the reply before it.
    if (at <= from || !content.endsWith(first.content)) return false;
    return held.slice(at + 1).every((message, index) => isSame(message, asked[from + 1 + index]));
  });
}

function isSame(one: SaidMessage, other: SaidMessage | undefined): boolean {
  return one.role === other?.role && one.content === other.content;
}
