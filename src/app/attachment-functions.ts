/** Reads the files that users add, and provides the tools for those files and the pictures for models with vision. */
import { MissingPartError } from '../contracts/error-code';
import readFileWorkerUrl from '../../workers/read-file.worker.ts?worker&url';
import readPageWorkerUrl from '../../workers/read-page.worker.ts?worker&url';
import type { Message, AttachedFile, ImagePart } from '../contracts/message';
import type { AttachmentStore, StoredAttachment } from '../contracts/store';
import { startWorker } from '../platform/start-worker';
import { cleanName } from '../state/attach-files';
import { createAttachmentTools, findTableQuery } from '../tools/attachments/attachment-tools';
import { createPageReader } from '../tools/builtin/fetch-page';
import { createFilesWorker } from '../tools/attachments/remote-files';
import type { ModelSpec, ReplyRequest } from '../contracts/model';
import { type AttachProblem, maxSentPictures, picturesOf } from '../contracts/attachment';
import { engineOf } from '../engines/registry';

export interface AttachmentStores {
  storeOf: (chatId: string) => Promise<AttachmentStore>;
  load: AttachmentStore['load'];
  remove: AttachmentStore['remove'];
}

export function createAttachments({ storeOf, load, remove }: AttachmentStores) {
  const worker = createFilesWorker(() => startWorker(readFileWorkerUrl));
  const readPage = createPageReader(() => startWorker(readPageWorkerUrl));
  /** Returns the text of a web page. The base URL is a host that cannot exist, so relative links lead nowhere. */
  const wordsOf = async (html: string): Promise<string> => {
    const { title, text } = await readPage(html, 'https://file.invalid/', signal);
    return [title === '' ? '' : `# ${title}`, text].filter((part) => part !== '').join('\n\n');
  };
  const asTrouble = (error: unknown): { trouble: 'missing' | 'damaged' } => ({
    trouble: error instanceof MissingPartError ? 'missing' : 'damaged',
  });
  // Never aborted: the worker finishes reading a file even if the user removes it.
  const { signal } = new AbortController();
  return {
    load,
    remove,
    async take(file: File, chatId: string): Promise<AttachedFile | { trouble: AttachProblem }> {
      const data = new Uint8Array(await file.arrayBuffer());
      const name = cleanName(file.name);
      const outcome = await worker.read(data, name, signal);
      if ('trouble' in outcome) return outcome;
      const { kind, isCut, picture } = outcome;
      const text = kind === 'page' ? await wordsOf(outcome.text).catch(asTrouble) : outcome.text;
      if (typeof text === 'object') return text;
      if (kind === 'page' && text === '') return { trouble: 'empty' };
      const id = crypto.randomUUID();
      const { type, data: bytes } = picture ?? { type: file.type, data };
      const attachment = { id, chatId, createdAt: Date.now(), name, kind, type, data: bytes, text };
      try {
        await (await storeOf(chatId)).add({ ...attachment, ...(isCut && { isCut }) });
      } catch {
        return { trouble: 'kept' };
      }
      return { fileId: id, name, kind, bytes: bytes.length, ...(picture && { pixels: picture.pixels }) };
    },
    toolsFor: (history: readonly Message[]) => createAttachmentTools(history, { load, ask: worker.ask }),
    findTableQuery: (history: readonly Message[], aborting: AbortSignal) =>
      findTableQuery(history, { load, readQuestion: worker.readQuestion }, aborting),
  };
}

interface PictureSources {
  load: (fileId: string) => Promise<Pick<StoredAttachment, 'kind' | 'type' | 'data'> | undefined>;
  /** The current model. A fallback may replace it within a turn. */
  spec: () => ModelSpec;
}

/** Create one per turn, because it reads each picture only once. The returned function resolves to undefined without pictures or vision. */
export function createPictureReader({ load, spec }: PictureSources) {
  const read = new Map<string, Promise<ImagePart | undefined>>();
  const readOnce = (file: AttachedFile) => {
    const reading = read.get(file.fileId) ?? readPicture(file.fileId, load);
    read.set(file.fileId, reading);
    return reading;
  };
  return async (messages: readonly Message[]): Promise<ReplyRequest['pictures']> => {
    const files = messages.flatMap(picturesOf).slice(-maxSentPictures);
    if (files.length === 0 || !(await engineOf(spec())?.canSee?.(spec()))) return undefined;
    const parts = await Promise.all(files.map(async (file) => [file.fileId, await readOnce(file)] as const));
    return Object.fromEntries(parts.flatMap(([id, part]) => (part ? [[id, part]] : [])));
  };
}

async function readPicture(id: string, load: PictureSources['load']): Promise<ImagePart | undefined> {
  const file = await load(id).catch(() => undefined);
  if (file?.kind !== 'picture') return undefined;
  return { type: 'image', data: encodeBase64(file.data), mimeType: file.type };
}

function encodeBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // Convert in pieces, because too many arguments overflow the stack.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(pieces.join(''));
}
