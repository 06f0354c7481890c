/**
 * Knows what WebLLM's cache holds, by the rule it decides by, and says why a request cannot go on from it.
 *
 * The rule: the last reply ended by itself, and all messages but the last are the same to the character.
 */

interface Held {
  messages: readonly SaidMessage[];
  endedBy: 'stop' | 'length' | 'aborted';
}

interface SaidMessage {
  role: string;
  content: string;
}

export interface PrefillCheck {
  /** Why the request will be prefilled anew; undefined: only its last message will, or nothing has been held yet. */
  judge(messages: readonly SaidMessage[]): { isFirst: boolean; reason?: string };
  /** Takes note of what the engine holds after a reply. */
  hold(messages: readonly SaidMessage[], reply: string, endedBy: Held['endedBy']): void;
}

export function createPrefillCheck(): PrefillCheck {
  let held: Held | undefined;
  return {
    judge(messages) {
      if (!held) return { isFirst: true };
      const reason = differenceOf(held, messages);
      return { isFirst: false, ...(reason !== undefined && { reason }) };
    },
    hold(messages, reply, endedBy) {
      held = { messages: [...messages, { role: 'assistant', content: reply }], endedBy };
    },
  };
}

function differenceOf({ messages: held, endedBy }: Held, asked: readonly SaidMessage[]): string | undefined {
  if (isOther(held, asked)) return 'Another chat was asked in between.';
  if (endedBy === 'aborted') return 'The reply before was stopped.';
  if (endedBy === 'length') return 'The reply before was cut off at its length.';
  const at = held.findIndex((message, index) => !isSame(message, asked[index]));
  if (at === 0 && held[0]?.role === 'system') return 'The system text has changed.';
  if (at >= 0)
    return `The history has changed: message ${at + 1} of ${held.length} is not what the engine holds.`;
  const added = asked.length - held.length;
  return added === 1 ? undefined : `${added} messages are new instead of one.`;
}

/** A chat is known by its first question, behind which a reply that goes on may stand. */
function isOther(held: readonly SaidMessage[], asked: readonly SaidMessage[]): boolean {
  const first = (messages: readonly SaidMessage[]) =>
    messages.find(({ role }) => role !== 'system')?.content ?? '';
  return !first(held).startsWith(first(asked)) && !first(asked).startsWith(first(held));
}

function isSame(one: SaidMessage, other: SaidMessage | undefined): boolean {
  return one.role === other?.role && one.content === other.content;
}
