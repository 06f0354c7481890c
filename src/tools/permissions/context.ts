/**
 * Collects where addresses and text in a chat come from, and whether there is untrusted outside text. Model output grants nothing: if the
 * model wrote an address before a result contained it, the address does not count as copied from the result.
 */
import type { Message, ToolResult, UserMessage } from '../../contracts/message';
import { textOf } from '../../contracts/message-parts';
import { isOutside, type Origin, withoutRepeats } from '../../contracts/origin';
import {
  contactedHostsOf,
  hasTrustedUrls,
  outsideOriginsOf,
  ownTextOf,
  typedTextOf,
} from '../../contracts/provenance';
import { findAddresses, findTypedAddresses } from './addresses';

export type ChatContext = Readonly<ReturnType<typeof readChatContext>>;

/** `promptOrigins`: strangers' texts that are in the prompt besides the messages. */
export function readChatContext(messages: readonly Message[], promptOrigins: readonly Origin[] = []) {
  const typed = new Set<string>();
  /** Addresses that occurred in outside text before the model wrote them. */
  const copied = new Set<string>();
  /** Strangers whose text the model has read. If there are any, it may be following their instructions. */
  const origins = withoutRepeats([...promptOrigins, ...messages.flatMap(outsideOriginsOf)]);
  let question = '';
  const sent: { tool: string; hosts: readonly string[]; text: string }[] = [];
  /** Text that tools read from outside. The model may copy addresses from it. */
  const found: string[] = [];
  const outside: { origins: readonly Origin[]; text: string }[] = [];
  const questions: string[] = [];
  /** All text that the user typed, and all arguments that the model wrote. */
  const written: string[] = [];
  /** Addresses in the arguments that the model wrote. */
  const composed = new Set<string>();
  const argumentsById = new Map<string, string>();

  const readResult = (result: ToolResult) => {
    const strangers = result.origins.filter(isOutside);
    if (strangers.length === 0) return;
    const text = textOf(result.content);
    outside.push({ origins: strangers, text });
    const receivers = contactedHostsOf(result);
    const argumentText = argumentsById.get(result.toolCallId) ?? '';
    if (receivers.length > 0) sent.push({ tool: result.toolName, hosts: receivers, text: argumentText });
    if (!hasTrustedUrls(result)) return;
    found.push(text);
    for (const href of findAddresses(text)) if (!composed.has(href)) copied.add(href);
  };

  /** Ignores what a model wrote to a sub-agent: the user's own question is then still the newest. */
  const readQuestion = (message: UserMessage) => {
    const own = ownTextOf(message);
    const strangers = message.origins.filter(isOutside);
    if (own !== '') {
      question = own;
      written.push(own);
      questions.push(own);
    } else if (strangers.length > 0) {
      // The message contains a stranger's text, so nothing in it counts as the user's words.
      question = '';
      outside.push({ origins: strangers, text: textOf(message.content) });
    }
  };

  for (const message of messages) {
    switch (message.role) {
      case 'user':
        readQuestion(message);
        for (const href of findTypedAddresses(typedTextOf(message))) typed.add(href);
        break;
      case 'assistant':
        for (const part of message.content) {
          if (part.type !== 'tool-call' && part.type !== 'invalid-tool-call') continue;
          const strings = listStrings(part.arguments);
          for (const text of strings) for (const href of findTypedAddresses(text)) composed.add(href);
          written.push(strings.join('\n'));
          argumentsById.set(part.id, strings.join('\n'));
        }
        break;
      case 'tool':
        message.results.forEach(readResult);
        break;
      case 'system':
        break;
    }
  }
  return { typed, copied, origins, question, sent, found, outside, questions, written };
}

function listStrings(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listStrings) : [];
}
