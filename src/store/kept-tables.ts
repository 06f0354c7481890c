/**
 * Every table of every database, and how it goes into a backup. A table that is added to a database is added here: a test
 * compares the two.
 */
import type { BackupPart } from '../contracts/backup';
import { ChatRecord, Draft, Folder, FollowUp, MessageNode } from '../contracts/chat';
import { CustomTool, CustomToolDraft, SecretRecord } from '../contracts/custom-tool';
import { RequestRecord } from '../contracts/egress';
import { ExamRecord } from '../contracts/exam';
import { McpSecrets, McpServer } from '../contracts/mcp-server';
import { Note } from '../contracts/note';
import { OwnPrompt } from '../contracts/own-prompt';
import { AttachedFile } from '../contracts/message';
import { Grant } from '../contracts/permission';
import { Persona, PersonaDraft } from '../contracts/persona';
import { z } from '../contracts/schema';
import { ToolStatistics } from '../contracts/tool';
import { DeltaRecord, TraceRecord } from './tables';
import { SettingRow } from './setting-rows';

/** A row of `results` in a backup: its text lies beside, in a file of its own. */
export const ResultRow = z.object({
  id: z.string(),
  chatId: z.string(),
  createdAt: z.number(),
  /** Of its text in UTF-8: what it takes on the disk, about. */
  bytes: z.int().check(z.minimum(0)),
  /** Of the text. */
  sha256: z.string(),
});
export type ResultRow = z.infer<typeof ResultRow>;

/** As `ResultRow`: the file lies beside, and what was read of it in another. */
export const AttachmentRow = z.object({
  id: z.string(),
  chatId: z.string(),
  createdAt: z.number(),
  name: z.string(),
  kind: AttachedFile.shape.kind,
  type: z.string(),
  isCut: z.optional(z.boolean()),
  bytes: z.int().check(z.minimum(0)),
  sha256: z.string(),
  /** Of the text, in UTF-8. */
  textBytes: z.int().check(z.minimum(0)),
  textSha256: z.string(),
});
export type AttachmentRow = z.infer<typeof AttachmentRow>;

const QuarantineRow = z.object({
  id: z.string(),
  chatId: z.string(),
  row: z.unknown(),
  reason: z.string(),
});

/** A table whose rows are carried. */
export interface CarriedTable {
  name: string;
  part: BackupPart;
  /** The field that names a row. */
  key: string;
  schema: z.ZodMiniType<object>;
  /** Its rows name a chat, and are carried only with it. */
  isOfChat?: true;
  /** When a row was last changed, where its rows say so: of two that differ, the later one is kept. */
  changedAt?: (row: Readonly<Record<string, unknown>>) => unknown;
}

const updatedAt = ({ updatedAt: at }: Readonly<Record<string, unknown>>) => at;

/** In this order they are written, read and put: what a row names comes before it. */
export const carriedTables: readonly CarriedTable[] = [
  { name: 'folders', part: 'chats', key: 'id', schema: Folder },
  { name: 'chats', part: 'chats', key: 'id', schema: ChatRecord, changedAt: updatedAt },
  { name: 'messages', part: 'chats', key: 'id', schema: MessageNode },
  { name: 'deltas', part: 'chats', key: 'sequence', schema: DeltaRecord },
  { name: 'traces', part: 'chats', key: 'messageId', schema: TraceRecord, isOfChat: true },
  { name: 'drafts', part: 'chats', key: 'chatId', schema: Draft },
  { name: 'followUps', part: 'chats', key: 'id', schema: FollowUp, isOfChat: true },
  { name: 'quarantine', part: 'chats', key: 'id', schema: QuarantineRow },
  { name: 'results', part: 'chats', key: 'id', schema: ResultRow, isOfChat: true },
  // Those of a draft, too, whose chat was never begun.
  { name: 'attachments', part: 'chats', key: 'id', schema: AttachmentRow },
  { name: 'notes', part: 'notes', key: 'id', schema: Note, changedAt: updatedAt },
  { name: 'prompts', part: 'prompts', key: 'id', schema: OwnPrompt, changedAt: updatedAt },
  { name: 'personas', part: 'personas', key: 'id', schema: Persona, changedAt: updatedAt },
  { name: 'personaDrafts', part: 'personas', key: 'id', schema: PersonaDraft },
  { name: 'customTools', part: 'tools', key: 'id', schema: CustomTool, changedAt: updatedAt },
  { name: 'toolDrafts', part: 'tools', key: 'id', schema: CustomToolDraft },
  { name: 'mcpServers', part: 'servers', key: 'id', schema: McpServer },
  { name: 'grants', part: 'permissions', key: 'id', schema: Grant, isOfChat: true },
  { name: 'settings', part: 'settings', key: 'key', schema: SettingRow },
  { name: 'requests', part: 'settings', key: 'id', schema: RequestRecord },
  { name: 'toolStatistics', part: 'settings', key: 'name', schema: ToolStatistics },
  { name: 'exams', part: 'settings', key: 'modelId', schema: ExamRecord },
  { name: 'toolSecrets', part: 'keys', key: 'id', schema: SecretRecord },
  { name: 'mcpSecrets', part: 'keys', key: 'serverId', schema: McpSecrets },
];

/** Tables that are in no backup, each with the reason. */
export const leftTables: Readonly<Record<string, string>> = {
  tally: 'counts the messages of this device, and is counted on when they come in',
  toolIndex: 'is made anew from the tools',
};

/** Databases beside the main one: none is in a backup. */
export const leftDatabases: Readonly<Record<string, string>> = {
  'hearth-search': 'is the index of the chats, and is made anew from them',
  'hearth-folder': 'holds which folder of this device backups go to',
  'hearth-import': 'holds a file that is being read in, until it is taken or dropped',
  'hearth-log': 'holds nothing, and is there to be deleted',
};

export const carriedTable = (name: string): CarriedTable | undefined =>
  carriedTables.find((table) => table.name === name);
