/**
 * The store, on disk or in memory. All methods reject with an `AppError`. Times are milliseconds since the epoch.
 * `watch` calls back at once and after every change, even by another tab. It returns a function that stops it.
 * `list` and `watch` report unreadable rows as `damaged`, and copy them to the quarantine.
 */
import type { ChatRecord, Draft, Folder, FollowUp, MessageNode, MessagePosition } from './chat';
import type { ChatPatch } from './chat-logic';
import type { CustomTool, CustomToolDraft, CustomToolList, SecretName } from './custom-tool';
import type { RequestRecord } from './egress';
import type { ExamStore } from './exam';
import type { McpSecrets, McpServer, McpServerList } from './mcp-server';
import type { AttachedFile } from './message';
import type { ModelEvent } from './model';
import type { Note, NoteList } from './note';
import type { Origin } from './origin';
import type { OwnPrompt, OwnPromptList } from './own-prompt';
import type { Grant } from './permission';
import type { Persona, PersonaDraft, PersonaList } from './persona';
import type { Settings } from './settings';
import type { ToolIndex, ToolStatistics } from './tool';

/** A copy of an unreadable row. The row itself stays in its table. */
export interface QuarantineRecord {
  id: string;
  chatId: string;
  row: unknown;
  reason: string;
}

export interface LostMessages {
  expected: number;
  found: number;
}

export interface LoadedChat {
  chat: ChatRecord;
  /** Parents come before children. An interrupted reply ends at its last checkpoint. */
  nodes: MessageNode[];
  /** Unreadable rows. `nodes` contains a placeholder for each unreadable message. */
  damaged: QuarantineRecord[];
  /** Hidden chats of sub-agents, in no particular order. `agentOf` names the call that started the sub-agent. */
  agents: Pick<LoadedChat, 'chat' | 'nodes'>[];
  /** The smallest depth in `nodes`. Absent if all messages are loaded. */
  from?: number | undefined;
}

export interface WatchedStore<List> {
  watch: (onList: (list: List) => void, onError: (error: Error) => void) => () => void;
}

interface ListStore<List> extends WatchedStore<List> {
  list: () => Promise<List>;
}

/** Chats, newest first and without those of sub-agents. A write to a deleted chat rejects with `chat-deleted`. */
export interface ChatStore extends ListStore<ChatRecord[]> {
  create: (chat: ChatRecord) => Promise<void>;
  /** Resolves to undefined if the chat is in the bin or gone. */
  load: (chatId: string) => Promise<LoadedChat | undefined>;
  /** Like `load`, but loads only the last messages of a long chat's branch, with their versions. */
  loadTail: (chatId: string) => Promise<LoadedChat | undefined>;
  /** Loads the messages of a branch before `depth`, with their versions and agents. */
  loadBefore: (chatId: string, depth: number) => Promise<Omit<LoadedChat, 'chat'>>;
  /** Writes a message, deletes its checkpoints and makes it the leaf, in one transaction. `prompt`: what the model read, for the trace. */
  save: (node: MessageNode, prompt?: string) => Promise<void>;
  /** Saves events of a running reply. The first call makes the reply the leaf. Do not call it after `save`. */
  checkpoint: (
    place: MessagePosition,
    events: readonly ModelEvent[],
    /** Strangers whose text was in the prompt. */
    origins?: readonly Origin[],
  ) => Promise<void>;
  /** Adds a field to a stored message: how its turn ended, or the summary of the chat up to this message. */
  mark: (nodeId: string, mark: Pick<MessageNode, 'turnEnd' | 'summary'>) => Promise<void>;
  update: (chatId: string, patch: ChatPatch) => Promise<void>;
  /** Does nothing if the chat is gone or the user named it. */
  retitle: (chatId: string, title: string) => Promise<void>;
  /** Changes all chats or none. Skips chats that are gone. Clears a field that is set to undefined, and keeps absent fields. */
  arrange: (
    chatIds: readonly string[],
    change: Pick<ChatRecord, 'pinnedAt' | 'archivedAt' | 'folderId'>,
  ) => Promise<void>;
  /** Copies the branch up to `nodeId`, with everything that belongs to it, into the new `chat`. */
  copyBranch: (nodeId: string, chat: ChatRecord, newId: () => string) => Promise<void>;
  /** Moves a message and its descendants to the bin. Resolves to the new leaf (see `leafAfterRemoval`). */
  binFrom: (nodeId: string) => Promise<string | null>;
  /** Restores messages from the bin and shows them. `nodeId`: the first one. Does nothing if they are gone. */
  restoreFrom: (nodeId: string) => Promise<void>;
  /** Resolves to the prompt of a reply. Undefined for older replies, because the store keeps only the newest prompts. */
  loadPrompt: (messageId: string) => Promise<string | undefined>;
}

