import 'fake-indexeddb/auto';
import { beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/contracts/app-error';
import type { BackupManifest } from '../../../src/contracts/backup';
import type { ErrorCode } from '../../../src/contracts/error-code';
import { backupStage } from '../../support/backup/backup-stage';
import { type Files, manifestOf, pack, unpack, withRows } from '../../support/backup/forge';
import { changedRow } from '../../support/backup/mutate';
import { everyNth } from '../../support/matrix';
import { dumpTables, stockDatabase } from '../../support/backup/stocked-database';

let good: Blob;
let encrypted: Blob;
let files: Files;
const stage = backupStage('malformed');

beforeAll(async () => {
  await stockDatabase('good');
  good = (await backupStage('good').write()).file;
  encrypted = (await backupStage('good').write(undefined, 'words')).file;
  files = await unpack(good);
  await stockDatabase('malformed');
});

/** Returns the error code of a refused file. Throws if the file is accepted or the error has no code. */
async function refusalOf(file: Blob, passphrase = ''): Promise<ErrorCode> {
  const error: unknown = await stage.stage(file, passphrase).then(
    () => 'taken',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  expect(await stage.staged()).toBeUndefined();
  return (error as AppError).code;
}

const changed = (change: (manifest: BackupManifest) => object): Files =>
  new Map([...files, ['manifest.json', JSON.stringify(change(manifestOf(files)))]]);
const without = (name: string): Files => new Map([...files].filter(([other]) => other !== name));

const cases: { what: string; file: () => Promise<Blob> | Blob; code: ErrorCode; passphrase?: string }[] = [
  { what: 'an empty file', file: () => new Blob([]), code: 'backup-unknown' },
  { what: 'plain text', file: () => new Blob(['Dear Sir']), code: 'backup-unknown' },
  {
    what: 'an archive of other files',
    file: () => pack(new Map([['a.txt', 'a']])),
    code: 'backup-unknown',
  },
  {
    what: 'a backup of another program',
    file: () => pack(changed((manifest) => ({ ...manifest, format: 'other' }))),
    code: 'backup-unknown',
  },
  {
    what: 'a file without its second half',
    file: () => good.slice(0, good.size >> 1),
    code: 'backup-damaged',
  },
  { what: 'a file without its last byte', file: () => good.slice(0, -1), code: 'backup-damaged' },
  {
    what: 'a backup in a newer format',
    file: () => pack(changed((manifest) => ({ ...manifest, version: 2 }))),
    code: 'backup-newer',
  },
  {
    what: 'a backup of a newer database',
    file: () => pack(changed((manifest) => ({ ...manifest, schema: 99 }))),
    code: 'backup-newer',
  },
  {
    what: 'a newer format with nothing else in the manifest',
    file: () => pack(changed(() => ({ format: 'hearth-backup', version: 3 }))),
    code: 'backup-newer',
  },
  {
    what: 'a manifest without its list of files',
    file: () => pack(changed((manifest) => ({ ...manifest, files: undefined }))),
    code: 'backup-damaged',
  },
  {
    what: 'a wrong checksum',
    file: () =>
      pack(
        changed((manifest) => ({
          ...manifest,
          files: manifest.files.map((file) => ({ ...file, sha256: 'f'.repeat(64) })),
        })),
      ),
    code: 'backup-damaged',
  },
  {
    what: 'a wrong number of rows',
    file: () =>
      pack(
        changed((manifest) => ({
          ...manifest,
          files: manifest.files.map((file) => ({ ...file, rows: file.rows + 1 })),
        })),
      ),
    code: 'backup-damaged',
  },
  { what: 'a missing table', file: () => pack(without('messages.jsonl')), code: 'backup-damaged' },
  {
    what: 'an unknown table',
    file: () => pack(new Map([...files, ['passwords.jsonl', '{}\n']])),
    code: 'backup-refused',
  },
  {
    what: 'a path out of the archive',
    file: () => pack(new Map([...files, ['../../start.js', 'x']])),
    code: 'backup-refused',
  },
  {
    what: 'an absolute path in the archive',
    file: () => pack(new Map([...files, ['/etc/passwd', 'x']])),
    code: 'backup-refused',
  },
  {
    what: 'a file name with backslashes',
    file: () => pack(new Map([...files, ['results\\000001.txt', 'x']])),
    code: 'backup-refused',
  },
  {
    what: 'an extra result',
    file: () => pack(new Map([...files, ['results/999999.txt', 'x']])),
    code: 'backup-damaged',
  },
  {
    what: 'a changed result',
    file: () => pack(new Map([...files, ['results/000001.txt', 'changed']])),
    code: 'backup-damaged',
  },
  {
    what: 'a duplicate row',
    file: () => pack(withRows(files, 'notes', (rows) => [...rows, ...rows])),
    code: 'backup-refused',
  },
  {
    what: 'a row with invalid JSON',
    file: () => pack(withRows(files, 'notes', () => ['{"id":'])),
    code: 'backup-damaged',
  },
  {
    what: 'a row with invalid fields',
    file: () => pack(withRows(files, 'notes', () => ['{"id":7}'])),
    code: 'backup-damaged',
  },
  {
    what: 'an invalid setting',
    file: () => pack(withRows(files, 'settings', () => ['{"key":"theme","value":"plaid"}'])),
    code: 'backup-damaged',
  },
  {
    what: 'a message without its chat',
    file: () => pack(withRows(files, 'messages', ([row]) => [changedRow(row, { chatId: 'gone' })])),
    code: 'backup-refused',
  },
  {
    what: 'messages in a cycle',
    file: () =>
      pack(
        withRows(files, 'messages', ([row]) => [
          changedRow(row, { id: 'a', parentId: 'b' }),
          changedRow(row, { id: 'b', parentId: 'a' }),
        ]),
      ),
    code: 'backup-refused',
  },
  {
    what: 'a message that is its own parent',
    file: () => pack(withRows(files, 'messages', ([row]) => [changedRow(row, { id: 'a', parentId: 'a' })])),
    code: 'backup-refused',
  },
  {
    what: 'a message without its parent',
    file: () =>
      pack(withRows(files, 'messages', ([row]) => [changedRow(row, { id: 'a', parentId: 'nobody' })])),
    code: 'backup-refused',
  },
  {
    what: 'a checkpoint without its message',
    file: () => pack(withRows(files, 'deltas', () => ['{"sequence":1,"messageId":"gone","events":[]}'])),
    code: 'backup-refused',
  },
  {
    what: 'a sub-agent without its chat',
    file: () =>
      pack(
        withRows(files, 'chats', (rows) => [
          ...rows,
          changedRow(rows[0], { id: 'x', agentOf: { chatId: 'gone', callId: 'c' } }),
        ]),
      ),
    code: 'backup-refused',
  },
  {
    what: 'a `__proto__` key',
    file: () =>
      pack(
        withRows(files, 'notes', () => [
          '{"id":"a","text":"t","createdAt":1,"updatedAt":1,"__proto__":{"isAdmin":true}}',
        ]),
      ),
    code: 'backup-refused',
  },
  {
    what: 'a nested, escaped `__proto__` key',
    file: () =>
      pack(withRows(files, 'exams', ([row]) => [(row ?? '').replace('{', '{"\\u005f_proto__":{},')])),
    code: 'backup-refused',
  },
  {
    what: 'JSON with very deep nesting',
    file: () =>
      pack(
        withRows(files, 'quarantine', () => [
          `{"id":"q","chatId":"","reason":"","row":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
        ]),
      ),
    code: 'backup-refused',
  },
  {
    what: 'keys that are not among its parts',
    file: () => pack(changed((manifest) => ({ ...manifest, parts: ['chats'] }))),
    code: 'backup-refused',
  },
  {
    what: 'a zip bomb',
    file: () =>
      pack(
        withRows(files, 'quarantine', () => [
          changedRow('{"id":"q","chatId":"","reason":""}', { row: 'a'.repeat(70_000_000) }),
        ]),
      ),
    code: 'backup-refused',
  },
  { what: 'an encrypted file without a passphrase', file: () => encrypted, code: 'backup-passphrase' },
  {
    what: 'an encrypted file with a wrong passphrase',
    file: () => encrypted,
    passphrase: 'Words',
    code: 'backup-passphrase',
  },
  {
    what: 'the first half of an encrypted file',
    file: () => encrypted.slice(0, encrypted.size >> 1),
    passphrase: 'words',
    code: 'backup-damaged',
  },
  {
    what: 'an encrypted file without its last byte',
    file: () => encrypted.slice(0, -1),
    passphrase: 'words',
    code: 'backup-damaged',
  },
  {
    what: 'a file encrypted with a public key',
    file: () => new Blob(['age-encryption.org/v1\n-> X25519 abc\ndef\n--- ghi\n']),
    passphrase: 'words',
    code: 'backup-unknown',
  },
  {
    what: 'an endless work factor for scrypt',
    file: async () => new Blob([(await encrypted.slice(0, 400).text()).replace(/ \d+\n/, ' 40\n')]),
    passphrase: 'words',
    code: 'backup-refused',
  },
];

describe('invariant: a damaged or hostile backup file is refused and changes nothing', () => {
  test.for(everyNth(5, cases))(
    'the import fails with the error code $code: $what',
    async ({ file, code, passphrase }) => {
      const before = await dumpTables('malformed');
      expect(await refusalOf(await file(), passphrase)).toBe(code);
      expect(await dumpTables('malformed')).toEqual(before);
    },
  );

  test('is not read if it is larger than the free space', async () => {
    const small = backupStage('small', 1000);
    await expect(small.stage(good)).rejects.toMatchObject({ code: 'backup-too-large' });
  });

  test('a file that the browser cannot read is reported as unreadable, not as damaged', async () => {
    const gone = new Blob(['PK']);
    const failing = new DOMException('The file was moved.', 'NotReadableError');
    gone.slice = () => Object.assign(new Blob(['PK']), { text: () => Promise.reject(failing) });
    expect(await refusalOf(gone)).toBe('backup-unread');
  });
});
