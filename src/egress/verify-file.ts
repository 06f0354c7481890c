import { md5 } from '@noble/hashes/legacy.js';
import type { DownloadFile } from '../contracts/egress';
import { parseJson } from '../contracts/schema';
import { toHex } from './kept-files';

type FileVerdict = { ok: true } | { ok: false; failure: 'wrong-file' | 'damaged'; detail: string };

const magicNumbers = { wasm: '\0asm', gguf: 'GGUF' } as const;

export async function verifyFile(file: Blob, expected: Omit<DownloadFile, 'from'>): Promise<FileVerdict> {
  const beginning = await file.slice(0, 512).text();
  const name = new URL(expected.url).pathname.split('/').at(-1) ?? '';
  const fail = (failure: 'wrong-file' | 'damaged', what: string): FileVerdict => ({
    ok: false,
    failure,
    detail: `${name} ${what}.`,
  });
  if (/^\s*<(?:!doctype|html)/i.test(beginning)) return fail('wrong-file', 'is a web page');
  const { kind, bytes, md5: hash } = expected;
  if (kind === 'json' && parseJson(await file.text().catch(() => '')) === undefined)
    return fail('wrong-file', 'is not JSON');
  if ((kind === 'wasm' || kind === 'gguf') && !beginning.startsWith(magicNumbers[kind]))
    return fail('wrong-file', `does not begin with ${kind}'s mark`);
  if (bytes !== undefined && file.size !== bytes)
    return fail('damaged', `has ${file.size} bytes instead of ${bytes}`);
  if (hash === undefined) return { ok: true };
  const found = await computeMd5(file);
  if (found === hash.toLowerCase()) return { ok: true };
  return fail('damaged', `has the hash ${found} instead of ${hash}`);
}

async function computeMd5(file: Blob): Promise<string> {
  const hash = md5.create();
  const pieceBytes = 4 << 20;
  for (let at = 0; at < file.size; at += pieceBytes) {
    hash.update(new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer()));
  }
  return toHex(hash.digest());
}
