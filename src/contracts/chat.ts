/** How a chat is kept: a tree, so that editing or asking again grows a branch and overwrites nothing. */
import { TurnEnd } from './events';
import { Message } from './message';
import { Usage } from './model';
import { ModelName } from './model-name';
import { RecoveryStep } from './recovery';
import { z } from './schema';

export const MessageNode = z.object({
  id: z.string(),
  chatId: z.string(),
  parentId: z.nullable(z.string()),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  message: Message,
  /** Of a reply: what wrote it, and what it cost. */
  model: z.optional(z.object({ id: z.string(), engine: z.string() })),
  usage: z.optional(Usage),
  /** Of a reply: what had to be done before it came. */
  recoveries: z.optional(z.array(RecoveryStep)),
  /** On the last message of a turn that came to its end. Where it is missing, the turn was interrupted. */
  turnEnd: z.optional(TurnEnd),
});
export type MessageNode = z.infer<typeof MessageNode>;

/** Where a message stands: all that must be readable for the tree to hold. */
export const Place = z.omit(MessageNode, {
  message: true,
  model: true,
  usage: true,
  recoveries: true,
  turnEnd: true,
});
export type Place = z.infer<typeof Place>;

/** Apart from the messages, so that a list of chats stays cheap. */
export const ChatRecord = z.object({
  id: z.string(),
  title: z.string(),
  /** False while the title is the beginning of the first question. */
  isNamed: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** The end of the branch on the screen. */
  leafId: z.nullable(z.string()),
  /** Names of the tools switched off in this chat. */
  toolsOff: z.array(z.string()),
  /** Chosen for this chat; absent while none was, or in a chat of an older version. */
  model: z.optional(ModelName),
});
export type ChatRecord = z.infer<typeof ChatRecord>;

/** What was typed in a chat and not sent. The chat need not be there yet. */
export const Draft = z.object({ chatId: z.string(), text: z.string() });
export type Draft = z.infer<typeof Draft>;
