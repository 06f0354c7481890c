import type { ChatRecord, Draft, Folder, FollowUp, MessageNode, Place } from './chat';
import type { ChatPatch } from './chat-logic';
import type { CustomTool, CustomToolDraft, CustomToolList, KeptSecret } from './custom-tool';
import type { RequestRecord } from './egress';
import type { ExamStore } from './exam';
import type { McpSecrets, McpServer, McpServerList } from './mcp-server';
import type { AttachedFile } from './message';
import type { ModelEvent } from './model';
import type { Note, NoteList } from './note';
import type { OwnPrompt, OwnPromptList } from './own-prompt';
import type { Grant } from './permission';
import type { Persona, PersonaDraft, PersonaList } from './persona';
import type { Settings } from './settings';
import type { ToolIndex, ToolStatistics } from './tool';

/** What the store is, whether it keeps things on the disk or only for this visit. All of it rejects with an `AppError`. */

/** A row that could not be read: as it was, and why. The row itself stays in its table. */
export interface QuarantineRecord {
  /** Table and key, so that reading it again adds nothing. */
  id: string;
  chatId: string;
  row: unknown;
  reason: string;
}

/** Messages that should be there, and those that are. */
export interface Shortage {
  expected: number;
  found: number;
}

export interface LoadedChat {
  /** Its `leafId` is always that of a message that is there, or null. */
  chat: ChatRecord;
  /** Parents before children; interrupted replies as far as they were checkpointed. */
  nodes: MessageNode[];
  /** Rows that no longer fit. Their places among `nodes` are kept. */
  damaged: QuarantineRecord[];
  /** The hidden chats of its sub-agents, in no order: their `agentOf` says by which call each was asked. */
  agents: Pick<LoadedChat, 'chat' | 'nodes'>[];
  /** The least depth among `nodes`, of which those of lesser depth are not read yet. Missing where all were read. */
  from?: number | undefined;
}

/** What a person puts in order about chats. Undefined takes it away; what is left out stays. */
export type Arrangement = Pick<ChatRecord, 'pinnedAt' | 'archivedAt' | 'folderId'>;

/** A write to a chat that is gone rejects with `chat-deleted` and brings nothing of it back. */
export interface ChatStore {
  create: (chat: ChatRecord) => Promise<void>;
  /** Newest first, without those of sub-agents. */
  list: () => Promise<ChatRecord[]>;
  /** Lists now and after every change, also by another tab. Returns what ends it. */
  watch: (onList: (chats: ChatRecord[]) => void, onError: (error: Error) => void) => () => void;
  /** One that is in the bin counts as gone. */
  load: (chatId: string) => Promise<LoadedChat | undefined>;
  /** As `load`, but of a long chat only the last messages of its branch, and their versions. */
  loadTail: (chatId: string) => Promise<LoadedChat | undefined>;
  /** So many messages of a branch before a depth, and their versions; as `load`, `agents` among them. */
  loadBefore: (chatId: string, depth: number) => Promise<Omit<LoadedChat, 'chat'>>;
  /** Writes a whole message, drops its checkpoints and makes it the leaf: all or nothing. */
  save: (node: MessageNode, prompt?: string) => Promise<void>;
  /** Adds what a running reply grew by since the last checkpoint; the first one makes it the leaf. Never after `save`. */
  checkpoint: (place: Place, events: readonly ModelEvent[]) => Promise<void>;
  /** Adds to a message: how the turn that it is the last of came to its end, or what stands in the prompt for it and all before it. */
  mark: (nodeId: string, mark: Pick<MessageNode, 'turnEnd' | 'summary'>) => Promise<void>;
  update: (chatId: string, patch: ChatPatch) => Promise<void>;
  /** Does nothing if the chat is gone, or if the person has named it. */
  retitle: (chatId: string, title: string) => Promise<void>;
  /** All of them or none. Those that are gone are left out. */
  arrange: (chatIds: readonly string[], change: Arrangement) => Promise<void>;
  /**
   * Makes a chat of its own of a branch: `chat` with copies of all messages up to one, and of what belongs to them. Its leaf is that one.
   */
  copyBranch: (nodeId: string, chat: ChatRecord, newId: () => string) => Promise<void>;
  /** Puts chats into the bin, all or none, with all that belongs to them. Those that are gone are left out. */
  bin: (chatIds: readonly string[]) => Promise<void>;
  /**
   * Puts a message and all that grew from it into the bin. Resolves to the leaf: where that was among them, the newest one of the version
   * beside it, or else its parent.
   */
  binFrom: (nodeId: string) => Promise<string | null>;
  /** Takes a chat out of the bin. False where it is not there any more. */
  restore: (chatId: string) => Promise<boolean>;
  /** Takes messages out of the bin, given by the first of them, and shows them. False where they are not there any more. */
  restoreFrom: (nodeId: string) => Promise<boolean>;
  /** Deletes for good a message and all that grew from it. Resolves to the leaf: its parent, if the leaf was among them. */
  removeFrom: (nodeId: string) => Promise<string | null>;
  /** Deletes for good, with all that belongs to it. Resolves also if it is gone already. */
  delete: (chatId: string) => Promise<void>;
  /** The prompt a reply was made from, if it is among the newest that are kept. */
  loadPrompt: (messageId: string) => Promise<string | undefined>;
  /** Chats whose branch ends in a message that ends no turn. In some of them a turn may be running: its lock is held. */
  interrupted: () => Promise<string[]>;
}

