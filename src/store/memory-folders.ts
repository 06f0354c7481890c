/** Folders, for a visit in which nothing can be kept. */
import type { Folder } from '../contracts/folder';
import type { FolderStore } from '../contracts/store';

export function createMemoryFolders(): FolderStore {
  const folders = new Map<string, Folder>();
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const tell of watchers) tell();
  };
  return {
    watch(onList) {
      const tell = () => onList([...folders.values()]);
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    save(folder) {
      folders.set(folder.id, structuredClone(folder));
      changed();
      return Promise.resolve();
    },
    remove(id) {
      folders.delete(id);
      changed();
      return Promise.resolve();
    },
  };
}
