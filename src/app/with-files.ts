/** Part of the composition root: files of chats and their tools. The readers are loaded with the first file. */
import { AppError } from '../contracts/app-error';
import type { ResultStore } from '../contracts/store';
import type { AttachedFile, Message } from '../contracts/message';
import type { ModelSpec } from '../contracts/model';
import type { ModelStage } from '../contracts/pipeline';
import type { Tool } from '../contracts/tool';
import type { AttachmentFunctions } from '../state/attach-files';
import type { AttachmentParts } from './attachment-functions';
import { type LoadedOnce, loadOnce } from './load-once';

interface KeptFiles {
  results: Pick<ResultStore, 'load'>;
  attachments: Omit<AttachmentParts, 'newId' | 'date'>;
}

export interface FileParts {
  attachments: LoadedOnce<AttachmentFunctions>;
  /** The whole text of a result or file that was cut. Undefined if it is gone. */
  loadResult: (id: string) => Promise<string | undefined>;
  /** Empty if the conversation has no files. */
  fileTools: (history: readonly Message[]) => Promise<readonly Tool[]>;
  /** Adds the pictures of a conversation for a model that sees, for one turn. */
  showing: ShowPictures;
}

/** `spec`: the model that answers at this moment. */
export type ShowPictures = (spec: () => ModelSpec) => ModelStage;

export function createFileParts(kept: KeptFiles, newId: () => string): FileParts {
  const attachments = loadOnce(async () => {
    const { createAttachments } = await import('./attachment-functions');
    return createAttachments({ ...kept.attachments, newId, date: Date.now });
  });
  return {
    attachments,
    loadResult: async (id) => (await kept.results.load(id)) ?? (await kept.attachments.load(id))?.text,
    showing: (spec) => {
      const pictures = loadOnce(async () => {
        const { createPictures } = await import('./show-pictures').catch((error: unknown) => {
          throw new AppError('part-missing', String(error), { cause: error });
        });
        return createPictures({ load: kept.attachments.load, spec });
      });
      return {
        name: 'pictures',
        async transformRequest(request) {
          if (!hasFiles(request.messages, 'picture')) return request;
          const find = await pictures.load();
          const shown = await find(request.messages);
          return shown ? { ...request, pictures: shown } : request;
        },
      };
    },
    fileTools: async (history) => (hasFiles(history) ? (await attachments.load()).toolsFor(history) : []),
  };
}

function hasFiles(history: readonly Message[], kind?: AttachedFile['kind']): boolean {
  return history.some(
    (message) =>
      message.role === 'user' &&
      message.attached?.some((one) => 'fileId' in one && (kind === undefined || one.kind === kind)),
  );
}

/** Adds the tools that read files. A small model does not know them, so the page calls them instead. */
export function withFiles(on: readonly Tool[], fileTools: readonly Tool[]): readonly Tool[] {
  if (fileTools.length === 0) return on;
  const names = new Set(fileTools.map(({ name }) => name));
  // In a chat with files, the file tools win over custom tools of the same name.
  return [...on.filter(({ name }) => !names.has(name)), ...fileTools];
}