export interface DraftStore {
  /** Undefined where there is none. */
  load: (chatId: string) => Promise<Draft | undefined>;
  /** Those of chats that are not there: nothing was sent in them. */
  listUnbegun: () => Promise<Draft[]>;
  /** An empty text deletes it, unless something else is kept with it. */
  save: (chatId: string, text: string, others?: Omit<Draft, 'chatId' | 'text'>) => Promise<void>;
}

/** Messages that wait until an answer has ended. One that is asked goes in the same step in which its question is written. */
export interface FollowUpStore {
  /** Those of all chats, each chat's in order. */
  watch: (onList: (list: FollowUp[]) => void, onError: (error: Error) => void) => () => void;
  /** Those of a chat, in order. */
  list: (chatId: string) => Promise<FollowUp[]>;
  add: (followUp: FollowUp) => Promise<void>;
  /** Does nothing where it is not there any more. */
  change: (id: string, changed: Partial<Pick<FollowUp, 'text' | 'place'>>) => Promise<void>;
  remove: (id: string) => Promise<void>;
}

export interface GrantStore {
  /** Newest first. */
  list: () => Promise<Grant[]>;
  /** Lists now and after every change, also by another tab. Returns what ends it. */
  watch: (onList: (grants: Grant[]) => void, onError: (error: Error) => void) => () => void;
  /** One for a chat that is gone is not kept. */
  add: (grant: Grant) => Promise<void>;
  remove: (id: string) => Promise<void>;
}

export interface SettingsStore {
  /** A field that was never set, or cannot be read, is as it is by default. */
  load: () => Promise<Settings>;
  save: (changed: Partial<Settings>) => Promise<void>;
  /** The person's own models now and after every change, also by another tab, for as long as the page lives. */
  watchModels: (
    onModels: (models: Pick<Settings, 'ownModels' | 'binnedModels'>) => void,
    onError: (error: Error) => void,
  ) => void;
}

/** What left the device, or was kept from it: the newest 500. */
export interface RequestStore {
  add: (record: RequestRecord) => Promise<void>;
  /** Lists now and after every change, newest first, also by another tab. Returns what ends it. */
  watch: (onList: (records: RequestRecord[]) => void, onError: (error: Error) => void) => () => void;
  clear: () => Promise<void>;
}

/** How each tool has fared on this device. */
export interface StatisticsStore {
  /** What one call adds. */
  add: (added: ToolStatistics) => Promise<void>;
  /** Lists now and after every change, in no order, also by another tab. Returns what ends it. */
  watch: (onList: (list: ToolStatistics[]) => void, onError: (error: Error) => void) => () => void;
}

/** The index by which tools are found, so that it need not be made anew with every visit. */
export interface ToolIndexStore {
  load: () => Promise<ToolIndex | undefined>;
  save: (index: ToolIndex) => Promise<void>;
}

/** A result that was longer than what the model was given of it. */
export interface KeptResult {
  id: string;
  chatId: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  text: string;
}

/** Whole results: up to 4 MB each, up to 200 MB in all. They go with their messages. */
export interface ResultStore {
  /** Resolves to why it was not kept; undefined where it was. One of a chat that is gone is not kept. */
  keep: (result: KeptResult) => Promise<'full' | 'too-long' | undefined>;
  /** Its text; undefined where it is not there. */
  load: (id: string) => Promise<string | undefined>;
}

