/** Imports chats from other programs one by one. Memory use depends only on the longest chat. */
import { BlobReader, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js';
import type { BackupSource } from '../../contracts/backup';
import type { ChatRecord, MessageNode } from '../../contracts/chat';
import { read, type z } from '../../contracts/schema';
import {
  createDamagedBackupError,
  isZipBomb,
  readJson,
  readText,
  createRefusedBackupError,
  createTooLargeError,
  toReadingError,
  createUnknownFormatError,
  unpackEntry,
} from '../streams';
import { ChatGptConversation, readChatGpt } from './chatgpt';
import { LlamaConversation, LlamaLine, LlamaSession, readLlamaUi } from './llama-ui';
import { OpenWebUiChat, readOpenWebUi } from './open-webui';
import { type ConvertedChat, toChatRows } from './other-chat';

type ImportSource = Exclude<BackupSource, 'hearth'>;
type Conversation = z.infer<typeof LlamaConversation>;

export interface ChatImportOptions {
  isArchive: boolean;
  maxBytes: number;
  /** Runs once for each chat. A rejection ends the reading. */
  take: (rows: { chat: ChatRecord; nodes: MessageNode[] }) => Promise<void>;
  onProgress: (done: number, total: number) => void;
}

/** Rejects with an `AppError`. Even then, `take` may already have received some chats. */
export async function readExternalChats(
  file: Blob,
  { isArchive, maxBytes, take, onProgress }: ChatImportOptions,
): Promise<{ source: ImportSource; leftOut: number }> {
  let source: ImportSource | undefined;
  let leftOut = 0;
  const shared = new Set<string>();
  let done = 0;
  const { texts, total, close } = isArchive ? await openTextArchive(file) : openTextFile(file);
  try {
    if (total > maxBytes) throw createTooLargeError(`${total} bytes`);
    const onBytes = (bytes: number) => onProgress((done += bytes), total);
    let place = 0;
    for (const open of texts) {
      for await (const found of findChats(open(onBytes))) {
        if (source !== undefined && source !== found.source)
          throw createUnknownFormatError('Its chats are of two programs.');
        ({ source } = found);
        const { chat, leftOut: skippedCount, shared: sharedTexts } = found.convert(place++);
        leftOut += skippedCount;
        for (const one of sharedTexts) shared.add(one);
        await take(toChatRows(source, chat));
      }
    }
  } finally {
    await close();
  }
  if (source === undefined) throw createUnknownFormatError('It has no chats.');
  return { source, leftOut: leftOut + shared.size };
}

interface FoundChat {
  source: ImportSource;
  convert: (place: number) => ConvertedChat;
}

async function* findChats(texts: AsyncIterable<string>): AsyncGenerator<FoundChat> {
  let make: ((json: unknown) => FoundChat | undefined) | undefined;
  let lines: LlamaLineReader | undefined;
  for await (const text of splitObjects(texts)) {
    const json = readJson(text);
    if (!make && hasFields(json, 'type') && read(LlamaSession, json).ok) {
      lines = new LlamaLineReader();
      make = (line) => lines?.readLine(line);
    }
    make ??= chooseReader(json);
    const found = make(json);
    if (found) yield found;
  }
  const last = lines?.finishChat();
  if (last) yield last;
}

function chooseReader(one: unknown): (json: unknown) => FoundChat {
  if (hasFields(one, 'mapping')) return createChatReader('chatgpt', ChatGptConversation, readChatGpt);
  if (hasFields(one, 'chat')) return createChatReader('open-webui', OpenWebUiChat, readOpenWebUi);
  if (hasFields(one, 'conv', 'messages')) return createChatReader('llama-ui', LlamaConversation, readLlamaUi);
  throw createUnknownFormatError('It is no export that is known.');
}

function createChatReader<Schema extends z.ZodMiniType>(
  source: ImportSource,
  schema: Schema,
  convert: (value: z.infer<Schema>, place: number) => ConvertedChat,
): (json: unknown) => FoundChat {
  return (json) => ({
    source,
    convert(place) {
      const value = read(schema, json);
      if (!value.ok) throw createDamagedBackupError(`Chat ${place + 1} cannot be read: ${value.reason}`);
      return convert(value.value, place);
    },
  });
}

class LlamaLineReader {
  #open: Conversation | undefined;

  readLine(json: unknown): FoundChat | undefined {
    const session = read(LlamaSession, json);
    if (session.ok) {
      const before = this.finishChat();
      this.#open = { conv: session.value, messages: [] };
      return before;
    }
    const said = read(LlamaLine, json);
    if (!said.ok) throw createDamagedBackupError(said.reason);
    this.#open?.messages.push({ timestamp: said.value.timestamp, ...said.value.message });
    return undefined;
  }

  finishChat(): FoundChat | undefined {
    const open = this.#open;
    this.#open = undefined;
    return open && { source: 'llama-ui', convert: () => readLlamaUi(open) };
  }
}

interface OpenedTextFiles {
  texts: ((onBytes: (bytes: number) => void) => AsyncIterable<string>)[];
  total: number;
  close: () => Promise<unknown>;
}

function openTextFile(file: Blob): OpenedTextFiles {
  const open = (onBytes: (bytes: number) => void) => readText(file.stream(), { bytes: file.size }, onBytes);
  return { texts: [open], total: file.size, close: () => Promise.resolve() };
}

async function openTextArchive(file: Blob): Promise<OpenedTextFiles> {
  const zip = new ZipReader(new BlobReader(file), { useWebWorkers: false, checkCrc32: true });
  const close = () => zip.close().catch(() => undefined);
  try {
    const all = await zip.getEntries();
    const entries = all.filter((entry): entry is FileEntry => !entry.directory && isChatFile(entry.filename));
    if (new Set(entries.map(({ filename }) => filename)).size !== entries.length)
      throw createRefusedBackupError('It has a file in it twice.');
    const total = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (isZipBomb(total, file.size)) throw createRefusedBackupError('It was made to burst.');
    const texts = entries.map(
      (entry) => (onBytes: (bytes: number) => void) =>
        readText(unpackEntry(entry), { bytes: entry.uncompressedSize }, onBytes),
    );
    return { texts, total, close };
  } catch (error) {
    await close();
    throw toReadingError(error);
  }
}

const isChatFile = (name: string) =>
  /(?:^|\/)conversations(?:-\d+)?\.json$/.test(name) || /^[^/]+\.jsonl$/.test(name);

function hasFields(value: unknown, ...names: string[]): boolean {
  return typeof value === 'object' && value !== null && names.every((name) => Object.hasOwn(value, name));
}

const maxObjectCharacters = 64_000_000;

const [quote, backslash] = ['"', '\\'].map((mark) => mark.charCodeAt(0));
const openingBracketCodes = new Set(['{', '['].map((mark) => mark.charCodeAt(0)));
const closingBracketCodes = new Set(['}', ']'].map((mark) => mark.charCodeAt(0)));

const notAChatListMessage = 'It is no list of chats.';

class SeparatorCheck {
  #isList = false;
  #place: 'start' | 'first' | 'behind' | 'comma' | 'end' = 'start';

  checkCharacter(mark: string): boolean {
    const isOpening = mark === '{';
    if (/[\s\ufeff]/.test(mark)) return false;
    if (this.#place === 'start' && !isOpening && mark !== '[')
      throw createUnknownFormatError(notAChatListMessage);
    if (this.#place === 'start' && mark === '[') {
      this.#isList = true;
      this.#place = 'first';
    } else if (isOpening && this.#mayOpen()) this.#place = 'behind';
    else if (this.#isList && mark === ',' && this.#place === 'behind') this.#place = 'comma';
    else if (this.#isList && mark === ']' && (this.#place === 'behind' || this.#place === 'first'))
      this.#place = 'end';
    else if (this.#place === 'first') throw createUnknownFormatError(notAChatListMessage);
    else throw createDamagedBackupError(`It is no JSON: ${JSON.stringify(mark)} stands between two chats.`);
    return isOpening;
  }

  checkEnd(): void {
    if (this.#isList && this.#place !== 'end') throw createDamagedBackupError('It breaks off.');
  }

  #mayOpen(): boolean {
    return this.#isList ? this.#place === 'first' || this.#place === 'comma' : this.#place !== 'end';
  }
}

/** Splits streamed JSON into the texts of its top-level objects. Rejects with an `AppError` for malformed JSON. */
export async function* splitObjects(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const between = new SeparatorCheck();
  let held: string[] = [];
  let length = 0;
  let [depth, isText, isEscaped] = [0, false, false];
  for await (const text of texts) {
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (depth === 0) {
        if (!between.checkCharacter(text.charAt(at))) continue;
        from = at;
        depth = 1;
      } else if (isText) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) isText = false;
      } else if (code === quote) isText = true;
      else if (code > 90 && openingBracketCodes.has(code)) depth++;
      else if (code > 90 && closingBracketCodes.has(code) && --depth === 0) {
        yield held.join('') + text.slice(from, at + 1);
        held = [];
        length = 0;
      }
    }
    if (depth === 0) continue;
    held.push(text.slice(from));
    length += text.length - from;
    if (length > maxObjectCharacters) throw createTooLargeError('A chat in it is too long.');
  }
  if (depth > 0) throw createDamagedBackupError('It breaks off.');
  between.checkEnd();
}
