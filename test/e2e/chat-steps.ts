/** Chats stored before a test begins, written into the database as the app writes them. */
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import type { ChatRecord, MessageNode } from '../../src/contracts/chat';
import { answer, chatRecord, question } from '../support/stored-chat';

/** Adds rows to the database that the page has open. The page reads them when it is reloaded. */
export async function writeRows(
  page: Page,
  rows: Readonly<Record<string, readonly object[]>>,
): Promise<void> {
  await page.evaluate(async (tables) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('hearth');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(new Error(String(opening.error)));
    });
    const transaction = database.transaction(Object.keys(tables), 'readwrite');
    for (const [name, content] of Object.entries(tables))
      for (const row of content) transaction.objectStore(name).put(row);
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(new Error(String(transaction.error)));
    });
    database.close();
  }, rows);
}

/** Creates alternating questions and answers, `length` messages in total. */
export function longChat(id: string, length: number, changed: Partial<ChatRecord> = {}) {
  const messages = Array.from({ length }, (_, depth): MessageNode => {
    const parent = depth === 0 ? null : `${id}-${depth - 1}`;
    const make = depth % 2 === 0 ? question : answer;
    const text = `${depth % 2 === 0 ? 'Question' : 'Answer'} ${depth}`;
    return { ...make(`${id}-${depth}`, parent, text, id), depth, turnEnd: 'answered' };
  });
  const chat = chatRecord(id, { title: `Chat ${id}`, leafId: `${id}-${length - 1}`, ...changed });
  return { chats: [chat], messages };
}

/** Presses each button. It disappears when pressed, sometimes only after the change is stored. */
export async function pressAway(buttons: Locator): Promise<void> {
  for (let left = await buttons.count(); left > 0; left--) {
    await buttons.first().click();
    await expect.poll(() => buttons.count()).toBe(left - 1);
  }
}
