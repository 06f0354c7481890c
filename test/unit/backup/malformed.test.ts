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
  { what: 'nothing', file: () => new Blob([]), code: 'backup-unknown' },
  { what: 'a letter', file: () => new Blob(['Dear Sir']), code: 'backup-unknown' },
  {
    what: 'an archive of something else',
    file: () => pack(new Map([['a.txt', 'a']])),
    code: 'backup-unknown',
  },
  {
    what: 'a backup of another program',
    file: () => pack(changed((manifest) => ({ ...manifest, format: 'other' }))),
    code: 'backup-unknown',
  },
  { what: 'the first half', file: () => good.slice(0, good.size >> 1), code: 'backup-damaged' },
  { what: 'all but the last byte', file: () => good.slice(0, -1), code: 'backup-damaged' },
  {
    what: 'a newer format',
    file: () => pack(changed((manifest) => ({ ...manifest, version: 2 }))),
    code: 'backup-newer',
  },
  {
    what: 'a newer database',
    file: () => pack(changed((manifest) => ({ ...manifest, schema: 99 }))),
    code: 'backup-newer',
  },
  {
    what: 'a newer format that says no more',
    file: () => pack(changed(() => ({ format: 'hearth-backup', version: 3 }))),
    code: 'backup-newer',
  },
  {
    what: 'a manifest without its list',
    file: () => pack(changed((manifest) => ({ ...manifest, files: undefined }))),
    code: 'backup-damaged',
  },
  {
    what: 'a wrong sum',
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
    what: 'a row too many in the count',
    file: () =>
      pack(
        changed((manifest) => ({
          ...manifest,
          files: manifest.files.map((file) => ({ ...file, rows: file.rows + 1 })),
        })),
      ),
    code: 'backup-damaged',
  },
  { what: 'a table missing', file: () => pack(without('messages.jsonl')), code: 'backup-damaged' },
  {
    what: 'a table nobody knows',
    file: () => pack(new Map([...files, ['passwords.jsonl', '{}\n']])),
    code: 'backup-refused',
  },
  {
    what: 'a path that leads out',
    file: () => pack(new Map([...files, ['../../start.js', 'x']])),
    code: 'backup-refused',
  },
  {
    what: 'an absolute path',
    file: () => pack(new Map([...files, ['/etc/passwd', 'x']])),
    code: 'backup-refused',
  },
  {
    what: 'a name with backslashes',
    file: () => pack(new Map([...files, ['results\\000001.txt', 'x']])),
    code: 'backup-refused',
  },
  {
    what: 'a result too many',
    file: () => pack(new Map([...files, ['results/999999.txt', 'x']])),
    code: 'backup-damaged',
  },
  {
    what: 'another result',
    file: () => pack(new Map([...files, ['results/000001.txt', 'changed']])),
    code: 'backup-damaged',
  },
  {
    what: 'a row twice',
    file: () => pack(withRows(files, 'notes', (rows) => [...rows, ...rows])),
    code: 'backup-refused',
  },
  {
    what: 'a row that is no JSON',
    file: () => pack(withRows(files, 'notes', () => ['{"id":'])),
    code: 'backup-damaged',
  },
  {
    what: 'a row of another shape',
    file: () => pack(withRows(files, 'notes', () => ['{"id":7}'])),
    code: 'backup-damaged',
  },
  {
    what: 'a setting that is none',
    file: () => pack(withRows(files, 'settings', () => ['{"key":"theme","value":"plaid"}'])),
    code: 'backup-damaged',
  },
  {
    what: 'a message of no chat',
    file: () => pack(withRows(files, 'messages', ([row]) => [changedRow(row, { chatId: 'gone' })])),
    code: 'backup-refused',
  },
  {
    what: 'messages below themselves',
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
    what: 'a message below itself',
    file: () => pack(withRows(files, 'messages', ([row]) => [changedRow(row, { id: 'a', parentId: 'a' })])),
    code: 'backup-refused',
  },
  {
    what: 'a message below none',
    file: () =>
      pack(withRows(files, 'messages', ([row]) => [changedRow(row, { id: 'a', parentId: 'nobody' })])),
    code: 'backup-refused',
  },
  {
    what: 'a checkpoint of no message',
    file: () => pack(withRows(files, 'deltas', () => ['{"sequence":1,"messageId":"gone","events":[]}'])),
    code: 'backup-refused',
  },
  {
    what: 'an agent of no chat',
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
    what: 'a key for the prototype',
    file: () =>
      pack(
        withRows(files, 'notes', () => [
          '{"id":"a","text":"t","createdAt":1,"updatedAt":1,"__proto__":{"isAdmin":true}}',
        ]),
      ),
    code: 'backup-refused',
  },
  {
    what: 'a key for the prototype, deep and escaped',
    file: () =>
      pack(withRows(files, 'exams', ([row]) => [(row ?? '').replace('{', '{"\\u005f_proto__":{},')])),
    code: 'backup-refused',
  },
  {
    what: 'a nest that has no bottom',
    file: () =>
      pack(
        withRows(files, 'quarantine', () => [
          `{"id":"q","chatId":"","reason":"","row":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
        ]),
      ),
    code: 'backup-refused',
  },
  {
    what: 'keys that its parts do not name',
    file: () => pack(changed((manifest) => ({ ...manifest, parts: ['chats'] }))),
    code: 'backup-refused',
  },
  {
    what: 'a bomb',
    file: () =>
      pack(
        withRows(files, 'quarantine', () => [
          changedRow('{"id":"q","chatId":"","reason":""}', { row: 'a'.repeat(70_000_000) }),
        ]),
      ),
    code: 'backup-refused',
  },
  { what: 'no passphrase', file: () => encrypted, code: 'backup-passphrase' },
  { what: 'another passphrase', file: () => encrypted, passphrase: 'Words', code: 'backup-passphrase' },
  {
    what: 'half of an encrypted file',
    file: () => encrypted.slice(0, encrypted.size >> 1),
    passphrase: 'words',
    code: 'backup-damaged',
  },
  {
    what: 'an encrypted file without its end',
    file: () => encrypted.slice(0, -1),
    passphrase: 'words',
    code: 'backup-damaged',
  },
  {
    what: 'a file encrypted to somebody',
    file: () => new Blob(['age-encryption.org/v1\n-> X25519 abc\ndef\n--- ghi\n']),
    passphrase: 'words',
    code: 'backup-unknown',
  },
  {
    what: 'scrypt that never ends',
    file: async () => new Blob([(await encrypted.slice(0, 400).text()).replace(/ \d+\n/, ' 40\n')]),
    passphrase: 'words',
    code: 'backup-refused',
  },
];

describe('invariant: a damaged or hostile backup file is refused and changes nothing', () => {
  test.for(everyNth(5, cases))('$what: $code', async ({ file, code, passphrase }) => {
    const before = await dumpTables('malformed');
    expect(await refusalOf(await file(), passphrase)).toBe(code);
    expect(await dumpTables('malformed')).toEqual(before);
  });

  test('a file larger than the free space is not read', async () => {
    const small = backupStage('small', 1000);
    await expect(small.stage(good)).rejects.toMatchObject({ code: 'backup-too-large' });
  });

  test('a file that the browser cannot read does not count as damaged', async () => {
    const gone = new Blob(['PK']);
    const failing = new DOMException('The file was moved.', 'NotReadableError');
    gone.slice = () => Object.assign(new Blob(['PK']), { text: () => Promise.reject(failing) });
    expect(await refusalOf(gone)).toBe('backup-unread');
  });
});
