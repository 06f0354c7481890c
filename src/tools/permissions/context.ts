/**
 * Collects where addresses and text in a chat come from, and whether there is untrusted outside text. Model output grants nothing: if the
 * model wrote an address before a result contained it, the address does not count as copied from the result.
 */
import { picturesOf, sourceOfFile } from '../../contracts/attachment';
import type { Message, ToolResult } from '../../contracts/message';
import { hasTrustedUrls, contactedHostsOf, outsideHostsOf } from '../../contracts/outside-text';
import { textOf } from '../../contracts/message-parts';
import { findAddresses, findTypedAddresses } from './addresses';

export type ChatContext = Readonly<ReturnType<typeof readChatContext>>;

export function readChatContext(messages: readonly Message[]) {
  const typed = new Set<string>();
  /** Addresses that occurred in outside text before the model wrote them. */
  const copied = new Set<string>();
  /** Hosts whose text is in the conversation. If there are any, the model may be following their instructions. */
  const sources = new Set<string>();
  let question = '';
  const sent: { tool: string; hosts: readonly string[]; text: string }[] = [];
  /** Text that tools read from outside. The model may copy addresses from it. */
  const found: string[] = [];
  const outside: { hosts: readonly string[]; text: string }[] = [];
  const questions: string[] = [];
  /** All text that the user typed, and all arguments that the model wrote. */
  const written: string[] = [];
  /** Addresses in the arguments that the model wrote. */
  const composed = new Set<string>();
  const argumentsById = new Map<string, string>();

  const readResult = (result: ToolResult) => {
    const hosts = outsideHostsOf(result);
    if (hosts.length === 0) return;
    for (const host of hosts) sources.add(host);
    const text = textOf(result.content);
    outside.push({ hosts, text });
    const receivers = contactedHostsOf(result);
    const argumentText = argumentsById.get(result.toolCallId) ?? '';
    if (receivers.length > 0) sent.push({ tool: result.toolName, hosts: receivers, text: argumentText });
    if (!hasTrustedUrls(result)) return;
    found.push(text);
    for (const href of findAddresses(text)) if (!composed.has(href)) copied.add(href);
  };

  for (const message of messages) {
    switch (message.role) {
      case 'user':
        // A picture can contain instructions for the model.
        for (const { name } of picturesOf(message)) sources.add(sourceOfFile(name));
        if (message.sources) {
          // The message contains a server's text, so nothing in it counts as typed.
          question = '';
          for (const host of message.sources) sources.add(host);
          outside.push({ hosts: message.sources, text: textOf(message.content) });
          break;
        }
        question = textOf(message.content);
        written.push(question);
        questions.push(question);
        for (const href of findTypedAddresses(question)) typed.add(href);
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
  return { typed, copied, sources: [...sources], question, sent, found, outside, questions, written };
}

function listStrings(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listStrings) : [];
}
