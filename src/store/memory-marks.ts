/** Marks on rows in memory: those that have one are in the bin, and on no list but that of the bin. */
import { Dexie } from 'dexie';
import type { BinEntry } from '../contracts/bin';
import { entryOfRow, naming, renamed } from './bin-entries';
import type { BinnedKind } from './binned-kind';
import { isBinned, shownOf } from './tree';

/** What of a store in memory the bin needs. */
export interface MarkedRows extends Omit<BinnedKind, 'remove'> {
  binned: () => BinEntry[];
}

export function marksOn<Row extends { id: string; deletedAt?: number | undefined }>(
  kind: keyof typeof naming,
  rows: Map<string, Row>,
  changed: () => void,
): MarkedRows {
  const marked = () => [...rows.values()].filter(isBinned);
  return {
    put(id, deletedAt) {
      const row = rows.get(id);
      if (row && !isBinned(row)) rows.set(id, { ...row, deletedAt });
      changed();
      return Promise.resolve();
    },
    restore(id) {
      const row = rows.get(id);
      if (row && isBinned(row)) {
        const shown = structuredClone(row);
        delete shown.deletedAt;
        const changes = renamed(row, naming[kind], shownOf([...rows.values()]));
        for (const [path, name] of Object.entries(changes)) Dexie.setByKeyPath(shown, path, name);
        rows.set(id, shown);
      }
      changed();
      return Promise.resolve(row !== undefined);
    },
    deletedAt: (id) => Promise.resolve(marked().find((row) => row.id === id)?.deletedAt),
    binned: () => marked().map((row) => entryOfRow(kind, row)),
  };
}
