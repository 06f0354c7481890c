/** Part of the composition root: reads files that the user adds, and makes the tools of a chat with files. Loaded with the first file. */
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
  /** Returns the store that holds the files of a chat. */
  storeOf: (chatId: string) => Promise<AttachmentStore>;
  /** Loads a file from the disk or from a temporary chat. */
  load: AttachmentStore['load'];
  remove: AttachmentStore['remove'];
  newId: () => string;
  /** Milliseconds since the epoch. */
  date: () => number;
}

export interface Attachments extends AttachmentFunctions {
  /** Empty if the conversation has no files. */
  toolsFor: (history: readonly Message[]) => readonly Tool[];
}

export function createAttachments({ storeOf, load, remove, newId, date }: AttachmentParts): Attachments {
  const worker = createFilesWorker(() => startWorker(readFileWorkerUrl));
  const readPage = createPageReader(() => startWorker(readPageWorkerUrl));
  /** A base address that no host has, because nothing in the page is fetched. */
  const wordsOf = async (html: string): Promise<string> => {
    const { title, text } = await readPage(html, 'https://file.invalid/', signal);
    return [title === '' ? '' : `# ${title}`, text].filter((part) => part !== '').join('\n\n');
  };
  const asTrouble = (error: unknown): { trouble: 'missing' | 'damaged' } => ({
    trouble: error instanceof NotLoaded ? 'missing' : 'damaged',
  });
  // A removed file is still read to its end, and the worker then ends by itself.
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
