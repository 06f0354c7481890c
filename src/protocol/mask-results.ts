/** PURE: results of old turns as one line each, which says what they were and how to read them again. */
import type { Message, ToolResult } from '../contracts/message';
import { handleAt, readResultName, startOfLastTurns, textOf } from '../contracts/message-parts';
import type { PromptLanguage } from './format';

const lines: Record<PromptLanguage, (tool: string, characters: number, handle: string) => string> = {
  en: (tool, characters, handle) =>
    `[An earlier result of ${tool}, ${characters} characters, is left out here. To read it again call ${readResultName} with its handle ${handle} and a query.]`,
  zh: (tool, characters, handle) =>
    `[${tool} 之前的结果（${characters} 个字符）在此省略。要再次阅读，请调用 ${readResultName}，给出它的 handle ${handle} 和 query。]`,
};

/** With the results of all turns but the last two masked. Failures and descriptions of tools stay: they are short, or still needed. */
export function maskOldResults(messages: readonly Message[], language: PromptLanguage): Message[] {
  const border = startOfLastTurns(messages);
  let position = 0;
  return messages.map((message, index) => {
    if (message.role !== 'tool') return message;
    const results = message.results.map((result) => {
      const handle = handleAt(position++);
      return index < border ? mask(result, result.whole?.handle ?? handle, language) : result;
    });
    return { ...message, results };
  });
}

function mask(result: ToolResult, handle: string, language: PromptLanguage): ToolResult {
  const { isError, foundTools, content, whole, toolName } = result;
  const { length } = textOf(content);
  const line = lines[language](whole?.toolName ?? toolName, whole?.characters ?? length, handle);
  if (isError || foundTools || length <= 2 * line.length) return result;
  return { ...result, content: [{ type: 'text', text: line }] };
}
