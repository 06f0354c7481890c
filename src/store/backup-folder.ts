/** Keeps where backups go by themselves, and how that stands: in a database of its own, so that a damaged main one takes it not along. */
import { Dexie, type EntityTable } from 'dexie';
import { FolderTrouble } from '../contracts/backup';
import { read, z } from '../contracts/schema';
import { attempt } from './storage-error';

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const FolderRecord = z.object({
  id: z.literal('folder'),
  /** Missing where no folder was chosen. A handle: the browser asks anew now and then whether it may be used. */
  handle: z.optional(z.custom<FileSystemDirectoryHandle>(isObject)),
  /** '' for none. Kept here, where what it protects lies open anyway: it protects the files in the folder. */
  passphrase: z.string(),
  /** Something has changed since the last backup. */
  isChanged: z.boolean(),
  /** Of the last backup that was read back whole. Missing where there is none. */
  last: z.optional(z.object({ at: z.number(), name: z.string(), bytes: z.number() })),
  /** Why the last try failed. Missing where it did not. */
  trouble: z.optional(FolderTrouble),
  /** The person has been told of it. */
  isTold: z.boolean(),
  /** When a person last wrote a file by hand, and when they were last reminded to; milliseconds since the epoch. */
  exportedAt: z.optional(z.number()),
  remindedAt: z.optional(z.number()),
  /** Off: they do not want to be reminded. */
  isReminding: z.boolean(),
});
export type FolderRecord = z.infer<typeof FolderRecord>;

const id = 'folder';
/** As if nothing had been chosen. */
export const emptyFolder: FolderRecord = {
  id,
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

  /** As if nothing had been chosen, where it cannot be read. */
  async load(): Promise<FolderRecord> {
    const record = read(FolderRecord, await attempt(() => this.records.get(id)));
    return record.ok ? record.value : emptyFolder;
  }

  /** A field that is `undefined` is taken out. */
  async change(changed: Partial<FolderRecord>): Promise<FolderRecord> {
    return attempt(() =>
      this.transaction('rw', this.records, async () => {
        const kept = read(FolderRecord, await this.records.get(id));
        const merged = { ...(kept.ok ? kept.value : emptyFolder), ...changed, id };
        const next = FolderRecord.parse(
          Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)),
        );
        await this.records.put(next);
        return next;
      }),
    );
  }
}

/** Tables whose changes are no reason for another backup: they count or log what goes on by itself. */
const restless = ['tally', 'requests', 'toolIndex', 'toolStatistics', 'traces', 'quarantine', 'deltas'];

/** Tells of each change of what a person keeps, in this tab and in others. Returns what ends it. */
export function watchChanges(databaseName: string, onChange: () => void): () => void {
  const tell = (parts: Readonly<Record<string, unknown>>) => {
    const tables = Object.keys(parts).flatMap((part) => {
      const [, database, table] = /^idb:\/\/([^/]+)\/([^/]+)\//.exec(part) ?? [];
      return database === databaseName && table !== undefined ? [table] : [];
    });
    if (tables.some((table) => !restless.includes(table))) onChange();
  };
  Dexie.on('storagemutated', tell);
  return () => Dexie.on.storagemutated.unsubscribe(tell);
}
