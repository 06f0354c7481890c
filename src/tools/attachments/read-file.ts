/** Detects an untrusted file's type from its bytes and reads its text. Never executes or fetches anything in the file. */
import { FileReadError, type FileReadErrorCode, attachmentLimits } from '../../contracts/attachment';
import type { AttachedFile } from '../../contracts/message';
import { parseJson } from '../../contracts/schema';
import { cutBeginning } from '../../text/cut';
import type { PictureFile } from './read-picture';

interface FileContent {
  kind: AttachedFile['kind'];
  /** Only for images: the re-encoded image that replaces the file. */
  picture?: PictureFile;
  /** Empty for an image. For an HTML page, its source. */
  text: string;
}

export type FileReadOutcome = (FileContent & { isCut: boolean }) | { trouble: FileReadErrorCode };

/** Never rejects, but returns the problem as data: errors lose their class between workers. */
export async function readFile(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<FileReadOutcome> {
  try {
    const { kind, text, picture } = await readContent(bytes, name);
    if (kind !== 'picture' && text.trim() === '') return { trouble: kind === 'pdf' ? 'scanned' : 'empty' };
    const kept = cutBeginning(text, attachmentLimits.characters);
    return { kind, text: kept, isCut: kept.length < text.length, ...(picture && { picture }) };
  } catch (error) {
    return { trouble: error instanceof FileReadError ? error.code : 'damaged' };
  }
}

async function readContent(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<FileContent> {
  const head = String.fromCharCode(...bytes.subarray(0, 1024));
  if (pictureSignatures.some((start) => start.test(head))) {
    const { readPicture } = await loadFileReader(import('./read-picture'));
    return { kind: 'picture', text: '', picture: await readPicture(bytes) };
  }
  if (head.includes('%PDF-')) {
    const { readPdf } = await loadFileReader(import('./read-pdf'));
    return { kind: 'pdf', text: await readPdf(bytes) };
  }
  if (head.startsWith('PK\u0003\u0004')) {
    const { readDocument } = await loadFileReader(import('./read-document'));
    return { kind: 'document', text: await readDocument(bytes) };
  }
  if (head.startsWith('\u00d0\u00cf\u0011\u00e0')) throw new FileReadError('old-office');
  const text = decodeText(bytes);
  if (text === undefined) throw new FileReadError('unknown');
  return readText(text, name);
}

/** Our code for this file type may not load if the device is offline. We report that, because the user would blame the file otherwise. */
function loadFileReader<Part>(loading: Promise<Part>): Promise<Part> {
  return loading.catch(() => {
    throw new FileReadError('missing');
  });
}

const htmlPattern = /^\s*(?:<!--[^]{0,2000}?-->\s*)?<(?:!doctype\s+html|html)\b/i;

function readText(text: string, name: string): FileContent {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (/^(?:x?html|htm)$/.test(ending) || htmlPattern.test(text.slice(0, 4000))) return { kind: 'page', text };
  if (['csv', 'tsv', 'tab'].includes(ending)) return { kind: 'table', text };
  const isJson = ending === 'json' ? parseJson(text) !== undefined : ['jsonl', 'ndjson'].includes(ending);
  return { kind: isJson ? 'json' : 'text', text };
}

/** Image formats that browsers decode. Excludes SVG, a document that can contain scripts. */
const pictureSignatures = [/^\u0089PNG\r\n/, /^\u00ff\u00d8\u00ff/, /^GIF8[79]a/, /^RIFF[^]{4}WEBP/];

const maxSampleBytes = 64_000;

function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return tryDecode(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return tryDecode(bytes, 'utf-16be');
  const sample = bytes.subarray(0, maxSampleBytes);
  const wide = guessUtf16(sample);
  if (wide !== undefined) return tryDecode(bytes, wide);
  if (isBinary(sample)) return undefined;
  return tryDecode(bytes, 'utf-8') ?? decodeChinese(bytes) ?? tryDecode(bytes, 'windows-1252');
}

function tryDecode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Detects UTF-16 without a byte order mark: in Western text, every second byte is zero. */
function guessUtf16(sample: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const even = sample.filter((byte, at) => byte === 0 && at % 2 === 0).length;
  const odd = sample.filter((byte, at) => byte === 0 && at % 2 === 1).length;
  const many = sample.length * 0.2;
  if (odd > many && even < odd / 10) return 'utf-16le';
  return even > many && odd < even / 10 ? 'utf-16be' : undefined;
}

function isBinary(sample: Uint8Array): boolean {
  const controls = sample.filter((byte) => byte < 32 && ![9, 10, 12, 13].includes(byte));
  return controls.length > sample.length / 100;
}

/** GB18030 decodes almost any bytes, so we accept the text only if most of its non-ASCII characters are Chinese. */
function decodeChinese(bytes: Uint8Array): string | undefined {
  const text = tryDecode(bytes, 'gb18030');
  const sample = text?.slice(0, maxSampleBytes) ?? '';
  const beyond = sample.match(/[^\0-\u007f]/g)?.length ?? 0;
  const chinese = sample.match(/[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef]/g)?.length ?? 0;
  return chinese > beyond * 0.8 ? text : undefined;
}
