import type { EgressFailure } from './egress';
import type { AttachedFile, Message } from './message';
import type { KeptAttachment } from './store';

/** Files that a person adds to a message: what is kept of each, and what a message says of it. */

/**
 * What a file is to a model. `text`: prose, Markdown or source code; `table`: rows of CSV; `json`; `page`: HTML; `document`: DOCX;
 * `picture`: for models that see, and not as it was: `tools/attachments/read-picture.ts`.
 */
export type AttachedKind = KeptAttachment['kind'];

/** The names of the tools that look into them. A person's own tool cannot have the first (`tools/custom/check-definition.ts`). */
export const readAttachmentName = 'read_attachment';
export const queryTableName = 'query_table';

/** Bytes of one file, files of one message, and characters that are read of one. */
export const mostOfFiles = { bytes: 20_000_000, files: 10, characters: 4_000_000 };

/** Kinds that have rows and columns. */
export const tableKinds: ReadonlySet<AttachedKind> = new Set(['table', 'json']);

const sourceMark = 'file: ';

/** Stands among the hosts of outside text for a file: with a blank in it, it is the name of no host. */
export function sourceOfFile(name: string): string {
  return sourceMark + name;
}

/** Such a source was told nothing: it is no server. */
export function isFileSource(source: string): boolean {
  return source.startsWith(sourceMark);
}

/** Why a file does not go with the message. `large`, `many`, `pixels`: the limits; `kept`: no room; `missing`: what reads it was not reachable. */
export type AttachTrouble =
  | 'archive'
  | 'bomb'
  | 'damaged'
  | 'empty'
  | 'encrypted'
  | 'kept'
  | 'large'
  | 'many'
  | 'missing'
  | 'office'
  | 'old-office'
  | 'pixels'
  | 'scanned'
  | 'slow'
  | 'unknown';

/** A file that is being read, or why it does not go with the message. */
export interface TakenFile {
  id: string;
  name: string;
  trouble: AttachTrouble | undefined;
}

/** PURE: pictures that go with messages: how large one is kept, and about how much of a model's memory it takes. */

/** Pixels of the longer side, and of all of it: what models see of a larger one they scale down themselves. */
export const mostOfShown = { side: 1568, pixels: 1_150_000 };

/** Shown in one request; older ones are told of in words, so that a long chat is not sent whole again and again. */
export const mostShown = 20;

export function picturesOf(message: Message | undefined): AttachedFile[] {
  const attached = message?.role === 'user' ? (message.attached ?? []) : [];
  return attached.filter((one) => 'fileId' in one).filter(({ kind }) => kind === 'picture');
}

/** Models differ by a factor of ten; of those that say how they count, most take less. */
export function tokensOfPicture({ pixels }: Pick<AttachedFile, 'pixels'>): number {
  const { width, height } = pixels ?? { width: 1024, height: 1024 };
  return Math.ceil((width * height) / 750) + 16;
}

/** Pictures: what one is, told by its first bytes and never by its name, and why one is not shown. PURE. */

/** No SVG: it is a document, which can hold scripts and lead elsewhere. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** Bytes of one picture, and pixels that it is drawn of: a small file can unpack to more than a device has room for. */
export const mostOfPicture = { bytes: 10_000_000, pixels: 50_000_000 };

/**
 * Why a picture of an answer is not shown. `none`: there is nothing at its address; `other`: what came is no picture that is shown;
 * `large`: more than `mostOfPicture`; `damaged`: the browser cannot draw it.
 */
export type PictureProblem = EgressFailure | 'none' | 'other' | 'large' | 'damaged';

export type FetchedPicture =
  | { ok: true; bytes: Uint8Array<ArrayBuffer>; type: PictureType }
  | { ok: false; problem: PictureProblem };

interface PictureHeader {
  type: PictureType;
  width: number;
  height: number;
}

/** What `bytes` are a picture of, as their beginning says; undefined where they are none of these. */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readPng(view) ?? readGif(view) ?? readJpeg(view) ?? readWebp(view);
  } catch {
    // It ends before its header does.
    return undefined;
  }
}

/** A picture, or why it is none that is shown. */
export function checkPicture(bytes: Uint8Array<ArrayBuffer>): FetchedPicture {
  const header = readPictureHeader(bytes);
  if (!header || header.width * header.height === 0) return { ok: false, problem: 'other' };
  const isLarge = bytes.length > mostOfPicture.bytes || header.width * header.height > mostOfPicture.pixels;
  return isLarge ? { ok: false, problem: 'large' } : { ok: true, bytes, type: header.type };
}

function readPng(view: DataView): PictureHeader | undefined {
  if (!isText(view, 0, '\x89PNG\r\n\x1a\n') || !isText(view, 12, 'IHDR')) return undefined;
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): PictureHeader | undefined {
  if (!isText(view, 0, 'GIF87a') && !isText(view, 0, 'GIF89a')) return undefined;
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** The frame is behind other segments, each of which says how long it is. */
function readJpeg(view: DataView): PictureHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    // Filling.
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) {
      return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    } else at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Of the markers from C0 to CF three are tables and an extension. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function readWebp(view: DataView): PictureHeader | undefined {
  if (!isText(view, 0, 'RIFF') || !isText(view, 8, 'WEBP')) return undefined;
  const type = 'image/webp';
  if (isText(view, 12, 'VP8 ')) {
    return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (isText(view, 12, 'VP8L')) {
    const sizes = view.getUint32(21, true);
    return { type, width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
  }
  if (!isText(view, 12, 'VP8X')) return undefined;
  const size = (at: number) => (view.getUint16(at, true) | (view.getUint8(at + 2) << 16)) + 1;
  return { type, width: size(24), height: size(27) };
}

function isText(view: DataView, at: number, text: string): boolean {
  return Array.from(text).every((letter, place) => view.getUint8(at + place) === letter.charCodeAt(0));
}