/** A file that goes with a message of a chat, or with what is being written in it. */
export interface KeptAttachment extends Pick<AttachedFile, 'name' | 'kind'> {
  id: string;
  chatId: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** MIME type, as the browser names it; '' where it knows none. Believed in nothing but for pictures, which are looked at. */
  type: string;
  /** The file as it was; a picture as models are shown it. */
  data: Uint8Array<ArrayBuffer>;
  /** What was read of it; '' of a picture. */
  text: string;
  /** More is in the file than was read. Missing where it is not. */
  isCut?: boolean | undefined;
}

/** Files of chats and of drafts. They go with their messages. */
export interface AttachmentStore {
  add: (attachment: KeptAttachment) => Promise<void>;
  /** Undefined where it is not there. */
  load: (id: string) => Promise<KeptAttachment | undefined>;
  /** Resolves also if it is gone already. */
  remove: (id: string) => Promise<void>;
}

/** Custom tools, their drafts, and the values of their secrets. */
export interface CustomToolStore {
  /** One that cannot be read is quarantined and told of; it hides no other. */
  list: () => Promise<CustomToolList>;
  /** Lists now and after every change, also by another tab. Returns what ends it. */
  watch: (onList: (list: CustomToolList) => void, onError: (error: Error) => void) => () => void;
  save: (tool: CustomTool) => Promise<void>;
  /** With its draft and its secrets. */
  remove: (id: string) => Promise<void>;
  loadDraft: (id: string) => Promise<CustomToolDraft | undefined>;
  saveDraft: (draft: CustomToolDraft) => Promise<void>;
  removeDraft: (id: string) => Promise<void>;
  /** '' deletes it. */
  setSecret: (toolId: string, secret: KeptSecret, value: string) => Promise<void>;
  keptSecrets: (toolId: string) => Promise<KeptSecret[]>;
  /** For the header of a request, and for nothing else. */
  secretOf: (toolId: string, secret: KeptSecret) => Promise<string | undefined>;
}

/** What the person wants to be kept, in words. */
export interface NoteStore {
  /** One that cannot be read is quarantined and told of; it hides no other. */
  list: () => Promise<NoteList>;
  /** Lists now and after every change, also by another tab. Returns what ends it. */
  watch: (onList: (list: NoteList) => void, onError: (error: Error) => void) => () => void;
  /** Rejects with `notes-full` where `mostNotes` are kept. */
  add: (note: Note) => Promise<void>;
  /** Rejects with `note-deleted` where it is gone, and brings nothing of it back. */
  edit: (id: string, changed: Pick<Note, 'text' | 'updatedAt'>) => Promise<void>;
  /** Resolves also if it is gone already. */
  remove: (id: string) => Promise<void>;
}

/** Prompts of one's own. */
export interface OwnPromptStore {
  /** One that cannot be read is quarantined and told of; it hides no other. */
  list: () => Promise<OwnPromptList>;
  /** Lists now and after every change, also by another tab. Returns what ends it. */
  watch: (onList: (list: OwnPromptList) => void, onError: (error: Error) => void) => () => void;
  /** Behind all others. Rejects with `prompts-full` where `mostPrompts` are kept. */
  add: (prompt: Omit<OwnPrompt, 'place'>) => Promise<void>;
  /** Rejects with `prompt-deleted` where it is gone, and brings nothing of it back. */
  edit: (id: string, changed: Pick<OwnPrompt, 'name' | 'text' | 'updatedAt'>) => Promise<void>;
  /** Puts those named into this order. Those that are gone are left out. */
  order: (ids: readonly string[]) => Promise<void>;
  /** Resolves also if it is gone already. */
  remove: (id: string) => Promise<void>;
}

/** Personas, and their drafts. */
export interface PersonaStore {
  /** One that cannot be read is quarantined and told of; it hides no other. */
  list: () => Promise<PersonaList>;
  /** Lists now and after every change, also by another tab. Returns what ends it. */
  watch: (onList: (list: PersonaList) => void, onError: (error: Error) => void) => () => void;
  save: (persona: Persona) => Promise<void>;
  /** With its draft. Resolves also if it is gone already. Chats that chose it go on without one. */
  remove: (id: string) => Promise<void>;
  loadDraft: (id: string) => Promise<PersonaDraft | undefined>;
  saveDraft: (draft: PersonaDraft) => Promise<void>;
  removeDraft: (id: string) => Promise<void>;
}

