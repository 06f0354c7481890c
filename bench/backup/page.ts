/** Writes everything into a file, reads the file and imports it, as the app does. Measures how long the page is blocked meanwhile. */
import backupWorkerUrl from '../../workers/backup.worker?worker&url';
import { createRemoteBackup } from '../../src/backup/remote-backup';
import { startWorker } from '../../src/platform/start-worker';
import { Database } from '../../src/store/database';
import { makeCorpus } from '../search/corpus';

const remote = createRemoteBackup(() => startWorker(backupWorkerUrl));
const parts = ['chats'] as const;
const ignore = () => undefined;
const { signal } = new AbortController();
let file: Blob | undefined;

const done = (request: IDBRequest) => new Promise((resolve) => (request.onsuccess = resolve));

async function empty(): Promise<void> {
  for (const name of ['hearth', 'hearth-import']) await done(indexedDB.deleteDatabase(name));
  const database = new Database('hearth');
  await database.open();
  database.close();
}

async function fill(messages: number): Promise<void> {
  await empty();
  const database = new Database('hearth');
  await database.open();
  const { chats, messagesOf } = makeCorpus(messages);
  const step = 200;
  for (let from = 0; from < chats.length; from += step) {
    const to = Math.min(from + step, chats.length);
    await database.chats.bulkAdd(chats.slice(from, to));
    await database.messages.bulkAdd(messagesOf(from, to));
  }
  await database.tally.put({ id: 'messages', written: messages, deleted: 0 });
  database.close();
}

/** The floor: reads every row once, in steps, and does nothing with it. */
async function bare(): Promise<number> {
  const open = indexedDB.open('hearth');
  await done(open);
  const start = performance.now();
  for (const name of ['chats', 'messages']) {
    let last: IDBKeyRange | null = null;
    for (;;) {
      const rows = open.result.transaction(name).objectStore(name).getAll(last, 200);
      await done(rows);
      const end = (rows.result as { id: string }[]).at(-1);
      if (!end) break;
      last = IDBKeyRange.lowerBound(end.id, true);
    }
  }
  const ms = performance.now() - start;
  open.result.close();
  return ms;
}

/** Returns the milliseconds of a task, and the longest time in milliseconds that the page was blocked meanwhile. */
async function measured(task: () => Promise<unknown>): Promise<{ ms: number; gap: number }> {
  let [gap, last, isOver] = [0, performance.now(), false];
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    const now = performance.now();
    gap = Math.max(gap, now - last);
    last = now;
    if (!isOver) setTimeout(() => channel.port2.postMessage(null), 5);
  };
  channel.port2.postMessage(null);
  const start = performance.now();
  await task();
  const ms = performance.now() - start;
  isOver = true;
  return { ms, gap };
}

const idle = (ms: number) => measured(() => new Promise((resolve) => setTimeout(resolve, ms)));

const write = (passphrase = '') =>
  measured(async () => {
    const order = { parts, passphrase, app: 'bench', createdAt: 0 };
    ({ file } = await remote.write(order, ignore, signal));
  });

let importId = '';

const stage = (passphrase = '') =>
  measured(async () => {
    const order = { file: file ?? new Blob(), name: 'bench.zip', passphrase };
    ({ importId } = await remote.stage(order, ignore, signal));
  });

const apply = () => measured(() => remote.apply({ importId, mode: 'merge', parts }, ignore));

/** Makes an export of ChatGPT with enough chats to reach `bytes`. The file is assembled without ever being in memory as a whole. */
function makeOther(bytes: number): number {
  const pieces: Blob[] = [];
  const text = 'It is **what** it is, and nothing else. '.repeat(200);
  let length = 0;
  for (let place = 0; length < bytes; place++) {
    const mapping: Record<string, object> = {};
    for (let at = 0; at < 40; at++) {
      const message = {
        author: { role: at % 2 === 0 ? 'user' : 'assistant' },
        content: { content_type: 'text', parts: [`${place} ${at} ${text}`] },
      };
      mapping[`n${at}`] = { id: `n${at}`, parent: at === 0 ? null : `n${at - 1}`, message };
    }
    const chat = {
      id: `c${place}`,
      title: `Chat ${place}`,
      create_time: place,
      current_node: 'n39',
      mapping,
    };
    const piece = `${place === 0 ? '[' : ','}${JSON.stringify(chat)}`;
    length += piece.length;
    pieces.push(new Blob([piece]));
  }
  file = new Blob([...pieces, ']']);
  return file.size;
}

const size = () => file?.size ?? 0;

Object.assign(window, { ask: { fill, empty, bare, idle, write, stage, apply, makeOther, size } });