export interface DraftStore {
  load: (chatId: string) => Promise<Draft | undefined>;
  /** Resolves to the drafts of chats that do not exist yet. */
  listUnbegun: () => Promise<Draft[]>;
  /** Empty text deletes the draft, unless `others` is set. */
  save: (chatId: string, text: string, others?: Omit<Draft, 'chatId' | 'text'>) => Promise<void>;
}

/** Queued messages. `ChatStore.save` removes a message in the transaction that stores it in the chat. */
export interface FollowUpStore extends WatchedStore<FollowUp[]> {
  list: (chatId: string) => Promise<FollowUp[]>;
  add: (followUp: FollowUp) => Promise<void>;
  change: (id: string, changed: Partial<Pick<FollowUp, 'text' | 'place'>>) => Promise<void>;
  remove: (id: string) => Promise<void>;
}

export interface GrantStore extends ListStore<Grant[]> {
  /** Ignores permissions for a chat that is gone. */
  add: (grant: Grant) => Promise<void>;
  remove: (id: string) => Promise<void>;
}

export interface SettingsStore {
  /** Absent or unreadable fields get their defaults. */
  load: () => Promise<Settings>;
  save: (changed: Partial<Settings>) => Promise<void>;
  watchModels: (
    onModels: (models: Pick<Settings, 'ownModels' | 'binnedModels'>) => void,
    onError: (error: Error) => void,
  ) => void;
}

/** The log of network requests. Keeps the newest 500. */
export interface RequestStore extends WatchedStore<RequestRecord[]> {
  add: (record: RequestRecord) => Promise<void>;
  clear: () => Promise<void>;
}

export interface StatisticsStore extends WatchedStore<ToolStatistics[]> {
  add: (added: ToolStatistics) => Promise<void>;
}

/** The stored search index of tools, so Hearth need not rebuild it at each start. */
export interface ToolIndexStore {
  load: () => Promise<ToolIndex | undefined>;
  save: (index: ToolIndex) => Promise<void>;
}

export interface StoredResult {
  id: string;
  chatId: string;
  createdAt: number;
  text: string;
}

/** Full texts of results, at most 4 MB each and 200 MB in total. The store deletes them along with their message. */
export interface ResultStore {
  /** Resolves to the reason why the result was not stored, or undefined if it was. Ignores results of a chat that is gone. */
  keep: (result: StoredResult) => Promise<'full' | 'too-long' | undefined>;
  load: (id: string) => Promise<string | undefined>;
}

export interface StoredAttachment extends Pick<AttachedFile, 'name' | 'kind'> {
  id: string;
  chatId: string;
  createdAt: number;
  /** MIME type from the browser, or ''. Not trusted, except for pictures, whose bytes we check. */
  type: string;
  data: Uint8Array<ArrayBuffer>;
  text: string;
  isCut?: boolean | undefined;
}

export interface AttachmentStore {
  add: (attachment: StoredAttachment) => Promise<void>;
  load: (id: string) => Promise<StoredAttachment | undefined>;
  remove: (id: string) => Promise<void>;
}

interface StoreWithDrafts<Item, List, Form> extends ListStore<List> {
  save: (item: Item) => Promise<void>;
  loadDraft: (id: string) => Promise<Form | undefined>;
  saveDraft: (draft: Form) => Promise<void>;
  removeDraft: (id: string) => Promise<void>;
}

export type PersonaStore = StoreWithDrafts<Persona, PersonaList, PersonaDraft>;

export interface CustomToolStore extends StoreWithDrafts<CustomTool, CustomToolList, CustomToolDraft> {
  /** An empty `value` deletes the secret. */
  setSecret: (toolId: string, secret: SecretName, value: string) => Promise<void>;
  keptSecrets: (toolId: string) => Promise<SecretName[]>;
  /** Resolves to the secret's value. Use it only in the header of a request. */
  secretOf: (toolId: string, secret: SecretName) => Promise<string | undefined>;
}

