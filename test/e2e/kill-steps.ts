/** Steps for tests that kill the browser during a write, at a chosen moment instead of a random one. */
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';

/** A report of the page about its writes: a request was made, or a transaction has ended. */
export interface WriteEvent {
  type: 'write' | 'complete';
  /** Number of open transactions with writes. */
  open: number;
}

export interface WriteWatch {
  /** Resolves at the requested event. The page then blocks until it is killed. */
  reached: Promise<void>;
  /** All events in order. */
  events: readonly WriteEvent[];
}

/**
 * From now on, the page reports every write to the chats database. At the event `stopAt`, counted from one, the page blocks with an open transaction
 * until the kill.
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
 * Waits until a progress bar shows this share, from 0 to 1, or has disappeared. Resolves to whether it was still there, so the work was still
 * running.
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
  /** Number of messages by chat. */
  messages: Record<string, number>;
  tally: { written: number; deleted: number }[];
  folders: Record<string, unknown>[];
}

/** Reads the disk without the app. */
export async function readKept(page: Page): Promise<Kept> {
  return page.evaluate(async () => {
    const open = indexedDB.open('hearth');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const reading = open.result.transaction(['chats', 'messages', 'tally', 'folders']);
    const names = ['chats', 'messages', 'tally', 'folders'] as const;
    const all = names.map((name) => [name, reading.objectStore(name).getAll()] as const);
    await new Promise((resolve) => (reading.oncomplete = resolve));
    open.result.close();
    const rows = Object.fromEntries(all.map(([name, { result }]) => [name, result as unknown[]]));
    const messages: Record<string, number> = {};
    for (const { chatId } of rows['messages'] as { chatId: string }[])
      messages[chatId] = (messages[chatId] ?? 0) + 1;
    return { ...rows, messages } as unknown as Kept;
  });
}

/** No chat has lost a message, no message its chat, and the tally is right. */
export function expectWhole({ chats, messages, tally }: Kept, messagesAChat: number): void {
  expect(Object.keys(messages).toSorted()).toEqual(chats.map(({ id }) => String(id)).toSorted());
  const counts = Object.values(messages);
  expect(counts.filter((count) => count !== messagesAChat)).toEqual([]);
  const total = counts.reduce((sum, count) => sum + count, 0);
  expect(tally.map(({ written, deleted }) => written - deleted)).toEqual([total]);
}
