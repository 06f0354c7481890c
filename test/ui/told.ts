/** Builds a stored chat in a few words. */
import type { ChatRecord, MessageNode } from '../../src/contracts/chat';
import type { TurnEnd } from '../../src/contracts/turn';
import type { AssistantMessage, ToolCall, ToolResult } from '../../src/contracts/message';
import { chatRecord } from '../support/stored-chat';
import { usage } from './script';

export const text = (words: string) => ({ type: 'text' as const, text: words });

export function call(id: string, name: string, given: ToolCall['arguments']): ToolCall {
  return { type: 'tool-call', id, name, arguments: given };
}

export function result(id: string, name: string, words: string, isError = false): ToolResult {
  return {
    toolCallId: id,
    toolName: name,
    content: [text(words)],
    isError,
    timing: { startedAt: 0, durationMs: 12 },
    origins: [{ door: 'hearth' }],
  };
}

/** A chat whose messages follow each other without branches. */
export class Told {
  readonly nodes: MessageNode[] = [];

  you(words: string): this {
    return this.#add({ role: 'user', content: [text(words)], origins: [{ door: 'typed' }] });
  }

  /** Adds a message of Hearth. Without an `end`, the turn continues, or was interrupted if nothing follows. */
  hearth(content: AssistantMessage['content'], end?: TurnEnd, changed: Partial<AssistantMessage> = {}): this {
    const message: AssistantMessage = {
      role: 'assistant',
      content,
      finishReason: 'stop',
      raw: 'RAW',
      ...changed,
    };
    return this.#add(message, {
      model: { id: 'ember', engine: 'llama' },
      usage,
      ...(end && { turnEnd: end }),
    });
  }

  results(...results: ToolResult[]): this {
    return this.#add({ role: 'tool', results });
  }

  /** The chat in the form that `show` takes. */
  get chat(): { chats: ChatRecord[]; nodes: MessageNode[] } {
    const leafId = this.nodes.at(-1)?.id ?? null;
    return { nodes: this.nodes, chats: [chatRecord('chat', { title: 'What was asked', leafId })] };
  }

  #add(message: MessageNode['message'], more: Partial<MessageNode> = {}): this {
    const id = `n${this.nodes.length}`;
    const parentId = this.nodes.at(-1)?.id ?? null;
    this.nodes.push({ id, chatId: 'chat', parentId, createdAt: 1000, message, ...more });
    return this;
  }
}
