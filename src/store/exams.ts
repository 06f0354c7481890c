/** Keeps how models fared in the exam: one row a model. */
import { ExamRecord, type ExamStore } from '../contracts/exam';
import { read } from '../contracts/schema';
import type { Database } from './database';
import { attempt } from './storage-error';

export class Exams implements ExamStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<ExamRecord[]> {
    const rows: unknown[] = await attempt(() => this.#database.exams.toArray());
    return rows.flatMap((row) => {
      const record = read(ExamRecord, row);
      return record.ok ? [record.value] : [];
    });
  }

  async save(record: ExamRecord): Promise<void> {
    await attempt(() => this.#database.exams.put(record));
  }

  async remove(modelId: string): Promise<void> {
    await attempt(() => this.#database.exams.delete(modelId));
  }
}
