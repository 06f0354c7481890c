/** How tools have fared, for a visit in which nothing can be kept. */
import type { ToolStatistics } from '../contracts/tool-statistics';
import { sum } from './statistics';
import type { StatisticsStore } from '../contracts/store';

export function createMemoryStatistics(): StatisticsStore {
  const rows = new Map<string, ToolStatistics>();
  const watchers = new Set<() => void>();
  return {
    add(added) {
      const known = rows.get(added.name);
      rows.set(added.name, known ? sum(known, added) : { ...added });
      for (const tell of watchers) tell();
      return Promise.resolve();
    },
    watch(onList) {
      const tell = () => onList([...rows.values()]);
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
  };
}
