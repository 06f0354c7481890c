/** A part of the composition root: reading files that a person adds, and the tools of a chat that has some. Loaded with the first of them. */
import { NotLoaded } from '../contracts/error-code';
import readFileWorkerUrl from '../../workers/read-file.worker?worker&url';
import readPageWorkerUrl from '../../workers/read-page.worker?worker&url';
import type { Message } from '../contracts/message';
import type { AttachmentStore } from '../contracts/store';
import type { Tool } from '../contracts/tool';
import { startWorker } from '../platform/start-worker';
import { type AttachmentFunctions, shownName } from '../state/attach-files';
import { createAttachmentTools } from '../tools/attachments/attachment-tools';
import { createPageReader } from '../tools/builtin/fetch-page';
import { createFilesWorker } from '../tools/attachments/remote-files';

export interface AttachmentParts {
  /** Where those of a chat are. */
  storeOf: (chatId: string) => Promise<AttachmentStore>;
  /** From wherever it is. */
  load: AttachmentStore['load'];
  remove: AttachmentStore['remove'];
  newId: () => string;
  /** Milliseconds since the epoch. */
  date: () => number;
}

export interface Attachments extends AttachmentFunctions {
  /** None where the conversation has no files. */
  toolsFor: (history: readonly Message[]) => readonly Tool[];
}

export function createAttachments({ storeOf, load, remove, newId, date }: AttachmentParts): Attachments {
  const worker = createFilesWorker(() => startWorker(readFileWorkerUrl));
  const readPage = createPageReader(() => startWorker(readPageWorkerUrl));
  /** An address that no host has: nothing that the page names is followed. */
  const wordsOf = async (html: string): Promise<string> => {
    const { title, text } = await readPage(html, 'https://file.invalid/', signal);
    return [title === '' ? '' : `# ${title}`, text].filter((part) => part !== '').join('\n\n');
  };
  const asTrouble = (error: unknown): { trouble: 'missing' | 'damaged' } => ({
    trouble: error instanceof NotLoaded ? 'missing' : 'damaged',
  });
  // A file that was taken back is read to its end: the worker ends by itself.
  const { signal } = new AbortController();
  return {
    load,
    remove,
    async take(file, chatId) {
      const data = new Uint8Array(await file.arrayBuffer());
      const name = shownName(file.name);
      const outcome = await worker.read(data, name, signal);
      if ('trouble' in outcome) return outcome;
      const { kind, isCut, picture } = outcome;
      const text = kind === 'page' ? await wordsOf(outcome.text).catch(asTrouble) : outcome.text;
      if (typeof text === 'object') return text;
      if (kind === 'page' && text === '') return { trouble: 'empty' };
      const id = newId();
      const { type, data: bytes } = picture ?? { type: file.type, data };
      const kept = { id, chatId, createdAt: date(), name, kind, type, data: bytes, text };
      try {
        await (await storeOf(chatId)).add({ ...kept, ...(isCut && { isCut }) });
      } catch {
        return { trouble: 'kept' };
      }
      return { fileId: id, name, kind, bytes: bytes.length, ...(picture && { pixels: picture.pixels }) };
    },
    toolsFor: (history) => createAttachmentTools(history, { load, ask: worker.ask }),
  };
}
