import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import type { ExamRecord } from '../../../src/contracts/exam';
import { Database } from '../../../src/store/database';
import { createExams } from '../../../src/store/single-tables';
import { createMemoryStore } from '../../../src/store/open-store';

const record = (modelId: string, answers: number): ExamRecord => ({
  modelId,
  modelName: modelId,
  begun: {
    set: 'a',
    of: 60,
    updatedAt: 1,
    answers: Array.from({ length: answers }, (_, at) => ({
      id: `sums-en-${at}`,
      kind: 'sums' as const,
      language: 'en' as const,
      isAsked: false,
      outputTokens: 1,
      decodeMs: 1,
    })),
  },
});

let names = 0;
async function openDatabase(): Promise<Database> {
  const database = new Database(`exams-${names++}`);
  await database.open();
  return database;
}

describe.for([
  { name: 'on the disk', open: async () => createExams(await openDatabase()) },
  { name: 'in memory', open: async () => createMemoryStore().exams },
])('the results of model tests, stored $name', ({ open }) => {
  test('include one record per model, which can be replaced and removed', async () => {
    const exams = await open();
    await exams.save(record('one', 1));
    await exams.save(record('two', 1));
    await exams.save(record('one', 2));
    const list = await exams.list();
    expect(list.sort((a, b) => a.modelId.localeCompare(b.modelId))).toEqual([
      record('one', 2),
      record('two', 1),
    ]);
    await exams.remove('one');
    await exams.remove('never there');
    expect(await exams.list()).toEqual([record('two', 1)]);
  });
});

test('an unreadable exam record is left out, and all others are listed', async () => {
  const database = await openDatabase();
  const exams = createExams(database);
  await exams.save(record('one', 1));
  await database.table('exams').put({ modelId: 'odd', modelName: 5 });
  expect(await exams.list()).toEqual([record('one', 1)]);
});
