import { loadCode } from '../platform/load-code';
import type { ResultStore } from '../contracts/store';
import type { AttachedFile, Message } from '../contracts/message';
import type { ModelSpec } from '../contracts/model';
import type { ModelStage } from '../contracts/pipeline';
import type { Tool } from '../contracts/tool';
import type { AttachmentStores } from './attachment-functions';
import { loadOnce } from './load-once';
import { type ByteEgress, EgressError } from '../contracts/egress';
import { checkPicture, type FetchedPicture, maxPictureSize } from '../contracts/attachment';

export type CreatePictureStage = (spec: () => ModelSpec) => ModelStage;

export function createFileAccess(stored: {
  results: Pick<ResultStore, 'load'>;
  attachments: AttachmentStores;
}) {
  const attachments = loadOnce(async () => {
    const { createAttachments } = await import('./attachment-functions');
    return createAttachments(stored.attachments);
  });
  /** Adds a conversation's pictures to its requests if the model has vision. Create one per turn. */
  const showing: CreatePictureStage = (spec) => {
    const pictures = loadOnce(async () => {
      const { createPictureReader } = await loadCode(import('./attachment-functions'));
      return createPictureReader({ load: stored.attachments.load, spec });
    });
    return {
      name: 'pictures',
      async transformRequest(request) {
        if (!hasFiles(request.messages, 'picture')) return request;
        const shown = await (await pictures.load())(request.messages);
        return shown ? { ...request, pictures: shown } : request;
      },
    };
  };
  return {
    attachments,
    loadResult: async (id: string) =>
      (await stored.results.load(id)) ?? (await stored.attachments.load(id))?.text,
    showing,
    fileTools: async (history: readonly Message[]): Promise<readonly Tool[]> =>
      hasFiles(history) ? (await attachments.load()).toolsFor(history) : [],
    /** Resolves to arguments of `query_table` that answer the newest question. Undefined if the model should answer it. */
    findTableQuery: async (history: readonly Message[], signal: AbortSignal) =>
      hasFiles(history, 'table') || hasFiles(history, 'json')
        ? (await attachments.load()).findTableQuery(history, signal)
        : undefined,
  };
}

function hasFiles(history: readonly Message[], kind?: AttachedFile['kind']): boolean {
  return history.some(
    (message) =>
      message.role === 'user' &&
      message.attached?.some((one) => 'fileId' in one && (kind === undefined || one.kind === kind)),
  );
}

/** Adds the tools that read files. Not for a small model, which does not know them: the page calls them instead. */
export function addFileTools(on: readonly Tool[], fileTools: readonly Tool[]): readonly Tool[] {
  return fileTools.length === 0 ? on : [...on, ...fileTools];
}

/** The media types to request. We check the content itself, because servers often send a wrong type. */
const acceptedPictureTypes = 'image/webp,image/png,image/jpeg,image/gif';
const pictureTimeoutMs = 30_000;

/** Loads a picture after the user clicks it. If the network, the server or the user prevents the load, returns the problem instead of throwing. */
export async function fetchPicture(
  egress: ByteEgress,
  url: string,
  signal: AbortSignal,
): Promise<FetchedPicture> {
  if (url.startsWith('data:')) return checkPicture(decodeBase64(url));
  try {
    const response = await egress.load(
      {
        url,
        method: 'GET',
        headers: { accept: acceptedPictureTypes },
        tool: 'pictures',
        redirect: 'follow',
        timeoutMs: pictureTimeoutMs,
        secrets: [],
        accept: ['image/*', 'application/octet-stream', 'binary/octet-stream'],
        maxBytes: maxPictureSize.bytes,
      },
      signal,
    );
    if (response.status >= 400) return { ok: false, problem: 'none' };
    return response.isCut ? { ok: false, problem: 'large' } : checkPicture(response.bytes);
  } catch (error) {
    if (error instanceof EgressError) return { ok: false, problem: error.failure };
    throw error;
  }
}

/** Decodes the base64 after the comma of a data URL. Returns an empty array if the base64 is invalid. */
function decodeBase64(address: string): Uint8Array<ArrayBuffer> {
  let text = '';
  try {
    const base64 = address.slice(address.indexOf(',') + 1);
    text = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    // The caller rejects empty data.
  }
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
