/** How chats are stored: as trees, so an edit or retry adds a branch. All times are milliseconds since the epoch. */
import { Attached, Message, Summary } from './message';
import { RoundRecord, Usage } from './model';
import { ModelName, RecoveryStep } from './model-library';
import { z } from './schema';
import { ToolOffer, ToolSearchMode } from './tool';
import { TurnEnd } from './turn';

export const MessageNode = z.object({
  id: z.string(),
  chatId: z.string(),
  /** The previous message of the branch. Null for the first one. */
  parentId: z.nullable(z.string()),
  /** Number of messages before this one in its branch. Absent in older chats until the whole chat is loaded once. */
  depth: z.catch(z.optional(z.int()), undefined),
  createdAt: z.number(),
  /** When the message was moved to the bin; messages moved together have the same time. Absent if the message is not in the bin. */
  deletedAt: z.optional(z.number()),
  message: Message,
  /** The model that wrote the reply. Absent for questions, tool results and replies written by the page. */
  model: z.optional(z.object({ id: z.string(), engine: z.string() })),
  /** Token counts and timing of the reply. Absent if `model` is absent, and for replies cut off by a crash. */
  usage: z.optional(Usage),
  /** When and how the reply was requested. Absent in older chats, and if a newer version wrote an unknown format. */
  round: z.catch(z.optional(RoundRecord), undefined),
  recoveries: z.optional(z.array(RecoveryStep)),
  /** The tools that the model was shown. Absent if the model was shown all tools, or if a newer version wrote an unknown format. */
  toolOffer: z.catch(z.optional(ToolOffer), undefined),
  /** Id of the original message, if a replay copied this one from the record, unchanged or edited. */
  replayOf: z.optional(z.string()),
  /** Set on the last message of a turn, unless the turn was interrupted. */
  turnEnd: z.optional(TurnEnd),
  /** Replaces this message and all before it in the prompt. Absent for most messages, and if a newer version wrote an unknown format. */
  summary: z.catch(z.optional(Summary), undefined),
});
export type MessageNode = z.infer<typeof MessageNode>;

/** The position of a message: the fields that must be readable to keep the tree intact. */
export const Place = z.pick(MessageNode, {
  id: true,
  chatId: true,
  parentId: true,
  depth: true,
  createdAt: true,
});
export type Place = z.infer<typeof Place>;

/** A chat without its messages, so that listing chats stays cheap. */
export const ChatRecord = z.object({
  id: z.string(),
  title: z.string(),
  isNamed: z.boolean(),
  createdAt: z.number(),
  /** Time of the newest message. The list shows the newest first. */
  updatedAt: z.number(),
  /** Id of the last message of the branch on the screen. Null in an empty chat. */
  leafId: z.nullable(z.string()),
  toolsOff: z.array(z.string()),
  model: z.optional(ModelName),
  /** Id of the persona. Absent if none was chosen. The id of a deleted persona counts as none. */
  persona: z.optional(z.string()),
  /** Only on the hidden chat of a sub-agent: the chat it belongs to and the call that started it. */
  agentOf: z.optional(z.object({ chatId: z.string(), callId: z.string() })),
  toolSearch: z.catch(z.optional(ToolSearchMode), undefined),
  /** The tools that the prompt lists. Absent if the prompt lists all tools. Stored to keep the prompt and its KV cache the same. */
  toolOffer: z.catch(z.optional(ToolOffer), undefined),
  pinnedAt: z.catch(z.optional(z.number()), undefined),
  archivedAt: z.catch(z.optional(z.number()), undefined),
  /** Id of the folder. Absent if the chat is in none. The id of a deleted folder counts as none. */
  folderId: z.catch(z.optional(z.string()), undefined),
  deletedAt: z.optional(z.number()),
});
export type ChatRecord = z.infer<typeof ChatRecord>;

/** An edited question, not sent yet. Also stores other unsaved forms of a chat: `questionId` names the form, `text` is JSON. */
export const QuestionEdit = z.object({ questionId: z.string(), text: z.string() });
export type QuestionEdit = z.infer<typeof QuestionEdit>;

/** Text typed in a chat but not sent. The chat itself may not exist yet. */
export const Draft = z.object({
  chatId: z.string(),
  text: z.string(),
  sources: z.optional(z.array(z.string())),
  attached: z.optional(z.array(Attached)),
  edits: z.catch(z.optional(z.array(QuestionEdit)), undefined),
});
export type Draft = z.infer<typeof Draft>;

/** A queued message, written while a reply was running. It is sent once that turn ends. */
export const FollowUp = z.extend(z.omit(Draft, { edits: true }), {
  id: z.string(),
  /** Order within the chat, lowest first. */
  place: z.number(),
});
export type FollowUp = z.infer<typeof FollowUp>;

export const Folder = z.object({
  id: z.string(),
  name: z.string(),
  isFolded: z.boolean(),
  createdAt: z.number(),
});
export type Folder = z.infer<typeof Folder>;
