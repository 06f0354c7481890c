/** Ways to damage stored data: rows of the database, and the browser's files of it. */
import { copyFile, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Puts a row, or deletes one if `row` is undefined. `change` is merged into the existing row; a value of `null` means JSON's null. */
export interface RowDamage {
  name: string;
  table: string;
  /** Text of the row to damage. Undefined: adds a row. */
  where?: string;
  change?: Readonly<Record<string, unknown>>;
  without?: readonly string[];
  isDeleted?: true;
}

const wrong = 17;

/** Damages to a chat "broken" with the messages b1 to b4 in sequence. */
const ofMessages: RowDamage[] = [
  { name: 'a message whose parent is not there', where: 'b3', change: { parentId: 'nobody' } },
  { name: 'a message that is its own parent', where: 'b2', change: { parentId: 'b2' } },
  { name: 'two messages in a circle', where: 'b2', change: { parentId: 'b4' } },
  { name: 'a first message in a circle', where: 'b1', change: { parentId: 'b4' } },
  { name: 'the first message missing', where: 'b1', isDeleted: true as const },
  { name: 'a message missing in the middle', where: 'b2', isDeleted: true as const },
  { name: 'the last message missing', where: 'b4', isDeleted: true as const },
  { name: 'a message without its content', where: 'b2', without: ['message'] },
  { name: 'a message of no role', where: 'b2', change: { message: { role: 'nobody' } } },
  { name: 'a content that is no list', where: 'b3', change: { message: { role: 'user', content: 'x' } } },
  { name: 'a message that is a number', where: 'b3', change: { message: wrong } },
  { name: 'a parent that is a number', where: 'b3', change: { parentId: wrong } },
  { name: 'a time that is a text', where: 'b3', change: { createdAt: 'yesterday' } },
  { name: 'a time that is no number', where: 'b3', change: { createdAt: NaN } },
  { name: 'a depth that is wrong', where: 'b3', change: { depth: 99 } },
  { name: 'a depth that is a text', where: 'b3', change: { depth: 'deep' } },
  { name: 'a message of a chat that is not there', where: 'b4', change: { chatId: 'nobody' } },
  { name: 'a message of no chat', where: 'b4', without: ['chatId'] },
  { name: 'an end of a turn that there is not', where: 'b4', change: { turnEnd: 'exploded' } },
  { name: 'a bin date that is a text', where: 'b4', change: { deletedAt: 'now' } },
].map((damage) => ({ ...damage, table: 'messages' }));

const ofChats: RowDamage[] = [
  { name: 'a chat without its record', isDeleted: true as const },
  { name: 'a chat without a title', without: ['title'] },
  { name: 'a title that is a number', change: { title: wrong } },
  { name: 'a leaf that is not there', change: { leafId: 'nobody' } },
  { name: 'a leaf that is a number', change: { leafId: wrong } },
  { name: 'a leaf of another chat', change: { leafId: 'w2' } },
  { name: 'a chat of no time', without: ['updatedAt'] },
  { name: 'a chat in a folder that is not there', change: { folderId: 'nobody' } },
  { name: 'a folder that is a number', change: { folderId: wrong } },
  { name: 'a chat of a sub-agent of itself', change: { agentOf: { chatId: 'broken', callId: 'c' } } },
  { name: 'a chat of a persona that is not there', change: { persona: 'nobody' } },
  { name: 'tools that are no list', change: { toolsOff: wrong } },
].map((damage) => ({ where: 'broken', ...damage, table: 'chats' }));

const ofOthers: RowDamage[] = [
  { name: 'a draft that is a number', table: 'drafts', change: { chatId: 'broken', text: wrong } },
  { name: 'a setting of another kind', table: 'settings', change: { key: 'rounds', value: 'many' } },
  { name: 'a theme that there is not', table: 'settings', change: { key: 'theme', value: 'pink' } },
  { name: 'a persona of nothing', table: 'personas', change: { id: 'p' } },
  { name: 'a custom tool of nothing', table: 'customTools', change: { id: 't' } },
  { name: 'a note that is a number', table: 'notes', change: { id: 'n', text: wrong } },
  { name: 'a server of nothing', table: 'mcpServers', change: { id: 's' } },
  { name: 'a permission of nothing', table: 'grants', change: { id: 'g' } },
  { name: 'a folder of nothing', table: 'folders', change: { id: 'f' } },
  { name: 'a count of messages that is a text', table: 'tally', change: { id: 'messages', written: 'many' } },
];

export const rowDamages: readonly RowDamage[] = [...ofMessages, ...ofChats, ...ofOthers];

export interface FileDamage {
  name: string;
  /** `folder` contains the browser's files of one database. */
  damage: (folder: string) => Promise<void>;
}

const filesIn = async (folder: string, kind: RegExp) =>
  (await readdir(folder)).filter((name) => kind.test(name)).map((name) => join(folder, name));

const each =
  (kind: RegExp, damage: (path: string) => Promise<void>) =>
  async (folder: string): Promise<void> => {
    for (const path of await filesIn(folder, kind)) await damage(path);
  };

const cutTo = (share: number) => async (path: string) =>
  truncate(path, Math.floor((await readFile(path)).length * share));

/** Changes every hundredth byte. */
async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  for (let at = 50; at < bytes.length; at += 100) bytes[at] = ~bytes[at]! & 255;
  await writeFile(path, bytes);
}

