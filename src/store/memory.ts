/** The store for a visit in which nothing can be kept: what it takes is gone with the page, and the screen says so. */
import type { Draft } from '../contracts/chat';
import type { RequestRecord } from '../contracts/egress';
import { Settings } from '../contracts/settings';
import { keptRequests } from './requests';
import type { ChatStore, DraftStore, RequestStore, SettingsStore } from '../contracts/store';

export function createMemoryDrafts(chats: ChatStore): DraftStore {
  const drafts = new Map<string, Draft>();
  return {
    load: (chatId) => settled(() => drafts.get(chatId)),
    async listUnbegun() {
      const all = [...drafts.values()];
      const found = await Promise.all(all.map(({ chatId }) => chats.load(chatId)));
      return all.filter((_, index) => !found[index]);
    },
    save: (chatId, text, others = {}) =>
      settled(() => {
        if (text === '' && !others.attached && !others.edits) drafts.delete(chatId);
        else drafts.set(chatId, { chatId, text, ...others });
      }),
  };
}

export function createMemorySettings(): SettingsStore {
  let settings = Settings.parse({});
  const watchers = new Set<() => void>();
  return {
    load: () => settled(() => settings),
    save: (changed) =>
      settled(() => {
        settings = { ...settings, ...changed };
        for (const tell of watchers) tell();
      }),
    watchModels(onModels) {
      const tell = () => onModels(settings);
      watchers.add(tell);
      queueMicrotask(tell);
    },
  };
}

export function createMemoryRequests(): RequestStore {
  let records: RequestRecord[] = [];
  const watchers = new Set<() => void>();
  const set = (next: RequestRecord[]) => {
    records = next;
    for (const tell of watchers) tell();
  };
  return {
    add: (record) =>
      settled(() => {
        const all = [structuredClone(record), ...records].sort((a, b) => b.at - a.at);
        set(all.slice(0, keptRequests));
      }),
    watch(onList) {
      const tell = () => onList(records);
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    clear: () => settled(() => set([])),
  };
}

/** Runs `task` as a promise, so that a throw becomes a rejection. */
function settled<Value>(task: () => Value): Promise<Value> {
  return new Promise((resolve) => resolve(task()));
}
