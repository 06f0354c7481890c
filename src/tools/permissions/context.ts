/**
 * What the conversation says about an address: who brought it, and whether outside text is there.
 *
 * The words of the model add nothing to it. They only take away: an address that it wrote into a call before a result
 * held it was not copied from there, however the result came to repeat it.
 */
import type { Message } from '../../contracts/message';
import { textOf } from '../../contracts/text-of';
import { addressesIn, addressesTyped } from './addresses';

export interface ChatContext {
  /** Addresses in what the person wrote. */
  typed: ReadonlySet<string>;
  /** Addresses that stand in outside text, and stood there first. */
  copied: ReadonlySet<string>;
  /** Hosts whose text is in the conversation; with any, the model may be following them. */
  sources: readonly string[];
}

/** One pass. Only a result that names its sources is outside text. */
export function contextOf(messages: readonly Message[]): ChatContext {
  const typed = new Set<string>();
  const copied = new Set<string>();
  const sources = new Set<string>();
  const written = new Set<string>();
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        for (const href of addressesTyped(textOf(message.content))) typed.add(href);
        break;
      case 'assistant':
        for (const part of message.content) {
          if (part.type === 'tool-call' || part.type === 'invalid-tool-call') note(written, part.arguments);
        }
        break;
      case 'tool':
        for (const result of message.results) {
          if (!result.sources?.length) continue;
          for (const source of result.sources) sources.add(source);
          for (const href of addressesIn(textOf(result.content))) if (!written.has(href)) copied.add(href);
        }
        break;
      case 'system':
        break;
    }
  }
  return { typed, copied, sources: [...sources] };
}

function note(written: Set<string>, value: unknown): void {
  if (typeof value === 'string') for (const href of addressesTyped(value)) written.add(href);
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) note(written, inner);
  }
}
