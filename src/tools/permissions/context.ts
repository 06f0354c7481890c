/**
 * Collects where addresses and text in a chat come from, and whether there is untrusted outside text.
 *
 * Model output grants nothing. If the model wrote an address before a result contained it, the address does not count as copied from the
 * result.
 */
import { picturesOf, sourceOfFile } from '../../contracts/attachment';
import type { Message, ToolResult } from '../../contracts/message';
import { mayCopyAddresses, hostsContacted, outsideHosts } from '../../contracts/outside-text';
import { textOf } from '../../contracts/message-parts';
import { addressesIn, addressesTyped } from './addresses';

export interface ChatContext {
  typed: ReadonlySet<string>;
  /** Addresses that outside text contained before the model wrote them. */
  copied: ReadonlySet<string>;
  /** Hosts whose text is in the conversation. If there are any, the model may be following their instructions. */
  sources: readonly string[];
  /** The user's newest message. */
  question: string;
  /** Arguments that calls sent out, with the hosts that received them. */
  sent: readonly { tool: string; hosts: readonly string[]; text: string }[];
  /** Text that tools read from outside, from which the model may copy addresses. */
  found: readonly string[];
  /** All outside text, with the hosts it may come from. */
  outside: readonly { hosts: readonly string[]; text: string }[];
  questions: readonly string[];
  /** All text that the user typed, and all arguments that the model wrote. */
  written: readonly string[];
}

export function contextOf(messages: readonly Message[]): ChatContext {
  const typed = new Set<string>();
  const copied = new Set<string>();
  const sources = new Set<string>();
  const written = new Set<string>();
  const texts = {
    question: '',
    sent: [] as ChatContext['sent'][number][],
    found: [] as string[],
    outside: [] as ChatContext['outside'][number][],
    questions: [] as string[],
    written: [] as string[],
  };
  const calls = new Map<string, string>();
  const read = (result: ToolResult) => {
    const hosts = outsideHosts(result);
    if (hosts.length === 0) return;
    for (const host of hosts) sources.add(host);
    const sent = hostsContacted(result);
    const text = calls.get(result.toolCallId) ?? '';
    texts.outside.push({ hosts, text: textOf(result.content) });
    if (sent.length > 0) texts.sent.push({ tool: result.toolName, hosts: sent, text });
    if (!mayCopyAddresses(result)) return;
    const read = textOf(result.content);
    texts.found.push(read);
    for (const href of addressesIn(read)) if (!written.has(href)) copied.add(href);
  };
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        // A picture can contain instructions for the model.
        for (const { name } of picturesOf(message)) sources.add(sourceOfFile(name));
        if (message.sources) {
          // The message contains a server's text, so nothing in it counts as typed.
          texts.question = '';
          for (const host of message.sources) sources.add(host);
          texts.outside.push({ hosts: message.sources, text: textOf(message.content) });
          break;
        }
        texts.question = textOf(message.content);
        texts.written.push(texts.question);
        texts.questions.push(texts.question);
        for (const href of addressesTyped(texts.question)) typed.add(href);
        break;
      case 'assistant':
        for (const part of message.content) {
          if (part.type !== 'tool-call' && part.type !== 'invalid-tool-call') continue;
          addStrings(written, part.arguments);
          const text = stringsIn(part.arguments).join('\n');
          texts.written.push(text);
          calls.set(part.id, text);
        }
        break;
      case 'tool':
        for (const result of message.results) read(result);
        break;
      case 'system':
        break;
    }
  }
  return { typed, copied, sources: [...sources], ...texts };
}

function addStrings(written: Set<string>, value: unknown): void {
  for (const text of stringsIn(value)) for (const href of addressesTyped(text)) written.add(href);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