/** MCP servers, and apart from them their keys and logins. */
export interface McpServerStore {
  /** One that cannot be read is quarantined and told of; it hides no other. */
  list: () => Promise<McpServerList>;
  /** Lists now and after every change, also by another tab. Returns what ends it. */
  watch: (onList: (list: McpServerList) => void, onError: (error: Error) => void) => () => void;
  add: (server: McpServer, secrets: McpSecrets) => Promise<void>;
  /** Changes it as it is on the disk, in one step. Resolves to what it is then; to undefined, and nothing is done, where it is gone. */
  change: (id: string, change: (server: McpServer) => McpServer) => Promise<McpServer | undefined>;
  /** With its secrets, and what was allowed to its tools. Resolves also if it is gone already. */
  remove: (id: string) => Promise<void>;
  /** For requests to that server and to its logins, and for nothing else. */
  secretsOf: (id: string) => Promise<McpSecrets>;
  /** Changes them as they are on the disk, in one step. Does nothing where they are gone. */
  changeSecrets: (id: string, change: (secrets: McpSecrets) => McpSecrets) => Promise<void>;
}

/** Folders of the list of chats. */
export interface FolderStore {
  /** Lists now and after every change, also by another tab, oldest first. Returns what ends it. */
  watch: (onList: (folders: Folder[]) => void, onError: (error: Error) => void) => () => void;
  save: (folder: Folder) => Promise<void>;
  /** Its chats stay, and are in none. Resolves also if it is gone already. */
  remove: (id: string) => Promise<void>;
}

/** What was deleted, for thirty days. */
export interface BinStore {
  /** All of them or none. Those that are gone are left out. */
  put: (places: readonly BinPlace[]) => Promise<void>;
  /** Lists now and after every change, newest first, also by another tab. Returns what ends it. */
  watch: (onList: (entries: BinEntry[]) => void, onError: (error: Error) => void) => () => void;
  /** Resolves to false where it is not there any more. */
  restore: (place: BinPlace) => Promise<boolean>;
  /** All of them or none; those that are not there any more are passed over. */
  restoreAll: (places: readonly BinPlace[]) => Promise<void>;
  /** Deletes for good what is in the bin by then: what another tab has restored stays. */
  purge: (places: readonly BinPlace[]) => Promise<void>;
  /** Deletes for good all that was put there before a time, in milliseconds since the epoch. */
  purgeBefore: (time: number) => Promise<void>;
}

/** What can be deleted all at once. Prompts are those that "Details" shows. */
export type EmptiedKind = 'chats' | 'results' | 'prompts';

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
  /**
   * For when the page is idle, once a visit: finds lost messages, gives chats whose record was lost a new one, and
   * drops all but the newest prompts, and what has been in the bin for thirty days.
   */
  inspect: () => Promise<Shortage | undefined>;
  /** The person has seen the shortage: what is there is all there is. */
  acceptShortage: () => Promise<void>;
  /** Deletes all of a kind for good, those in the bin too: all or nothing. */
  empty: (kind: EmptiedKind) => Promise<void>;
  /** What comes after it rejects with `storage-unavailable`. */
  close: () => void;
}

/** What was deleted and can still be had back. Without zod: nothing of it is stored but as a mark on the rows themselves. */

/** `messages`: one of a chat with all that grew from it. `model`: one of the person's own, without its files. */
export type BinKind = 'chat' | 'messages' | 'persona' | 'tool' | 'note' | 'prompt' | 'server' | 'model';

export interface BinPlace {
  kind: BinKind;
  /** Of its row; of messages, the first one's. */
  id: string;
}

export interface BinEntry extends BinPlace {
  /** What a person knows it by: its title or name, or the beginning of its text. '' where that cannot be read. */
  name: string;
  /** Milliseconds since the epoch. */
  deletedAt: number;
  /** How many messages there are. Only of messages. */
  count?: number;
}

/** Milliseconds for which something stays in the bin. */
export const binMs = 30 * 24 * 60 * 60 * 1000;

/** What Hearth keeps on this device, by what it is for. */

/** `app`: the copy of Hearth for offline use, with its own model. `rest`: settings, tools, personas, notes, prompts of one's own, and what has no other name. */
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

/** Those that can be deleted by themselves. An index is made anew from the chats. */
export const deletableKinds = ['chats', 'results', 'prompts', 'models', 'index'] as const;
export type DeletableKind = (typeof deletableKinds)[number];

/** Bytes of each kind, counted from what is stored, before the browser packs it. */
export type StoredParts = Readonly<Record<StoredKind, number>>;
