/** Part of the composition root: pictures of a conversation for a model that sees. Loaded with the first picture. */
import type { AttachedFile, ImagePart, Message } from '../contracts/message';
import type { ModelSpec, ReplyRequest } from '../contracts/model';
import { mostShown, picturesOf } from '../contracts/attachment';
import type { KeptAttachment } from '../contracts/store';
import { engineOf } from '../engines/registry';

export interface PictureParts {
  load: (fileId: string) => Promise<Pick<KeptAttachment, 'kind' | 'type' | 'data'> | undefined>;
  /** The model that answers at this moment: a fallback may replace it within a turn. */
  spec: () => ModelSpec;
}

export type Pictures = (messages: readonly Message[]) => Promise<ReplyRequest['pictures']>;

/** For one turn: reads each picture once. Resolves to undefined without pictures, or if the model does not see. */
export function createPictures({ load, spec }: PictureParts): Pictures {
  const read = new Map<string, Promise<ImagePart | undefined>>();
  const readOnce = (file: AttachedFile) => {
    const reading = read.get(file.fileId) ?? readPicture(file.fileId, load);
    read.set(file.fileId, reading);
    return reading;
  };
  return async (messages) => {
    const files = messages.flatMap(picturesOf).slice(-mostShown);
    if (files.length === 0 || !(await engineOf(spec())?.canSee?.(spec()))) return undefined;
    const parts = await Promise.all(files.map(async (file) => [file.fileId, await readOnce(file)] as const));
    return Object.fromEntries(parts.flatMap(([id, part]) => (part ? [[id, part]] : [])));
  };
}

async function readPicture(id: string, load: PictureParts['load']): Promise<ImagePart | undefined> {
  const kept = await load(id).catch(() => undefined);
  if (kept?.kind !== 'picture') return undefined;
  return { type: 'image', data: toBase64(kept.data), mimeType: kept.type };
}

function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // A larger piece would have too many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(pieces.join(''));
}
