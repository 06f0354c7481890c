/** Messages become the prompt of one dialect. Append-only: with the same tools, the same messages always render to the same text. */
import type { AssistantMessage, Message } from '../contracts/message';
import { picturesOf } from '../contracts/attachment';
import { textOf } from '../contracts/message-parts';
import type { PromptMessage, ReplyParts, Teaching } from '../contracts/model';
import type { ToolSpec } from '../contracts/tool';
import { neutraliseTokens } from '../text/neutralise';
import type { Dialect, PromptLanguage } from './format';
import { type PictureOf, writeQuestion } from './write-pictures';
import { writeEachResult } from './write-results';

export interface Prompt {
  /** The static beginning: instructions and tools. Empty when the dialect has none. */
  system: readonly PromptMessage[];
  /** One entry for each message of the chat but system messages; `undefined` for a message that the model need not see. */
  chat: readonly { message: Message; prompt: PromptMessage | undefined }[];
}

interface PromptOptions {
  teaching?: Teaching | undefined;
  /** Of all tools that can be called: no result may spell a call of them. Those listed, where it is missing. */
  names?: readonly string[] | undefined;
  pictureOf?: PictureOf | undefined;
}

/** `tools` are those that it lists. With none, no tool text enters the prompt. */
export function buildPrompt(
  messages: readonly Message[],
  tools: readonly ToolSpec[],
  dialect: Dialect,
  language: PromptLanguage,
  { teaching, pictureOf, names = tools.map(({ name }) => name) }: PromptOptions = {},
): Prompt {
  const chat = messages
    .filter((message) => message.role !== 'system')
    .map((message) => ({
      message,
      prompt: toPromptMessage(message, { names, pictureOf }, dialect, language),
    }));
  return { system: systemPrompt(messages, tools, dialect, language, teaching), chat };
}

function systemPrompt(
  messages: readonly Message[],
  tools: readonly ToolSpec[],
  dialect: Dialect,
  language: PromptLanguage,
  teaching: Teaching | undefined,
): PromptMessage[] {
  const texts = messages.flatMap((message) =>
    message.role === 'system' ? [neutraliseTokens(message.content)] : [],
  );
  if (tools.length > 0) texts.push(dialect.describe(tools, language, teaching));
  return texts.length === 0 ? [] : [{ role: 'system', content: texts.join('\n\n') }];
}

function toPromptMessage(
  message: Exclude<Message, { role: 'system' }>,
  { names, pictureOf }: { names: readonly string[]; pictureOf: PictureOf | undefined },
  dialect: Dialect,
  language: PromptLanguage,
): PromptMessage | undefined {
  switch (message.role) {
    case 'user': {
      const text = neutraliseTokens(textOf(message.content));
      return writeQuestion(text, picturesOf(message), pictureOf, language);
    }
    case 'assistant': {
      const content = message.raw ?? writeReply(message, dialect);
      // A reply that failed before its first word: an empty one in the history teaches a model to be silent.
      const parts = dialect.isNative && partsOf(message);
      if (content === '' || (parts && parts.text === '' && parts.calls.length === 0)) return undefined;
      return { role: 'assistant', content, ...(parts && { parts }) };
    }
    case 'tool':
      return {
        role: 'tool',
        content: dialect.writeResults(message, names, language),
        ...(dialect.isNative && {
          parts: {
            type: 'results',
            results: writeEachResult(message, names, language).map((text, at) => ({
              id: message.results[at]?.toolCallId ?? '',
              text,
            })),
          },
        }),
      };
  }
}

/** Thoughts do not go back: servers take them out, or refuse them. A call that could not be read goes back as far as it was. */
function partsOf({ content }: AssistantMessage): ReplyParts {
  const calls = content.flatMap((part): ReplyParts['calls'] =>
    part.type === 'tool-call' || part.type === 'invalid-tool-call'
      ? [{ id: part.id, name: part.name ?? 'unknown', arguments: part.arguments ?? {} }]
      : [],
  );
  return { type: 'reply', text: neutraliseTokens(textOf(content)), calls };
}

/** For a reply whose own words were not kept. */
function writeReply({ content }: AssistantMessage, dialect: Dialect): string {
  const parts = content.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return [neutraliseTokens(part.text)];
      case 'tool-call':
        return [dialect.writeCall({ name: part.name, arguments: part.arguments })];
      case 'invalid-tool-call':
        return [neutraliseTokens(part.raw)];
      case 'reasoning':
        return [];
    }
  });
  return parts.join('\n');
}