export interface NoteStore extends ListStore<NoteList> {
  /** Rejects with `notes-full` if there are `maxNotes` notes. */
  add: (note: Note) => Promise<void>;
  edit: (id: string, changed: Pick<Note, 'text' | 'updatedAt'>) => Promise<void>;
}

export interface OwnPromptStore extends ListStore<OwnPromptList> {
  /** Adds a prompt at the end. Rejects with `prompts-full` if there are `maxPrompts` prompts. */
  add: (prompt: Omit<OwnPrompt, 'place'>) => Promise<void>;
  edit: (id: string, changed: Pick<OwnPrompt, 'name' | 'text' | 'updatedAt'>) => Promise<void>;
  /** Puts the prompts into the order of `ids`. Skips ids that are gone. */
  order: (ids: readonly string[]) => Promise<void>;
}

export interface McpServerStore extends ListStore<McpServerList> {
  add: (server: McpServer, secrets: McpSecrets) => Promise<void>;
  /** Reads and writes in one transaction. Resolves to the changed server, or undefined if the server is gone. */
  change: (id: string, change: (server: McpServer) => McpServer) => Promise<McpServer | undefined>;
  /** Use the secrets only in requests to the server and its login. */
  secretsOf: (id: string) => Promise<McpSecrets>;
  changeSecrets: (id: string, change: (secrets: McpSecrets) => McpSecrets) => Promise<void>;
}

export interface FolderStore extends WatchedStore<Folder[]> {
  save: (folder: Folder) => Promise<void>;
  /** Keeps the folder's chats. */
  remove: (id: string) => Promise<void>;
}

export interface BinStore extends WatchedStore<BinEntry[]> {
  /** Moves all items or none. Skips items that are gone. */
  put: (places: readonly BinItemKey[]) => Promise<void>;
  restoreAll: (places: readonly BinItemKey[]) => Promise<void>;
  purge: (places: readonly BinItemKey[]) => Promise<void>;
  purgeBefore: (time: number) => Promise<void>;
}

/** Kinds of data that the user can delete all at once. `prompts`: the stored prompts that "Details" shows. */
export type ClearableKind = 'chats' | 'results' | 'prompts';

export interface Store {
  chats: ChatStore;
  drafts: DraftStore;
  followUps: FollowUpStore;
  settings: SettingsStore;
  grants: GrantStore;
  requests: RequestStore;
  statistics: StatisticsStore;
  customTools: CustomToolStore;
  toolIndex: ToolIndexStore;
  notes: NoteStore;
  ownPrompts: OwnPromptStore;
  results: ResultStore;
  attachments: AttachmentStore;
  personas: PersonaStore;
  mcpServers: McpServerStore;
  exams: ExamStore;
  folders: FolderStore;
  bin: BinStore;
  /** Call once per start, when idle. Looks for lost messages, rebuilds lost chat records and deletes expired data. */
  inspect: () => Promise<LostMessages | undefined>;
  /** Accepts the loss that `inspect` reported. The remaining messages then count as complete. */
  acceptShortage: () => Promise<void>;
  /** Permanently deletes all items of one kind, even those in the bin, in one transaction. */
  empty: (kind: ClearableKind) => Promise<void>;
  /** Later calls reject with `storage-unavailable`. */
  close: () => void;
}

/** `messages`: a message and its descendants. `model`: one of the user's own models, without its files. */
export type BinKind = 'chat' | 'messages' | 'persona' | 'tool' | 'note' | 'prompt' | 'server' | 'model';

export interface BinItemKey {
  kind: BinKind;
  id: string;
}

export interface BinEntry extends BinItemKey {
  /** Title, name, or beginning of the text. '' if the item cannot be read. */
  name: string;
  deletedAt: number;
  count?: number;
}

export const binRetentionMs = 30 * 24 * 60 * 60 * 1000;

/** `app`: the offline copy of Hearth with its model. `rest`: settings, tools, notes and all other data. */
export const storedKinds = [
  'chats',
  'attachments',
  'results',
  'prompts',
  'models',
  'index',
  'app',
  'rest',
] as const;
export type StoredKind = (typeof storedKinds)[number];

/** Kinds that the user can delete separately. Hearth rebuilds the index from the chats. */
export const deletableKinds = ['chats', 'results', 'prompts', 'models', 'index'] as const;
export type DeletableKind = (typeof deletableKinds)[number];

export type StoredBytes = Readonly<Record<StoredKind, number>>;
