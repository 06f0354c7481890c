import { Attached, Message, Summary } from './message';
import { RoundRecord, Usage } from './model';
import { ModelName, RecoveryStep } from './model-library';
import { z } from './schema';
import { ToolOffer, ToolSearchMode } from './tool';
import { TurnEnd } from './turn';

/** How a chat is kept: a tree, so that editing or asking again grows a branch and overwrites nothing. */

export const MessageNode = z.object({
  /** Unique among all chats. */
  id: z.string(),
  chatId: z.string(),
  /** The message before it in its branch; null for the first one. */
  parentId: z.nullable(z.string()),
  /** Messages before it in its branch. Missing until its chat was first read whole by a version that counts them. */
  depth: z.catch(z.optional(z.int()), undefined),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  /** Since when it is in the bin, in milliseconds since the epoch; of all that went there with it, the same. Missing where it is not. */
  deletedAt: z.optional(z.number()),
  message: Message,
  /** What wrote the reply. Missing for questions and results, and for a reply of the page itself. */
  model: z.optional(z.object({ id: z.string(), engine: z.string() })),
  /** What the reply cost. Missing as `model` is, and for a reply that was broken off by a crash. */
  usage: z.optional(Usage),
  /** Of a reply: when it was asked for. Missing in chats of an older version, and where a later one wrote it otherwise. */
  round: z.catch(z.optional(RoundRecord), undefined),
  /** What had to be done before the reply came, in order. Missing where nothing had to. */
  recoveries: z.optional(z.array(RecoveryStep)),
  /** Of a reply whose model was not shown all tools: which it was shown. Left out where a later version wrote it otherwise. */
  toolOffer: z.catch(z.optional(ToolOffer), undefined),
  /** The message that it is taken from, as it was or changed, where a turn was run once more. Missing of all others. */
  replayOf: z.optional(z.string()),
  /** On the last message of a turn that came to its end. Where it is missing, the turn was interrupted. */
  turnEnd: z.optional(TurnEnd),
  /**
   * Stands, in the prompt, for this message and all before it in its branch. Missing for nearly all, and where a later version wrote it
   * otherwise.
   */
  summary: z.catch(z.optional(Summary), undefined),
});
export type MessageNode = z.infer<typeof MessageNode>;

/** Where a message stands: all that must be readable for the tree to hold. */
export const Place = z.omit(MessageNode, {
  deletedAt: true,
  message: true,
  model: true,
  usage: true,
  round: true,
  recoveries: true,
  toolOffer: true,
  replayOf: true,
  turnEnd: true,
  summary: true,
});
export type Place = z.infer<typeof Place>;

/** Apart from the messages, so that a list of chats stays cheap. */
export const ChatRecord = z.object({
  id: z.string(),
  /** As shown in the list. */
  title: z.string(),
  /** False while the title is the beginning of the first question. */
  isNamed: z.boolean(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  /** Of the newest message; milliseconds since the epoch. The list is in this order, newest first. */
  updatedAt: z.number(),
  /** The last message of the branch on the screen; null in a chat without messages. */
  leafId: z.nullable(z.string()),
  /** Names of the tools switched off in this chat. */
  toolsOff: z.array(z.string()),
  /** Chosen for this chat; absent while none was, or in a chat of an older version. */
  model: z.optional(ModelName),
  /** Id of the persona that answers; absent while none was chosen. One that is gone counts as none. */
  persona: z.optional(z.string()),
  /** Of the hidden chat in which a sub-agent worked: the chat it belongs to, and the call that asked for it. Absent for all others. */
  agentOf: z.optional(z.object({ chatId: z.string(), callId: z.string() })),
  /** When the model searches for tools; absent while nothing was chosen, which is "when needed". */
  toolSearch: z.catch(z.optional(ToolSearchMode), undefined),
  /** The tools that its prompt lists, while that is not all: kept, so that the prompt stays as it is. */
  toolOffer: z.catch(z.optional(ToolOffer), undefined),
  /** When it was put above all others, or out of the way; milliseconds since the epoch. Missing where it was not. */
  pinnedAt: z.catch(z.optional(z.number()), undefined),
  archivedAt: z.catch(z.optional(z.number()), undefined),
  /** Missing where it is in none. One that is gone counts as none. */
  folderId: z.catch(z.optional(z.string()), undefined),
  /** Since when it is in the bin, in milliseconds since the epoch. Missing where it is not. */
  deletedAt: z.optional(z.number()),
});
export type ChatRecord = z.infer<typeof ChatRecord>;

/** A question as it was changed, and not yet asked; or another form of the chat, by its name, and its fields as JSON. */
export const QuestionEdit = z.object({ questionId: z.string(), text: z.string() });
export type QuestionEdit = z.infer<typeof QuestionEdit>;

/** What was typed in a chat and not sent. The chat need not be there yet. */
export const Draft = z.object({
  chatId: z.string(),
  text: z.string(),
  /** As in the message that it will be. Missing where there is none. */
  sources: z.optional(z.array(z.string())),
  attached: z.optional(z.array(Attached)),
  /** One for each question or form that is being changed. Missing where none is. */
  edits: z.catch(z.optional(z.array(QuestionEdit)), undefined),
});
export type Draft = z.infer<typeof Draft>;

/** A message that waits: it was written while an answer was on its way, and is asked when that has ended. */

export const FollowUp = z.object({
  /** Also that of the message that it becomes. */
  id: z.string(),
  chatId: z.string(),
  /** Those of a chat are asked in the order of it, the lowest first. */
  place: z.number(),
  text: z.string(),
  /** As in the message that it will be. Missing where there is none. */
  sources: z.optional(z.array(z.string())),
  attached: z.optional(z.array(Attached)),
});
export type FollowUp = z.infer<typeof FollowUp>;

/** A folder of the list of chats: a chat is in one or in none. */

export const Folder = z.object({
  id: z.string(),
  /** As shown in the list. */
  name: z.string(),
  /** Whether its chats are out of sight. */
  isFolded: z.boolean(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
});
export type Folder = z.infer<typeof Folder>;
