/** PURE: a chat as Markdown, as it is on the screen: questions, answers, and what was called for them. */
import type { ChatRecord, MessageNode } from '../../contracts/chat';
import { textOf } from '../../contracts/message-parts';
import { type CallView, type ReplyPart, type Turn, turnsOf } from '../../state/turns';
import { attachedNames } from './attached-names';
import type { ChatFileWords } from './words';

export function writeMarkdown(
  chat: Pick<ChatRecord, 'title'>,
  branch: readonly MessageNode[],
  words: ChatFileWords,
): string {
  const turns = turnsOf(branch).map((turn) => writeTurn(turn, words));
  return [`# ${oneLine(chat.title)}`, ...turns].join('\n\n') + '\n';
}

function writeTurn(turn: Turn, words: ChatFileWords): string {
  const { question } = turn;
  const asked = question?.message.role === 'user' ? question.message : undefined;
  const files = asked ? attachedNames(asked) : '';
  const parts = turn.parts.map((part) => writePart(part, words)).filter((text) => text !== '');
  return [
    ...(asked === undefined ? [] : [`## ${words.you}`, textOf(asked.content)]),
    ...(files === '' ? [] : [quoted(oneLine(words.files(files)))]),
    ...(parts.length > 0 ? [`## ${words.hearth}`, ...parts] : []),
  ].join('\n\n');
}

/** What the model thought aloud is no part of the answer. */
function writePart(part: ReplyPart, words: ChatFileWords): string {
  switch (part.type) {
    case 'text':
      return part.text.trim();
    case 'thinking':
    case 'unreadable-call':
      return '';
    case 'call':
      return writeCall(part, words);
  }
}

function writeCall({ name, argumentsText, result }: CallView, words: ChatFileWords): string {
  const lines = [`**${words.called(name)}**`, fenced(argumentsText, 'json')];
  if (result !== undefined) lines.push(fenced(result));
  return quoted(lines.join('\n\n'));
}

/** Longer than any fence in the text itself. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

const quoted = (text: string) => text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
