/** Stored chats. A chat is a tree, so an edit or a retry adds a branch. All times are milliseconds since the epoch. */
import { AttachedItem, Message, Origin, Summary } from './message';
import { RoundRecord, Usage } from './model';
import { ModelName, RecoveryStep } from './model-library';
import { addOrigins } from './origin';
import { z } from './schema';
import { ToolOffer, ToolSearchMode } from './tool';
import { TurnEnd } from './turn';

export const MessageNode = z.object({
  id: z.string(),
  chatId: z.string(),
  parentId: z.nullable(z.string()),
  /** Number of earlier messages in the branch. Absent in older chats until the whole chat is loaded once. */
  depth: z.catch(z.optional(z.int()), undefined),
  createdAt: z.number(),
  /** Time of the move to the bin, the same for all messages of one move. Absent if the message is not in the bin. */
  deletedAt: z.optional(z.number()),
  message: Message,
  model: z.optional(z.object({ id: z.string(), engine: z.string() })),
  usage: z.optional(Usage),
  round: z.catch(z.optional(RoundRecord), undefined),
  recoveries: z.optional(z.array(RecoveryStep)),
  /** The tools that the model was shown. Absent if the model was shown all tools. */
  toolOffer: z.catch(z.optional(ToolOffer), undefined),
  /** Id of the original, if a replay copied this message from another one, perhaps with edits. Absent if the message is not a copy. */
  replayOf: z.optional(z.string()),
  /** Set on the last message of a turn, unless the turn was interrupted. */
  turnEnd: z.optional(TurnEnd),
  /** The prompt contains this summary in place of this message and all earlier ones. */
  summary: z.catch(z.optional(Summary), undefined),
});
export type MessageNode = z.infer<typeof MessageNode>;

/** The position of a message in its chat. The tree stays intact if these fields are readable. */
export const MessagePosition = z.pick(MessageNode, {
  id: true,
  chatId: true,
  parentId: true,
  depth: true,
  createdAt: true,
});
export type MessagePosition = z.infer<typeof MessagePosition>;

/** A chat without its messages, so that listing chats stays cheap. */
export const ChatRecord = z.object({
  id: z.string(),
  title: z.string(),
  isNamed: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Id of the last message of the branch on the screen. Null in an empty chat. */
  leafId: z.nullable(z.string()),
  toolsOff: z.array(z.string()),
  model: z.optional(ModelName),
  /** Absent if the user chose no persona. Ignored if the persona was deleted. */
  persona: z.optional(z.string()),
  /** Only on the hidden chat of a sub-agent: the chat it belongs to and the call that started it. */
  agentOf: z.optional(z.object({ chatId: z.string(), callId: z.string() })),
  toolSearch: z.catch(z.optional(ToolSearchMode), undefined),
  /** Absent if the prompt lists all tools. Stored so that the prompt and its KV cache stay the same. */
  toolOffer: z.catch(z.optional(ToolOffer), undefined),
  pinnedAt: z.catch(z.optional(z.number()), undefined),
  archivedAt: z.catch(z.optional(z.number()), undefined),
  /** Absent if the chat is in no folder. Ignored if the folder was deleted. */
  folderId: z.catch(z.optional(z.string()), undefined),
  deletedAt: z.optional(z.number()),
});
export type ChatRecord = z.infer<typeof ChatRecord>;

/** An unsent edit of a question. The trace's unsaved replay forms are also stored as edits: `questionId` is the form's name, `text` is JSON. */
export const QuestionEdit = z.object({ questionId: z.string(), text: z.string() });
export type QuestionEdit = z.infer<typeof QuestionEdit>;

/** Text that Hearth put into a message box: a server's prompt, shared text, or a prompt from a file. */
export const InsertedText = z.object({ text: z.string(), origin: Origin });
export type InsertedText = z.infer<typeof InsertedText>;

const CurrentDraft = z.object({
  chatId: z.string(),
  text: z.string(),
  origins: z.array(Origin),
  /** Inserted texts, also those that the user has deleted since: undoing or pasting can bring them back. */
  inserted: z.catch(z.optional(z.array(InsertedText)), undefined),
  attached: z.optional(z.array(AttachedItem)),
  edits: z.catch(z.optional(z.array(QuestionEdit)), undefined),
});
const withOrigins = z.transform((row) => addOrigins(row, 'typed'));
/** Text in a chat's message box. The chat itself may not exist yet. Reads drafts of earlier versions too. */
export const Draft = z.pipe(withOrigins, CurrentDraft);
export type Draft = z.infer<typeof Draft>;

/** A message that the user queued while a reply was running. Hearth sends it after that turn. */
export const FollowUp = z.pipe(
  withOrigins,
  z.extend(z.omit(CurrentDraft, { edits: true, inserted: true }), { id: z.string(), place: z.number() }),
);
export type FollowUp = z.infer<typeof FollowUp>;

export const Folder = z.object({
  id: z.string(),
  name: z.string(),
  isFolded: z.boolean(),
  createdAt: z.number(),
});
export type Folder = z.infer<typeof Folder>;
