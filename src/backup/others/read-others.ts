/** Finds out whose file it is, and reads its chats into rows. A file that is none of these is unknown, and one that breaks off is damaged. */
import { BlobReader, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { AppError } from '../../contracts/app-error';
import type { BackupSource } from '../../contracts/backup';
import type { ChatRecord, MessageNode } from '../../contracts/chat';
import type { z } from '../../contracts/schema';
import { read } from '../../contracts/schema';
import { damaged, refused, tooLarge, toReadingError } from '../failures';
import { readJson } from '../read-json';
import { readWhole } from '../streams';
import { ChatGptConversation, readChatGpt } from './chatgpt';
import { LlamaConversation, LlamaLine, LlamaSession, readLlamaUi } from './llama-ui';
import { OpenWebUiChat, readOpenWebUi } from './open-webui';
import { type OtherChat, rowsOf } from './other-chat';

/** Bytes of text: such files are one JSON text, and are read at once. */
const mostBytes = 300_000_000;
type Conversation = z.infer<typeof LlamaConversation>;

export interface OtherExport {
  source: Exclude<BackupSource, 'hearth'>;
  chats: { chat: ChatRecord; nodes: MessageNode[] }[];
  leftOut: number;
}

export async function readOthers(file: Blob, isArchive: boolean): Promise<OtherExport> {
  if (!isArchive) return readText(await textOf(file));
  return joined((await textsIn(file)).map(readText));
}

function readText(text: string): OtherExport {
  const first = text.trimStart().charAt(0);
  if (first !== '{' && first !== '[') throw unknown();
  if (/^\s*\{\s*"type"\s*:\s*"session"/.test(text)) return readLines(text);
  const json = readJson(text);
  const list: unknown[] = Array.isArray(json) ? json : [json];
  const [one] = list;
  if (one === undefined) throw unknown();
  if (hasFields(one, 'mapping')) return made('chatgpt', list, ChatGptConversation, readChatGpt);
  if (hasFields(one, 'chat')) return made('open-webui', list, OpenWebUiChat, readOpenWebUi);
  if (hasFields(one, 'conv', 'messages')) return made('llama-ui', list, LlamaConversation, readLlamaUi);
  throw unknown();
}

const unknown = () => new AppError('backup-unknown', 'It is no export that is known.');

function made<Schema extends z.ZodMiniType>(
  source: OtherExport['source'],
  list: readonly unknown[],
  schema: Schema,
  convert: (value: z.infer<Schema>, place: number) => { chat: OtherChat; leftOut: number },
): OtherExport {
  const converted = list.map((item, place) => {
    const value = read(schema, item);
    if (!value.ok) throw damaged(`Chat ${place + 1} cannot be read: ${value.reason}`);
    return convert(value.value, place);
  });
  const chats = converted.map(({ chat }) => rowsOf(source, chat));
  return { source, chats, leftOut: converted.reduce((sum, { leftOut }) => sum + leftOut, 0) };
}

/** A line about a chat, then its messages; then the next chat. */
function readLines(text: string): OtherExport {
  const conversations: Conversation[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const json = readJson(line);
    const session = read(LlamaSession, json);
    if (session.ok) {
      conversations.push({ conv: session.value, messages: [] });
      continue;
    }
    const said = read(LlamaLine, json);
    const last = conversations.at(-1);
    if (!said.ok || !last) throw damaged(said.ok ? 'A message comes before its chat.' : said.reason);
    last.messages.push({ timestamp: said.value.timestamp, ...said.value.message });
  }
  return made('llama-ui', conversations, LlamaConversation, readLlamaUi);
}

function joined(parts: readonly OtherExport[]): OtherExport {
  const [first] = parts;
  if (!first || parts.some(({ source }) => source !== first.source)) throw unknown();
  return {
    source: first.source,
    chats: parts.flatMap(({ chats }) => chats),
    leftOut: parts.reduce((sum, { leftOut }) => sum + leftOut, 0),
  };
}

/** Of ChatGPT's archive the chats, of llama.cpp's all files; whatever else lies beside is not looked at. */
async function textsIn(file: Blob): Promise<string[]> {
  const zip = new ZipReader(new BlobReader(file), { useWebWorkers: false, checkCrc32: true });
  try {
    const entries = (await zip.getEntries()).filter(({ filename }) => isOfChats(filename));
    const names = new Set(entries.map(({ filename }) => filename));
    if (names.size !== entries.length) throw refused('It has a file in it twice.');
    const total = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (total > mostBytes) throw tooLarge(`${total} bytes`);
    const texts: string[] = [];
    for (const entry of entries) {
      if (entry.directory) continue;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      entry
        .getData(writable)
        .catch((error: unknown) => writable.abort(toReadingError(error)).catch(() => undefined));
      texts.push(await readWhole(readable, { bytes: entry.uncompressedSize }));
    }
    return texts;
  } catch (error) {
    throw toReadingError(error);
  } finally {
    await zip.close().catch(() => undefined);
  }
}

const isOfChats = (name: string) =>
  /(?:^|\/)conversations(?:-\d+)?\.json$/.test(name) || /^[^/]+\.jsonl$/.test(name);

async function textOf(file: Blob): Promise<string> {
  if (file.size > mostBytes) throw tooLarge(`${file.size} bytes`);
  return readWhole(file.stream(), { bytes: file.size });
}

function hasFields(value: unknown, ...names: string[]): boolean {
  return typeof value === 'object' && value !== null && names.every((name) => Object.hasOwn(value, name));
}
