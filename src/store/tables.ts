/** The tables that the stores use: `Database` in IndexedDB, or `createMapTables` in memory. The methods are a subset of Dexie's. */
import type { ChatRecord, Draft, Folder, FollowUp, MessageNode } from '../contracts/chat';
import type { CustomTool, CustomToolDraft, SecretRecord } from '../contracts/custom-tool';
import type { RequestRecord } from '../contracts/egress';
import type { ExamRecord } from '../contracts/exam';
import type { McpSecrets, McpServer } from '../contracts/mcp-server';
import { ModelEvent } from '../contracts/model';
import type { Note } from '../contracts/note';
import type { OwnPrompt } from '../contracts/own-prompt';
import type { Grant } from '../contracts/permission';
import type { Persona, PersonaDraft } from '../contracts/persona';
import { z } from '../contracts/schema';
import type { StoredAttachment, StoredResult, QuarantineRecord } from '../contracts/store';
import type { ToolIndex, ToolStatistics } from '../contracts/tool';
import { MessageCount } from './sentinel';

/** A checkpoint: the events of a running reply since the previous checkpoint. */
export const DeltaRecord = z.object({
  sequence: z.number(),
  messageId: z.string(),
  events: z.array(ModelEvent),
});
export type DeltaRecord = z.infer<typeof DeltaRecord>;

/** The prompt of a reply. Has its own table, because messages are read far more often than prompts. */
export const TraceRecord = z.object({
  messageId: z.string(),
  chatId: z.string(),
  createdAt: z.number(),
  prompt: z.string(),
});
export type TraceRecord = z.infer<typeof TraceRecord>;

export const TallyRecord = z.extend(MessageCount, { id: z.string() });
export type TallyRecord = z.infer<typeof TallyRecord>;

export interface RowTypes {
  chats: [ChatRecord, 'id'];
  messages: [MessageNode, 'id'];
  deltas: [DeltaRecord, 'sequence'];
  traces: [TraceRecord, 'messageId'];
  drafts: [Draft, 'chatId'];
  /** Each field of the settings has its own row, so two tabs can change different fields. */
  settings: [{ key: string; value: unknown }, 'key'];
  quarantine: [QuarantineRecord, 'id'];
  tally: [TallyRecord, 'id'];
  grants: [Grant, 'id'];
  requests: [RequestRecord, 'id'];
  toolStatistics: [ToolStatistics, 'name'];
  customTools: [CustomTool, 'id'];
  toolDrafts: [CustomToolDraft, 'id'];
  toolSecrets: [SecretRecord, 'id'];
  toolIndex: [{ id: string; index: ToolIndex }, 'id'];
  notes: [Note, 'id'];
  /** `bytes`: approximate size of the text. It lets us sum up sizes without reading the texts. */
  results: [StoredResult & { bytes: number }, 'id'];
  personas: [Persona, 'id'];
  personaDrafts: [PersonaDraft, 'id'];
  mcpServers: [McpServer, 'id'];
  mcpSecrets: [McpSecrets, 'serverId'];
  exams: [ExamRecord, 'modelId'];
  folders: [Folder, 'id'];
  attachments: [StoredAttachment, 'id'];
  followUps: [FollowUp, 'id'];
  prompts: [OwnPrompt, 'id'];
}

export type TableName = keyof RowTypes;

type RowOf<Name extends TableName> = RowTypes[Name][0];
type KeyOf<Name extends TableName> = RowOf<Name>[RowTypes[Name][1] & keyof RowOf<Name>];

/** A new row to add. A new checkpoint has no number yet, because the table assigns it. */
type NewRow<Name extends TableName> = Name extends 'deltas' ? Omit<DeltaRecord, 'sequence'> : RowOf<Name>;

/**
 * All versions of the database that ever shipped: per table the key, then its other indexes. Never edit a version. Add a new one, and a
 * fixture of the previous one (docs/how-to/change-a-stored-shape.md).
 */
