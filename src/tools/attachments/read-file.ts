/**
 * Reads a file that anybody may have made: what it is, by its bytes, and its text. Runs in a worker that is ended when it takes too long;
 * nothing in a file is run, and nothing that it names is fetched.
 */
import { mostOfFiles } from '../../contracts/attachment';
import type { AttachedFile } from '../../contracts/message';
import { beginningWithin } from '../../text/cut';
import { FileTrouble, type FileTroubleCode } from './file-trouble';
import type { ReadPicture } from './read-picture';

interface ReadFile {
  kind: AttachedFile['kind'];
  /** What is kept in the place of the file. Missing for all but pictures. */
  picture?: ReadPicture;
  /** '' of a picture; of a page its HTML, which what reads pages turns into words. */
  text: string;
  /** More is in the file than was read. */
  isCut: boolean;
}

export type ReadOutcome = ReadFile | { trouble: FileTroubleCode };

/** Resolves to what stands in the way where it cannot be read, as data: it crosses a border. */
export async function readFile(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<ReadOutcome> {
  try {
    const { kind, text, picture } = await readByBytes(bytes, name);
    if (kind !== 'picture' && text.trim() === '') return { trouble: kind === 'pdf' ? 'scanned' : 'empty' };
    const kept = beginningWithin(text, mostOfFiles.characters);
    return { kind, text: kept, isCut: kept.length < text.length, ...(picture && { picture }) };
  } catch (error) {
    return { trouble: error instanceof FileTrouble ? error.code : 'damaged' };
  }
}

type Found = Pick<ReadFile, 'kind' | 'text' | 'picture'>;

/** Whatever its name says. */
async function readByBytes(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Found> {
  const head = String.fromCharCode(...bytes.subarray(0, 1024));
  if (isPicture(head)) {
    const { readPicture } = await reachable(import('./read-picture'));
    return { kind: 'picture', text: '', picture: await readPicture(bytes) };
  }
  if (head.includes('%PDF-')) {
    const { readPdf } = await reachable(import('./read-pdf'));
    return { kind: 'pdf', text: await readPdf(bytes) };
  }
  if (head.startsWith('PK\u0003\u0004')) {
    const { readDocument } = await reachable(import('./read-document'));
    return { kind: 'document', text: await readDocument(bytes) };
  }
  if (head.startsWith('\u00d0\u00cf\u0011\u00e0')) throw new FileTrouble('old-office');
  const text = decodeText(bytes);
  if (text === undefined) throw new FileTrouble('unknown');
  return readText(text, name);
}

/** Not all that reads files is kept for when there is no network: that is no fault of the file. */
function reachable<Part>(loading: Promise<Part>): Promise<Part> {
  return loading.catch(() => {
    throw new FileTrouble('missing');
  });
}

const htmlStart = /^\s*(?:<!--[^]{0,2000}?-->\s*)?<(?:!doctype\s+html|html)\b/i;

function readText(text: string, name: string): Found {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (ending === 'html' || ending === 'htm' || ending === 'xhtml' || htmlStart.test(text.slice(0, 4000))) {
    return { kind: 'page', text };
  }
  if (ending === 'csv' || ending === 'tsv' || ending === 'tab') return { kind: 'table', text };
  if ((ending === 'json' && isJson(text)) || ending === 'jsonl' || ending === 'ndjson')
    return { kind: 'json', text };
  return { kind: 'text', text };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Those that browsers draw and that are nothing else: no SVG, which is a document. */
const pictures = [/^\u0089PNG\r\n/, /^\u00ff\u00d8\u00ff/, /^GIF8[79]a/, /^RIFF[^]{4}WEBP/];

/** `head`: the first bytes, a character each. */
function isPicture(head: string): boolean {
  return pictures.some((start) => start.test(head));
}

/** Bytes that are looked at: the beginning says it. */
const sampleBytes = 64_000;

/** The text in any of the usual encodings; undefined where the bytes are none. */
function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decode(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decode(bytes, 'utf-16be');
  const sample = bytes.subarray(0, sampleBytes);
  const wide = wideIn(sample);
  if (wide !== undefined) return decode(bytes, wide);
  if (isBinary(sample)) return undefined;
  return decode(bytes, 'utf-8') ?? decodeChinese(bytes) ?? decode(bytes, 'windows-1252');
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** In UTF-16 without a mark every second byte of a Western text is zero, and hardly any of the others. */
function wideIn(sample: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const many = sample.length * 0.2;
  if (odd > many && even < odd / 10) return 'utf-16le';
  return even > many && odd < even / 10 ? 'utf-16be' : undefined;
}

/** A few control characters are a slip; many are no text. */
function isBinary(sample: Uint8Array): boolean {
  const controls = sample.filter(
    (byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13,
  );
  return controls.length > sample.length / 100;
}

const commonChinese = /[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef]/g;

/** GBK and its larger sister decode nearly anything: only where that gives Chinese is it meant. */
function decodeChinese(bytes: Uint8Array): string | undefined {
  const text = decode(bytes, 'gb18030');
  if (text === undefined) return undefined;
  const beyond = text.slice(0, sampleBytes).match(/[^\0-\u007f]/g)?.length ?? 0;
  const chinese = text.slice(0, sampleBytes).match(commonChinese)?.length ?? 0;
  return chinese > beyond * 0.8 ? text : undefined;
}
