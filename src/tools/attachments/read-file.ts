/**
 * Reads a file that anybody may have made: what it is, by its bytes, and its text. Runs in a worker that is ended when it takes too long;
 * nothing in a file is run, and nothing that it names is fetched.
 */
import { mostOfFiles } from '../../contracts/attachment';
import type { AttachedFile } from '../../contracts/message';
import { beginningWithin } from '../../text/cut';
import { FileTrouble, type FileTroubleCode } from './file-trouble';
import type { ReadPicture } from './read-picture';
import { decodeText, isPicture } from './sniff';

export interface ReadFile {
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
