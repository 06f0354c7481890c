/** Lists the tables that a backup contains and those that it omits. A test checks that each table and database is in one of these lists. */
import type { BackupPart } from '../contracts/backup';
import { ChatRecord, Draft, Folder, FollowUp, MessageNode } from '../contracts/chat';
import { CustomTool, CustomToolDraft, SecretRecord } from '../contracts/custom-tool';
import { RequestRecord } from '../contracts/egress';
import { ExamRecord } from '../contracts/exam';
import { McpSecrets, McpServer } from '../contracts/mcp-server';
import { AttachedFile } from '../contracts/message';
import type { OwnModel } from '../contracts/model-library';
import { Note } from '../contracts/note';
import { OwnPrompt } from '../contracts/own-prompt';
import { Grant } from '../contracts/permission';
import { Persona, PersonaDraft } from '../contracts/persona';
import { z } from '../contracts/schema';
import { Settings } from '../contracts/settings';
import { ToolStatistics } from '../contracts/tool';
import { DeltaRecord, TraceRecord } from './tables';

const ByteCount = z.int().check(z.minimum(0));

/** A row of `results` in a backup. The archive stores its text in a separate file, `bytes` long in UTF-8. */
export const ResultRow = z.object({
  id: z.string(),
  chatId: z.string(),
  createdAt: z.number(),
  bytes: ByteCount,
  sha256: z.string(),
});
export type ResultRow = z.infer<typeof ResultRow>;

/** A row of `attachments` in a backup. The archive stores the attached file and its extracted text (UTF-8) in separate files. */
export const AttachmentRow = z.extend(ResultRow, {
  name: z.string(),
  kind: AttachedFile.shape.kind,
  type: z.string(),
  isCut: z.optional(z.boolean()),
  textBytes: ByteCount,
  textSha256: z.string(),
});
export type AttachmentRow = z.infer<typeof AttachmentRow>;

const QuarantineRow = z.object({ id: z.string(), chatId: z.string(), row: z.unknown(), reason: z.string() });

export const SettingRow = z
  .object({ key: z.string(), value: z.unknown() })
  .check(z.refine(({ key, value }) => isValidSetting(key, value), 'No setting, or not a value of it'));
export type SettingRow = z.infer<typeof SettingRow>;

export interface BackedUpTable {
  name: string;
  part: BackupPart;
  key: string;
  schema: z.ZodMiniType<object>;
  /** Whether each row has a `chatId` and is only backed up together with that chat. */
  isOfChat?: true;
  /** Returns when a row was last changed, so an import can keep the newer version. Undefined if the table's rows store no such time. */
  changedAt?: (row: Readonly<Record<string, unknown>>) => unknown;
}

const updatedAtOf = ({ updatedAt: at }: Readonly<Record<string, unknown>>) => at;

/** In the order of export and import. A table comes after the tables that its rows reference. */
export const backedUpTables: readonly BackedUpTable[] = [
  { name: 'folders', part: 'chats', key: 'id', schema: Folder },
  { name: 'chats', part: 'chats', key: 'id', schema: ChatRecord, changedAt: updatedAtOf },
  { name: 'messages', part: 'chats', key: 'id', schema: MessageNode },
  { name: 'deltas', part: 'chats', key: 'sequence', schema: DeltaRecord },
  { name: 'traces', part: 'chats', key: 'messageId', schema: TraceRecord, isOfChat: true },
  { name: 'drafts', part: 'chats', key: 'chatId', schema: Draft },
  { name: 'followUps', part: 'chats', key: 'id', schema: FollowUp, isOfChat: true },
  { name: 'quarantine', part: 'chats', key: 'id', schema: QuarantineRow },
  { name: 'results', part: 'chats', key: 'id', schema: ResultRow, isOfChat: true },
  // Not `isOfChat`, because an attachment may belong to a draft whose chat does not exist yet.
  { name: 'attachments', part: 'chats', key: 'id', schema: AttachmentRow },
  { name: 'notes', part: 'notes', key: 'id', schema: Note, changedAt: updatedAtOf },
  { name: 'prompts', part: 'prompts', key: 'id', schema: OwnPrompt, changedAt: updatedAtOf },
  { name: 'personas', part: 'personas', key: 'id', schema: Persona, changedAt: updatedAtOf },
  { name: 'personaDrafts', part: 'personas', key: 'id', schema: PersonaDraft },
  { name: 'customTools', part: 'tools', key: 'id', schema: CustomTool, changedAt: updatedAtOf },
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

/** We do not back up counters, indexes and other data that Hearth can rebuild, nor data that concerns only this device. */
export const tablesWithoutBackup: readonly string[] = ['tally', 'toolIndex'];
export const databasesWithoutBackup = ['hearth-search', 'hearth-folder', 'hearth-import', 'hearth-log'];

/** Whether a setting is valid. Parsing alone cannot tell, because `Settings` replaces an unreadable value with its default. */
function isValidSetting(key: string, value: unknown): boolean {
  const schema = Object.entries(Settings.shape).find(([name]) => name === key)?.[1];
  const parsed = schema?.safeParse(value);
  return parsed !== undefined && parsed.success && isDeepEqual(parsed.data, value);
}

/** Removes the API keys of search providers and of models on servers, because a backup contains the settings. */
export function withoutApiKeys({ key, value }: SettingRow): SettingRow {
  if (key === 'providers') {
    const providers = Object.entries(Settings.shape.providers.parse(value));
    const bare = providers.map(([id, setting]) => [id, withoutApiKey(setting)]);
    return { key, value: Object.fromEntries(bare) as unknown };
  }
  if (key === 'ownModels') {
    const models = Settings.shape.ownModels.parse(value);
    return { key, value: models.map(modelWithoutApiKey) };
  }
  if (key === 'binnedModels') {
    const binned = Settings.shape.binnedModels.parse(value) ?? [];
    return { key, value: binned.map((entry) => ({ ...entry, model: modelWithoutApiKey(entry.model) })) };
  }
  return { key, value };
}

function modelWithoutApiKey(model: OwnModel): OwnModel {
  return model.endpoint ? { ...model, endpoint: withoutApiKey(model.endpoint) } : model;
}

function withoutApiKey<Value extends { key?: string | undefined }>(value: Value): Omit<Value, 'key'> {
  const rest = { ...value };
  delete rest.key;
  return rest;
}

/** Whether two stored values are equal. A field with the value undefined counts as absent. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (one instanceof Uint8Array && other instanceof Uint8Array)
    return one.length === other.length && one.every((byte, at) => byte === other[at]);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [ofOne, ofOther] = [definedFieldsOf(one), definedFieldsOf(other)];
  if (ofOne.size !== ofOther.size) return false;
  return [...ofOne].every(([name, value]) => ofOther.has(name) && isDeepEqual(value, ofOther.get(name)));
}

function definedFieldsOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, item]) => item !== undefined));
}
