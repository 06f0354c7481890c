import { md5 } from '@noble/hashes/legacy.js';
import type { DownloadFile } from '../contracts/egress';
import { toHex } from './kept-files';

export type Verdict = { ok: true } | { ok: false; failure: 'wrong-file' | 'damaged'; detail: string };

const magicNumbers = { wasm: '\0asm', gguf: 'GGUF' } as const;

export async function verifyFile(file: Blob, expected: Omit<DownloadFile, 'from'>): Promise<Verdict> {
  const beginning = await file.slice(0, 512).text();
  const name = new URL(expected.url).pathname.split('/').at(-1) ?? '';
  if (/^\s*<(?:!doctype|html)/i.test(beginning)) {
    return { ok: false, failure: 'wrong-file', detail: `${name} is a web page.` };
  }
  const { kind, bytes, md5: hash } = expected;
  if (kind === 'json' && !(await isJson(file))) {
    return { ok: false, failure: 'wrong-file', detail: `${name} is not JSON.` };
  }
  if ((kind === 'wasm' || kind === 'gguf') && !beginning.startsWith(magicNumbers[kind])) {
    return { ok: false, failure: 'wrong-file', detail: `${name} does not begin with ${kind}'s mark.` };
  }
  if (bytes !== undefined && file.size !== bytes) {
    return { ok: false, failure: 'damaged', detail: `${name} has ${file.size} bytes instead of ${bytes}.` };
  }
  if (hash === undefined) return { ok: true };
  const found = await hashOf(file);
  return found === hash.toLowerCase()
    ? { ok: true }
    : { ok: false, failure: 'damaged', detail: `${name} has the hash ${found} instead of ${hash}.` };
}

async function isJson(file: Blob): Promise<boolean> {
  try {
    JSON.parse(await file.text());
    return true;
  } catch {
    return false;
  }
}

async function hashOf(file: Blob): Promise<string> {
  const hash = md5.create();
  const pieceBytes = 4 << 20;
  for (let at = 0; at < file.size; at += pieceBytes) {
    hash.update(new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer()));
  }
  return toHex(hash.digest());
}
