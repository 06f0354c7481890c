/** The texts of a turn, in the order in which they stand on the screen: what a search in the chat goes through, drawn or not. */
import { textOf } from '../contracts/message-parts';
import { type AgentChats, viewAgent } from './agent-view';
import type { ReplyPart, Turn } from './turns';

export interface ShownText {
  text: string;
  /** What is read is what it looks like, without its marks. */
  isMarkdown: boolean;
}

/** As the parts that carry `data-said`, and Markdown, stand in the document. What is folded is among them. */
export function shownTexts(
  { question, parts }: Pick<Turn, 'question' | 'parts'>,
  agents: AgentChats,
): ShownText[] {
  const asked = question?.message.role === 'user' ? [plain(textOf(question.message.content))] : [];
  return [...asked, ...textsOfParts(parts, agents)];
}

function textsOfParts(parts: readonly ReplyPart[], agents: AgentChats): ShownText[] {
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return [{ text: part.text, isMarkdown: true }];
      case 'thinking':
        return [plain(part.text.trim())];
      case 'unreadable-call':
        return [plain(part.reason), plain(part.raw)];
      case 'call': {
        const agent = agents.get(part.id);
        const inside = agent ? textsOfParts(viewAgent(agent).parts, agents) : [];
        return [
          plain(part.argumentsText),
          ...inside,
          ...(part.result === undefined ? [] : [plain(part.result)]),
        ];
      }
    }
  });
}

function plain(text: string): ShownText {
  return { text, isMarkdown: false };
}
