/** Files and pictures that the user attaches to a message. */
import type { EgressFailure } from './egress';
import type { AttachedFile, Message } from './message';

export const attachmentLimits = { bytes: 20_000_000, files: 10, characters: 4_000_000 };

export const tableKinds: ReadonlySet<AttachedFile['kind']> = new Set(['table', 'json']);

/** Why Hearth cannot read a file. `office`: a spreadsheet or slides. `bomb`: it unpacks to too much data. `missing`: our parser did not load. */
export type FileReadErrorCode =
  | 'archive'
  | 'bomb'
  | 'damaged'
  | 'empty'
  | 'encrypted'
  | 'missing'
  | 'office'
  | 'old-office'
  | 'pixels'
  | 'scanned'
  | 'slow'
  | 'unknown';

export class FileReadError extends Error {
  readonly code: FileReadErrorCode;

  constructor(code: FileReadErrorCode) {
    super(`This file could not be read: ${code}.`);
    this.code = code;
  }
}

/** Why a file cannot be attached. `large`, `many`: over a limit. `kept`: the storage is full. */
export type AttachProblem = FileReadErrorCode | 'kept' | 'large' | 'many';

export interface AttachingFile {
  id: string;
  name: string;
  trouble: AttachProblem | undefined;
}

/** Maximum size of a picture sent to a model, in pixels: its longer side and its area. Models scale down larger pictures anyway. */
export const maxSentPictureSize = { side: 1568, pixels: 1_150_000 };

/** Maximum number of pictures in one request, newest first. The prompt only names older pictures. */
export const maxSentPictures = 20;

export function picturesOf(message: Message | undefined): AttachedFile[] {
  const attached = message?.role === 'user' ? (message.attached ?? []) : [];
  return attached.filter((one) => 'fileId' in one).filter(({ kind }) => kind === 'picture');
}

/** Estimates how many tokens a picture takes. Most models need fewer, so the prompt fits even if the estimate is wrong. */
export function tokensOfPicture({ pixels }: Pick<AttachedFile, 'pixels'>): number {
  const { width, height } = pixels ?? { width: 1024, height: 1024 };
  return Math.ceil((width * height) / 750) + 16;
}

/** Picture types that Hearth shows. SVG is excluded: it can contain scripts and links. */
type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** Maximum size of a picture file. The pixels are limited too, because a small file can decode to a huge image. */
export const maxPictureSize = { bytes: 10_000_000, pixels: 50_000_000 };

/** Why a picture is not shown. `none`: not found. `other`: another file type. `large`: over `maxPictureSize`. `damaged`: unreadable. */
export type PictureProblem = EgressFailure | 'none' | 'other' | 'large' | 'damaged';

export type FetchedPicture =
  | { ok: true; bytes: Uint8Array<ArrayBuffer>; type: PictureType }
  | { ok: false; problem: PictureProblem };

interface PictureHeader {
  type: PictureType;
  width: number;
  height: number;
}

/** Reads the type and size from the first bytes, not from the file name. Undefined if the picture type is not supported. */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readPngHeader(view) ?? readGifHeader(view) ?? readJpegHeader(view) ?? readWebpHeader(view);
  } catch {
    return undefined;
  }
}

export function checkPicture(bytes: Uint8Array<ArrayBuffer>): FetchedPicture {
  const header = readPictureHeader(bytes);
  if (!header || header.width * header.height === 0) return { ok: false, problem: 'other' };
  const isLarge = bytes.length > maxPictureSize.bytes || header.width * header.height > maxPictureSize.pixels;
  return isLarge ? { ok: false, problem: 'large' } : { ok: true, bytes, type: header.type };
}

function readPngHeader(view: DataView): PictureHeader | undefined {
  if (!matchesAscii(view, 0, '\x89PNG\r\n\x1a\n') || !matchesAscii(view, 12, 'IHDR')) return undefined;
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function readGifHeader(view: DataView): PictureHeader | undefined {
  if (!matchesAscii(view, 0, 'GIF87a') && !matchesAscii(view, 0, 'GIF89a')) return undefined;
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readJpegHeader(view: DataView): PictureHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isJpegFrameMarker(marker)) {
      return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    } else at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** In JPEG files, markers C0 to CF start a frame, except C4, C8 and CC. */
function isJpegFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function readWebpHeader(view: DataView): PictureHeader | undefined {
  if (!matchesAscii(view, 0, 'RIFF') || !matchesAscii(view, 8, 'WEBP')) return undefined;
  const type = 'image/webp';
  if (matchesAscii(view, 12, 'VP8 ')) {
    return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (matchesAscii(view, 12, 'VP8L')) {
    const sizes = view.getUint32(21, true);
    return { type, width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
  }
  if (!matchesAscii(view, 12, 'VP8X')) return undefined;
  const size = (at: number) => (view.getUint16(at, true) | (view.getUint8(at + 2) << 16)) + 1;
  return { type, width: size(24), height: size(27) };
}

function matchesAscii(view: DataView, at: number, text: string): boolean {
  return Array.from(text).every((letter, place) => view.getUint8(at + place) === letter.charCodeAt(0));
}
