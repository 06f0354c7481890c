/** Builds messages. A result's id names the tool: `calculator1` is a result of the calculator. */
import type { AssistantMessage, Message, ToolCall, ToolResult } from '../../../src/contracts/message';

export const said = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
export const call = (name: string, given: Record<string, unknown>, id = name): ToolCall => ({
  type: 'tool-call',
  id,
  name,
  arguments: given,
});
export const calling = (...content: ToolCall[]): AssistantMessage => ({
  role: 'assistant',
  content,
  finishReason: 'tool-calls',
});
export const result = (toolCallId: string, ...texts: string[]): ToolResult => ({
  toolCallId,
  toolName: toolCallId.replace(/\d/, ''),
  content: texts.map((text) => ({ type: 'text', text })),
  isError: false,
  origins: [{ door: 'hearth' }],
});
export const results = (...given: ToolResult[]): Message => ({ role: 'tool', results: given });
