import 'fake-indexeddb/auto';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { AppError } from '../../../src/contracts/app-error';
import { backupParts } from '../../../src/contracts/backup';
import { applyImport, StagedImport } from '../../../src/store/staged-import';
import { Database } from '../../../src/store/database';
import { openStore } from '../../../src/store/open-store';
import { createSentinel } from '../../../src/store/sentinel';
import { takesAll } from '../../support/matrix';
import { backupStage } from '../../support/backup/backup-stage';
import { type Files, pack, unpack } from '../../support/backup/forge';
import { forgeFiles, mutateBytes, mutateRows, mutateText } from '../../support/backup/mutate';
import { dumpTables, stockDatabase } from '../../support/backup/stocked-database';
import { createRandom } from '../../support/random';

/**
 * `npm run test:all` tries ten thousand mutations, in turn of bytes, of rows with valid checksums, of rows that become invalid, and of
 * files from other programs.
 */
const mutations = takesAll ? 10_000 : 12;

const others = readdirSync('test/fixtures/others').map((name) =>
  readFileSync(`test/fixtures/others/${name}`, 'utf8'),
);

let good: Blob;
let files: Files;
const stage = backupStage('malformed');

beforeAll(async () => {
  await stockDatabase('malformed');
  good = (await stage.write()).file;
  files = await unpack(good);
});

test(`${mutations} mutated files: no wrong data is accepted, each refusal has an error code, and no row changes`, async () => {
  const random = createRandom(20_261_126);
  const bytes = new Uint8Array(await good.arrayBuffer());
  const before = JSON.stringify(await dumpTables('malformed'));
  await stage.stage(good);
  const original = await stagedRows();
  const codes = new Map<string, number>();
  const wrong: string[] = [];
  const made: ((turn: number) => Promise<Made>)[] = [
    // A mutated archive that is accepted must contain the same backup.
    async () => ({
      file: mutateBytes(bytes, random),
      isRight: async () => (await stagedRows()) === original,
    }),
    // The checksums are valid, so accepted rows must be valid too.
    async () => ({ file: await pack(mutateRows(files, random)), isRight: isReadable }),
    async () => ({ file: await pack(forgeFiles(files, random)), isRight: () => Promise.resolve(false) }),
    async (turn) => ({
      file: new Blob([mutateText(others[(turn >> 2) % others.length] ?? '', random)]),
      isRight: isReadable,
    }),
  ];
  for (let turn = 0; turn < mutations; turn++) {
    const { file, isRight } = await made[turn % made.length]!(turn);
    try {
      await stage.stage(file);
      codes.set('taken', (codes.get('taken') ?? 0) + 1);
      if (!(await isRight())) wrong.push(`turn ${turn}: taken`);
    } catch (error) {
      if (!(error instanceof AppError)) wrong.push(`turn ${turn}: ${String(error)}`);
      else codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
    }
  }
  expect(wrong).toEqual([]);
  expect(JSON.stringify(await dumpTables('malformed'))).toBe(before);
  console.log(`${mutations} files: ${[...codes].map(([code, count]) => `${code} ${count}`).join(', ')}`);
  // Enough mutations must get as far as the checks.
  expect(codes.get('backup-damaged')).toBeGreaterThan(mutations / 4);
  expect(codes.get('backup-newer')).toBeGreaterThan(0);
}, 3_000_000);

interface Made {
  file: Blob;
  isRight: () => Promise<boolean>;
}

async function stagedRows(): Promise<string> {
  const staged = new StagedImport('malformed-import');
  const rows = JSON.stringify(await staged.batches.toArray(), (key, value: unknown) =>
    key === 'importId' || (key === 'id' && typeof value === 'number') ? undefined : value,
  );
  staged.close();
  return rows;
}

/** Whether the store can read all staged rows without reporting one. */
async function isReadable(): Promise<boolean> {
  const staged = new StagedImport('malformed-import');
  const database = new Database('oracle');
  await database.open();
  const importId = (await staged.preview(database))?.importId ?? '';
  await applyImport(staged, database, {
    importId,
    mode: 'replace',
    parts: backupParts,
    onRows: () => undefined,
  });
  staged.close();
  database.close();
  const store = await openStore({ name: 'oracle', sentinel: createSentinel('oracle', undefined) });
  const damaged = [
    ...(await store.notes.list()).damaged,
    ...(await store.personas.list()).damaged,
    ...(await store.customTools.list()).damaged,
    ...(await store.mcpServers.list()).damaged,
  ];
  for (const { id } of await store.chats.list())
    damaged.push(...((await store.chats.load(id))?.damaged ?? []));
  store.close();
  return damaged.length === 0;
}
