/** The worker's side of backups in Node, with unwrapped results and accessible files. */
import { AppError } from '../../../src/contracts/app-error';
import {
  type BackupPart,
  backupParts,
  ExportOutcome,
  type ImportMode,
  ImportPreview,
} from '../../../src/contracts/backup';
import { readError } from '../../../src/contracts/error-code';
import { z } from '../../../src/contracts/schema';
import type { Release } from '../../../src/platform/locks';
import type { RemoteBackup } from '../../../src/backup/remote-backup';
import { type WorkerAnswer, serveBackup } from '../../../src/backup/serve-backup';

const ignore = () => undefined;
const Written = z.extend(ExportOutcome, { file: z.instanceof(Blob) });
const RemoteWritten = z.extend(ExportOutcome, { file: z.optional(z.instanceof(Blob)) });

/** Locks of this process. A held lock is refused at once. */
const heldLocks = new Set<string>();

async function lock(name: string): Promise<Release | undefined> {
  await Promise.resolve();
  if (heldLocks.has(name)) return undefined;
  heldLocks.add(name);
  return () => heldLocks.delete(name);
}

export function backupStage(databaseName: string, maxBytes = Infinity) {
  // The least work that the library accepts, because these tests are not about scrypt.
  const api = serveBackup({
    databaseName,
    stageName: `${databaseName}-import`,
    workFactor: 2,
    freeBytes: () => Promise.resolve(maxBytes),
    lock,
  });
  let importId = '';
  return {
    write: async (parts: readonly BackupPart[] = backupParts, passphrase = '') => {
      const order = { parts, passphrase, app: '0.1.0', createdAt: 1_700_000_000_000 };
      return Written.parse(opened(await api.write(order, ignore)));
    },
    stage: async (file: Blob, passphrase = '', name = 'backup.zip') => {
      const preview = ImportPreview.parse(opened(await api.stage({ file, name, passphrase }, ignore)));
      importId = preview.importId;
      return preview;
    },
    staged: async () => z.optional(ImportPreview).parse(opened(await api.staged())),
    apply: async (mode: ImportMode, parts: readonly BackupPart[] = backupParts) =>
      opened(await api.apply({ importId, mode, parts }, ignore)),
    verify: async (file: Blob, passphrase = '') =>
      z.number().parse(opened(await api.verify({ file, name: 'backup.zip', passphrase }, ignore))),
    drop: async () => opened(await api.drop()),
    /** The worker as the page uses it, with files on disk. */
    remote: {
      write: async (order) => RemoteWritten.parse(opened(await api.write(order, ignore))),
      verify: async (order) => z.number().parse(opened(await api.verify(order, ignore))),
    } satisfies Pick<RemoteBackup, 'write' | 'verify'>,
  };
}

function opened(answer: WorkerAnswer): unknown {
  if (!('failure' in answer)) return answer.value;
  const { code, detail } = readError(answer.failure);
  throw code ? new AppError(code, detail) : new Error(detail);
}