const zero = async (path: string) => writeFile(path, Buffer.alloc((await readFile(path)).length));

const log = /\.log$/;
const manifest = /^MANIFEST/;
const current = /^CURRENT$/;
const data = /\.(log|ldb)$/;

export const fileDamages: readonly FileDamage[] = [
  { name: 'all files deleted', damage: (folder) => rm(folder, { recursive: true }) },
  { name: 'CURRENT deleted', damage: each(current, (path) => rm(path)) },
  { name: 'CURRENT empty', damage: each(current, cutTo(0)) },
  { name: 'CURRENT without sense', damage: each(current, (path) => writeFile(path, 'nothing\n')) },
  {
    name: 'CURRENT of a file that is not there',
    damage: each(current, (path) => writeFile(path, 'MANIFEST-999999\n')),
  },
  { name: 'MANIFEST deleted', damage: each(manifest, (path) => rm(path)) },
  { name: 'MANIFEST cut in half', damage: each(manifest, cutTo(0.5)) },
  { name: 'MANIFEST of zeros', damage: each(manifest, zero) },
  { name: 'MANIFEST with other bytes', damage: each(manifest, flip) },
  { name: 'the data deleted', damage: each(data, (path) => rm(path)) },
  { name: 'the data empty', damage: each(data, cutTo(0)) },
  { name: 'the data cut in half', damage: each(data, cutTo(0.5)) },
  { name: 'the data cut at its end', damage: each(data, cutTo(0.98)) },
  { name: 'the data of zeros', damage: each(data, zero) },
  { name: 'the data with other bytes', damage: each(data, flip) },
  {
    name: 'the log in place of MANIFEST',
    damage: async (folder) => {
      const [from] = await filesIn(folder, log);
      const [to] = await filesIn(folder, manifest);
      if (from && to) await copyFile(from, to);
    },
  },
  {
    name: 'MANIFEST in place of the log',
    damage: async (folder) => {
      const [from] = await filesIn(folder, manifest);
      const [to] = await filesIn(folder, log);
      if (from && to) await copyFile(from, to);
    },
  },
  {
    name: 'a file where the folder was',
    damage: async (folder) => {
      await rename(folder, `${folder}.old`);
      await writeFile(folder, 'no folder');
    },
  },
];

/** Lengths at which a kill between two writes may cut the last record of the log, as shares of the part after its header. */
export const halfRecords = [
  { name: 'its header alone', share: 0 },
  { name: 'half of it', share: 0.5 },
  { name: 'all but its last byte', share: 0.999 },
];

/**
 * Cuts the last record of the log. LevelDB's format has blocks of 32 KiB with records that start with a header of seven bytes, two of them the
 * length. Resolves to the path of the log.
 */
export async function leaveHalfARecord(folder: string, share: number): Promise<string> {
  const [path] = await filesIn(folder, log);
  if (path === undefined) throw new Error('There is no log.');
  const bytes = await readFile(path);
  let last = { start: 0, length: 0 };
  for (let start = 0; start + 7 <= bytes.length;) {
    const left = 32_768 - (start % 32_768);
    if (left < 7) start += left;
    else {
      last = { start, length: bytes.readUInt16LE(start + 4) };
      start += 7 + last.length;
    }
  }
  await truncate(path, last.start + 7 + Math.floor(last.length * share));
  return path;
}
