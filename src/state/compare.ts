/** The versions of an answer beside one another: what each says and calls, as one text. */
import { branchOf, newestLeafOf, versionsOf } from '../contracts/chat-logic';
import type { MessageNode } from '../contracts/chat';
import { type Turn, turnsOf } from './turns';

export interface AnswerVersion {
  /** Of its first message. */
  id: string;
  /** Of what answered, each once, in order; empty where no model did. */
  models: readonly string[];
  /** Its calls with what they gave, a line each, and its words, in the order they came. */
  text: string;
}

/** All answers to the question of a message, oldest first. */
export function answerVersions(
  nodes: readonly MessageNode[],
  first: Pick<MessageNode, 'parentId'>,
): AnswerVersion[] {
  return versionsOf(nodes, first).flatMap(({ id }) => {
    const turn = turnsOf(branchOf(nodes, newestLeafOf(nodes, id))).find((one) => one.nodes[0]?.id === id);
    if (!turn) return [];
    const models = [...new Set(turn.nodes.flatMap(({ model }) => model?.id ?? []))];
    return [{ id, models, text: textOfTurn(turn) }];
  });
}

function textOfTurn({ parts }: Pick<Turn, 'parts'>): string {
  return parts
    .flatMap((part) => {
      switch (part.type) {
        case 'text':
          return part.text.trim();
        case 'thinking':
          return [];
        case 'unreadable-call':
          return part.raw;
        case 'call':
          return `${part.name} ${part.argumentsText}\n→ ${(part.result ?? '').trim()}`;
      }
    })
    .join('\n\n');
}
