/** Steps of tests that kill the browser in the midst of a write: at a moment that is named, not at one that chance picks. */
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** What a page tells of its writes: a request that was made, or a transaction that has come to its end. */
export interface WriteEvent {
  type: 'write' | 'complete';
  /** How many transactions with writes are open now. */
  open: number;
}

export interface WriteWatch {
  /** Resolves at the event that was asked for; the page stands still there until it is killed. */
  reached: Promise<void>;
  /** All there were, in their order. */
  events: readonly WriteEvent[];
}

/**
 * From now on every write of the page to the database of the chats is told, and at the event `stopAt`, counted from one, the page stands
 * still: the transaction is open, and stays so until the kill.
 */
export async function watchWrites(page: Page, stopAt: number): Promise<WriteWatch> {
  const events: WriteEvent[] = [];
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  await page.exposeFunction('tellWrite', (type: WriteEvent['type'], open: number) => {
    events.push({ type, open });
    if (events.length === stopAt) reach();
  });
  await page.evaluate((stop) => {
    const { tellWrite } = window as unknown as { tellWrite: (type: string, open: number) => void };
    const seen = new Set<IDBTransaction>();
    let told = 0;
    const tell = (type: string) => {
      tellWrite(type, seen.size);
      if (++told < stop) return;
      const until = performance.now() + 20_000;
      while (performance.now() < until);
    };
    const note = (transaction: IDBTransaction) => {
      if (transaction.db.name !== 'hearth') return;
      if (!seen.has(transaction)) {
        seen.add(transaction);
        transaction.addEventListener('complete', () => {
          seen.delete(transaction);
          tell('complete');
        });
      }
      tell('write');
    };
    for (const name of ['put', 'add', 'delete', 'clear'] as const) {
      const plain = Reflect.get(IDBObjectStore.prototype, name) as (...given: unknown[]) => IDBRequest;
      Object.assign(IDBObjectStore.prototype, {
        [name](this: IDBObjectStore, ...given: unknown[]) {
          const request = plain.apply(this, given);
          note(this.transaction);
          return request;
        },
      });
    }
  }, stopAt);
  return { reached, events };
}

/**
 * Waits until so much of what a progress bar shows is done, from 0 to 1, or until it is gone. Resolves to whether it was there to the
 * last: the work went on then.
 */
export async function progressReaches(bar: Locator, share: number): Promise<boolean> {
  await bar.waitFor({ timeout: 20_000 }).catch(() => undefined);
  return bar
    .evaluate(
      async (element, wanted) => {
        const progress = element as HTMLProgressElement;
        while (progress.isConnected && progress.value < wanted)
          await new Promise((resolve) => setTimeout(resolve, 4));
        return progress.isConnected;
      },
      share,
      { timeout: 1000 },
    )
    .catch(() => false);
}

export interface Kept {
  chats: Record<string, unknown>[];
  messages: { id: string; chatId: string }[];
  tally: { written: number; deleted: number }[];
  folders: Record<string, unknown>[];
}

/** What is on the disk, read past the app. */
export async function readKept(page: Page): Promise<Kept> {
  return page.evaluate(async () => {
    const open = indexedDB.open('hearth');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const reading = open.result.transaction(['chats', 'messages', 'tally', 'folders']);
    const names = ['chats', 'messages', 'tally', 'folders'] as const;
    const all = names.map((name) => [name, reading.objectStore(name).getAll()] as const);
    await new Promise((resolve) => (reading.oncomplete = resolve));
    open.result.close();
    return Object.fromEntries(all.map(([name, { result }]) => [name, result])) as unknown as Kept;
  });
}

/** No chat has lost a message, no message its chat, and the count is that of what is there. */
export function expectWhole({ chats, messages, tally }: Kept, messagesAChat: number): void {
  const counts = new Map(chats.map(({ id }) => [String(id), 0]));
  for (const { chatId } of messages) counts.set(chatId, (counts.get(chatId) ?? -1e9) + 1);
  const broken = [...counts].filter(([, count]) => count !== messagesAChat);
  expect(broken).toEqual([]);
  expect(tally.map(({ written, deleted }) => written - deleted)).toEqual([messages.length]);
}
