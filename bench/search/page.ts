/** Fills the database of chats, builds the index, and searches as the app does. */
import searchWorkerUrl from '../../workers/search.worker?worker&url';
import { startWorker } from '../../src/platform/start-worker';
import { createRemoteSearch } from '../../src/search/remote-search';
import { Database } from '../../src/store/database';
import { createRandom } from '../../test/support/random';
import { makeCorpus, makeRun, makeWord } from './corpus';

const names = { chats: 'hearth', index: 'hearth-search' };
const open = () => createRemoteSearch({ startWorker: () => startWorker(searchWorkerUrl), names });
/** Maximum number of hits on the first screen. */
const most = 20;

async function fill(messages: number): Promise<void> {
  for (const name of [names.chats, names.index]) {
    const request = indexedDB.deleteDatabase(name);
    await new Promise((resolve) => (request.onsuccess = resolve));
  }
  const database = new Database(names.chats);
  await database.open();
  const { chats, messagesOf } = makeCorpus(messages);
  const step = 200;
  for (let from = 0; from < chats.length; from += step) {
    const to = Math.min(from + step, chats.length);
    await database.chats.bulkAdd(chats.slice(from, to));
    await database.messages.bulkAdd(messagesOf(from, to));
  }
  database.close();
}

async function usage(): Promise<number> {
  return (await navigator.storage.estimate()).usage ?? 0;
}

async function build(): Promise<{ ms: number; bytes: number; againMs: number }> {
  const before = await usage();
  const search = open();
  await search.open();
  const grow = async () => {
    const start = performance.now();
    await search.begin();
    while (await search.step());
    return performance.now() - start;
  };
  const ms = await grow();
  // The cost of another visit without new messages.
  const againMs = await grow();
  search.end();
  return { ms, bytes: (await usage()) - before, againMs };
}

const kinds = {
  'a word': (random: () => number) => `${makeWord(random)} `,
  'two words': (random: () => number) => `${makeWord(random)} ${makeWord(random)} `,
  'the beginning of a word': (random: () => number) => makeWord(random).slice(0, 3),
  'one letter': (random: () => number) => makeWord(random).slice(0, 1),
  'two characters': (random: () => number) => makeRun(random, 2),
  'four characters': (random: () => number) => makeRun(random, 4),
  'one character': (random: () => number) => makeRun(random, 1),
  'nothing that is there': () => 'qqqq',
};

/** Returns the milliseconds of each query, and of only reading the rows of its hits, by kind. */
async function ask(
  rounds: number,
): Promise<Record<string, { search: number[]; bare: number[]; hits: number[] }>> {
  const search = open();
  await search.open();
  const request = indexedDB.open(names.chats);
  await new Promise((resolve) => (request.onsuccess = resolve));
  const found: Record<string, { search: number[]; bare: number[]; hits: number[] }> = {};
  for (const [kind, make] of Object.entries(kinds)) {
    const random = createRandom(kind.length);
    const times = { search: [] as number[], bare: [] as number[], hits: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const query = make(random);
      const start = performance.now();
      const { hits } = await search.find(query, most);
      times.search.push(performance.now() - start);
      times.hits.push(hits.length);
      times.bare.push(await readBare(request.result, hits));
    }
    found[kind] = times;
  }
  request.result.close();
  search.end();
  return found;
}

/** The floor: one transaction, with a request for each row on the screen and for each chat. */
async function readBare(
  database: IDBDatabase,
  hits: readonly { chatId: string; messageId?: string | undefined }[],
): Promise<number> {
  const start = performance.now();
  const transaction = database.transaction(['chats', 'messages'], 'readonly');
  const done = new Promise((resolve) => (transaction.oncomplete = resolve));
  for (const { chatId, messageId } of hits) {
    transaction.objectStore('chats').get(chatId);
    if (messageId !== undefined) transaction.objectStore('messages').get(messageId);
  }
  await done;
  return performance.now() - start;
}

/** Measures from the first letter to the first hits, in a worker that was started when the box got the focus (warm) and in a new one (cold). */
async function first(rounds: number): Promise<{ warm: number[]; cold: number[]; ready: number[] }> {
  const times = { warm: [] as number[], cold: [] as number[], ready: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const letter = makeWord(createRandom(round + 7)).slice(0, 1);
    const warmed = open();
    const before = performance.now();
    await warmed.open();
    times.ready.push(performance.now() - before);
    const start = performance.now();
    await warmed.find(letter, most);
    times.warm.push(performance.now() - start);
    warmed.end();
    const cold = open();
    const coldStart = performance.now();
    await cold.find(letter, most);
    times.cold.push(performance.now() - coldStart);
    cold.end();
  }
  return times;
}

/** Reads every message once, as a search without an index must. */
async function scan(): Promise<number> {
  const request = indexedDB.open(names.chats);
  await new Promise((resolve) => (request.onsuccess = resolve));
  const start = performance.now();
  const all = request.result.transaction('messages').objectStore('messages').getAll();
  await new Promise((resolve) => (all.onsuccess = resolve));
  const ms = performance.now() - start;
  request.result.close();
  return ms;
}

Object.assign(window, { ask: { fill, build, ask, first, scan, usage } });
