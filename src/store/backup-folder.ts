/** Stores the folder for automatic backups and their state. Separate from the main database, so damage there does not affect it. */
import { Dexie, type EntityTable } from 'dexie';
import { FolderTrouble } from '../contracts/backup';
import { read, z } from '../contracts/schema';
import { runQuery } from './storage-error';

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const FolderRecord = z.object({
  id: z.literal('folder'),
  /** Undefined if no folder is chosen. From time to time, the browser asks the user again for permission to use the folder. */
  handle: z.optional(z.custom<FileSystemDirectoryHandle>(isObject)),
  /** Encrypts the backups, '' for no encryption. Stored as plain text, like the chats, because it only protects files in the folder. */
  passphrase: z.string(),
  isChanged: z.boolean(),
  last: z.optional(z.object({ at: z.number(), name: z.string(), bytes: z.number() })),
  trouble: z.optional(FolderTrouble),
  /** Whether the user has seen `trouble`. */
  isTold: z.boolean(),
  /** When the user last exported a backup, in milliseconds since the epoch. `remindedAt`: when Hearth last reminded the user to do so. */
  exportedAt: z.optional(z.number()),
  remindedAt: z.optional(z.number()),
  isReminding: z.boolean(),
});
export type FolderRecord = z.infer<typeof FolderRecord>;

const recordId = 'folder';
export const emptyRecord: FolderRecord = {
  id: recordId,
  passphrase: '',
  isChanged: false,
  isTold: false,
  isReminding: true,
};

export class BackupFolderStore extends Dexie {
  declare readonly records: EntityTable<FolderRecord, 'id'>;

  constructor(name = 'hearth-folder') {
    super(name, { cache: 'disabled', chromeTransactionDurability: 'strict' });
    this.version(1).stores({ records: 'id' });
  }

  async load(): Promise<FolderRecord> {
    const record = read(FolderRecord, await runQuery(() => this.records.get(recordId)));
    return record.ok ? record.value : emptyRecord;
  }

  /** Changes fields of the record. Removes a field whose new value is undefined. */
  async change(changed: Partial<FolderRecord>): Promise<FolderRecord> {
    return runQuery(() =>
      this.transaction('rw', this.records, async () => {
        const stored = read(FolderRecord, await this.records.get(recordId));
        const merged = { ...(stored.ok ? stored.value : emptyRecord), ...changed, id: recordId };
        const next = FolderRecord.parse(
          Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)),
        );
        await this.records.put(next);
        return next;
      }),
    );
  }
}

/** Tables whose changes do not require a new backup: counters, logs and caches. */
const tablesNotTriggeringBackup = [
  'tally',
  'requests',
  'toolIndex',
  'toolStatistics',
  'traces',
  'quarantine',
  'deltas',
];

/** Calls `onChange` after each change to the user's data, including changes by other tabs. Returns a function that stops watching. */
export function watchChanges(databaseName: string, onChange: () => void): () => void {
  const onMutation = (parts: Readonly<Record<string, unknown>>) => {
    const tables = Object.keys(parts).flatMap((part) => {
      const [, database, table] = /^idb:\/\/([^/]+)\/([^/]+)\//.exec(part) ?? [];
      return database === databaseName && table !== undefined ? [table] : [];
    });
    if (tables.some((table) => !tablesNotTriggeringBackup.includes(table))) onChange();
  };
  Dexie.on('storagemutated', onMutation);
  return () => Dexie.on.storagemutated.unsubscribe(onMutation);
}