export const databaseVersions: readonly Partial<Record<TableName, string>>[] = [
  {
    chats: 'id, updatedAt',
    messages: 'id, chatId',
    deltas: '++sequence, messageId',
    traces: 'messageId, chatId, createdAt',
    drafts: 'chatId',
    settings: 'key',
    quarantine: 'id, chatId',
    tally: 'id',
  },
  {
    grants: 'id, tool, chatId',
    requests: 'id, at',
    toolStatistics: 'name',
    customTools: 'id',
    toolDrafts: 'id, toolId',
    toolSecrets: 'id, toolId',
  },
  { toolIndex: 'id' },
  { notes: 'id' },
  { results: 'id, chatId, bytes' },
  {
    chats: 'id, updatedAt, agentOf.chatId',
    personas: 'id',
    personaDrafts: 'id, personaId',
  },
  { mcpServers: 'id', mcpSecrets: 'serverId' },
  { exams: 'modelId' },
  // The index on `deletedAt` contains only rows in the bin. The index on depths contains only messages with a known depth.
  {
    chats: 'id, updatedAt, agentOf.chatId, deletedAt',
    messages: 'id, chatId, [chatId+depth], deletedAt',
    customTools: 'id, deletedAt',
    notes: 'id, deletedAt',
    personas: 'id, deletedAt',
    mcpServers: 'id, deletedAt',
    folders: 'id',
  },
  { attachments: 'id, chatId' },
  { followUps: 'id, chatId' },
  { prompts: 'id, deletedAt' },
];

export const tableNames = [
  ...new Set(databaseVersions.flatMap((version) => Object.keys(version) as TableName[])),
];

export interface Table<Row, Key, AddedRow = Row> {
  get(key: Key): PromiseLike<Row | undefined>;
  bulkGet(keys: Key[]): PromiseLike<(Row | undefined)[]>;
  toArray(): PromiseLike<Row[]>;
  count(): PromiseLike<number>;
  add(row: AddedRow): PromiseLike<Key>;
  bulkAdd(rows: readonly AddedRow[]): PromiseLike<unknown>;
  put(row: Row): PromiseLike<Key>;
  bulkPut(rows: readonly Row[]): PromiseLike<unknown>;
  /** Resolves to 0 if there is no such row or nothing changes. Keys of `changes` may be paths such as `content.name`. */
  update(key: Key, changes: object): PromiseLike<number>;
  bulkUpdate(rows: readonly { key: Key; changes: object }[]): PromiseLike<number>;
  delete(key: Key): PromiseLike<void>;
  bulkDelete(keys: readonly Key[]): PromiseLike<void>;
  clear(): PromiseLike<void>;
  where(index: string): WhereClause<Row, Key>;
  orderBy(index: string): RowSelection<Row, Key>;
  toCollection(): RowSelection<Row, Key>;
}

export interface WhereClause<Row, Key> {
  equals(value: IndexValue): RowSelection<Row, Key>;
  anyOf(values: readonly IndexValue[]): RowSelection<Row, Key>;
  above(value: IndexValue): RowSelection<Row, Key>;
  between(lower: IndexValue, upper: IndexValue, ...includesBoth: [true, true]): RowSelection<Row, Key>;
}

export type IndexValue = string | number | readonly (string | number)[];

export interface RowSelection<Row, Key> {
  toArray(): PromiseLike<Row[]>;
  primaryKeys(): PromiseLike<Key[]>;
  keys(): PromiseLike<unknown[]>;
  uniqueKeys(): PromiseLike<unknown[]>;
  lastKey(): PromiseLike<unknown>;
  count(): PromiseLike<number>;
  delete(): PromiseLike<number>;
  modify(changes: Partial<Row>): PromiseLike<number>;
  filter(isIn: (row: Row) => boolean): RowSelection<Row, Key>;
  reverse(): RowSelection<Row, Key>;
  offset(count: number): RowSelection<Row, Key>;
  limit(count: number): RowSelection<Row, Key>;
}

export type Tables = {
  readonly [Name in TableName]: Table<RowOf<Name>, KeyOf<Name>, NewRow<Name>>;
} & {
  /**
   * Runs `scope` in a transaction, all or nothing. `scope` may only await operations on the tables it receives. Rejects with the `AppError`
   * `storage-full` or `storage-unavailable`, or with whatever `scope` throws.
   */
  write<Value>(names: readonly TableName[], scope: (tables: Tables) => Promise<Value>): Promise<Value>;
  read<Value>(names: readonly TableName[], scope: (tables: Tables) => Promise<Value>): Promise<Value>;
  onCommit(task: () => void): void;
  /** Calls `onValue` with the result of `query` now and after every change, even by other tabs. Returns a function that stops watching. */
  watch<Value>(
    query: (tables: Tables) => Promise<Value>,
    onValue: (value: Value) => void,
    onError: (error: Error) => void,
  ): () => void;
};
