import 'fake-indexeddb/auto';
import { beforeAll, expect, test } from 'vitest';
import { AppError } from '../../../src/contracts/app-error';
import { backupParts } from '../../../src/contracts/backup';
import { applyImport } from '../../../src/store/apply-import';
import { Database } from '../../../src/store/database';
import { openStore } from '../../../src/store/open-store';
import { createSentinel } from '../../../src/store/sentinel';
import { StagedImport } from '../../../src/store/staged-import';
import { backupStage } from '../../support/backup/backup-stage';
import { type Files, pack, unpack } from '../../support/backup/forge';
import { mutateBytes, mutateRows } from '../../support/backup/mutate';
import { dumpTables, stockDatabase } from '../../support/backup/stocked-database';
import { createRandom } from '../../support/random';

/** `npm run test:all` makes ten thousand, half of them with sums that fit. */
const mutations = process.env['HEARTH_TESTS'] === 'all' ? 10_000 : 60;

let good: Blob;
let files: Files;
const stage = backupStage('malformed');

beforeAll(async () => {
  await stockDatabase('malformed');
  good = (await stage.write()).file;
  files = await unpack(good);
});

test(`${mutations} mutations: none is taken wrongly, each refusal is typed, and no row changes`, async () => {
  const random = createRandom(20_261_126);
  const bytes = new Uint8Array(await good.arrayBuffer());
  const before = JSON.stringify(await dumpTables('malformed'));
  await stage.stage(good);
  const original = await stagedRows();
  const codes = new Map<string, number>();
  const wrong: string[] = [];
  for (let turn = 0; turn < mutations; turn++) {
    const areSumsMade = turn % 2 === 1;
    try {
      await stage.stage(areSumsMade ? await pack(mutateRows(files, random)) : mutateBytes(bytes, random));
      codes.set('taken', (codes.get('taken') ?? 0) + 1);
      // What changes only the archive around its files leaves the same backup; rows that are others must be rows.
      const isRight = areSumsMade ? await isReadable() : (await stagedRows()) === original;
      if (!isRight) wrong.push(`turn ${turn}: taken`);
    } catch (error) {
      if (!(error instanceof AppError)) wrong.push(`turn ${turn}: ${String(error)}`);
      else codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
    }
  }
  expect(wrong).toEqual([]);
  expect(JSON.stringify(await dumpTables('malformed'))).toBe(before);
  // The mutations do reach it.
  expect(codes.get('backup-damaged')).toBeGreaterThan(mutations / 4);
}, 3_000_000);

async function stagedRows(): Promise<string> {
  const staged = new StagedImport('malformed-import');
  const rows = JSON.stringify(await staged.batches.toArray(), (key, value: unknown) =>
    key === 'id' && typeof value === 'number' ? undefined : value,
  );
  staged.close();
  return rows;
}

/** As the app reads what was put down: by the store, which names every row that it cannot read. */
async function isReadable(): Promise<boolean> {
  const staged = new StagedImport('malformed-import');
  const database = new Database('oracle');
  await database.open();
  await applyImport(staged, database, { mode: 'replace', parts: backupParts, onRows: () => undefined });
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
