/** How models fared in the exam, for a visit in which nothing can be kept. */
import type { ExamRecord, ExamStore } from '../contracts/exam';

export function createMemoryExams(): ExamStore {
  const rows = new Map<string, ExamRecord>();
  return {
    list: () => Promise.resolve([...rows.values()]),
    save(record) {
      rows.set(record.modelId, structuredClone(record));
      return Promise.resolve();
    },
    remove(modelId) {
      rows.delete(modelId);
      return Promise.resolve();
    },
  };
}
