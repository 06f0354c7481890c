/** The frozen evaluation set in training/eval, with its prompts as messages of the app. */
import { appendEvent } from '../../src/contracts/chat-logic';
import type { AssistantMessage, Message, ToolMessage } from '../../src/contracts/message';
import type { JsonSchema } from '../../src/contracts/schema';
import type { ToolSpec } from '../../src/contracts/tool';
import { readReply } from '../../src/protocol/reader';

export interface WrittenCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** A line of requests.jsonl, which has `calls`, or of answers.jsonl, which has `facts`. */
export interface Case {
  id: string;
  intent: string;
  lang: 'en' | 'zh';
  /** The app's tools by name, all other tools in full. */
  tools: readonly (string | { name: string; description: string; parameters: JsonSchema })[];
  messages: readonly { role: 'user' | 'assistant' | 'tool'; content: string }[];
  /** Each list of calls is a right answer. An empty list means that no call is right. */
  calls?: readonly (readonly WrittenCall[])[];
  /** The facts that the answer must contain. */
  facts?: readonly string[];
}

export function toolsOf({ tools }: Case, own: readonly ToolSpec[]): ToolSpec[] {
  return tools.map((tool) => {
    if (typeof tool !== 'string') {
      const { name, description, parameters } = tool;
      return { name, title: name, description, inputSchema: parameters };
    }
    const found = own.find(({ name }) => name === tool);
    if (!found) throw new Error(`The app has no tool ${tool}.`);
    return found;
  });
}

export function messagesOf(given: Case, tools: readonly ToolSpec[]): Message[] {
  let called: AssistantMessage['content'] = [];
  return given.messages.map(({ role, content }): Message => {
    switch (role) {
      case 'user':
        return { role, content: [{ type: 'text', text: content }], origins: [{ door: 'typed' }] };
      case 'assistant':
        called = [];
        for (const event of readReply(content, tools)) {
          if (event.type !== 'markup') called = appendEvent(called, event);
        }
        return { role, content: called, raw: content, finishReason: 'stop' };
      case 'tool':
        return { role, results: resultsOf(content, called) };
    }
  });
}

/** Returns results from lines of the form `name: text`, one per call and in the order of the calls. */
function resultsOf(content: string, called: AssistantMessage['content']): ToolMessage['results'] {
  const calls = called.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  let rest = content;
  return calls.map(({ id, name }, index) => {
    const next = calls[index + 1];
    const end = next ? rest.indexOf(`\n${next.name}: `) : rest.length;
    const written = rest.slice(`${name}: `.length, end);
    rest = rest.slice(end + 1);
    const isError = written.startsWith('error: ');
    const text = isError ? written.slice('error: '.length) : written;
    return {
      toolCallId: id,
      toolName: name,
      content: [{ type: 'text', text }],
      isError,
      origins: [{ door: 'hearth' }],
    };
  });
}
