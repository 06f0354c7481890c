import { md5 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
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
  const { kind, bytes } = expected;
  if (kind === 'json' && parseJson(await file.text().catch(() => '')) === undefined)
    return fail('wrong-file', 'is not JSON');
  if ((kind === 'wasm' || kind === 'gguf') && !beginning.startsWith(magicNumbers[kind]))
    return fail('wrong-file', `does not begin with ${kind}'s mark`);
  if (bytes !== undefined && file.size !== bytes)
    return fail('damaged', `has ${file.size} bytes instead of ${bytes}`);
  for (const [algorithm, hash] of [
    [md5, expected.md5],
    [sha256, expected.sha256],
  ] as const) {
    if (hash === undefined) continue;
    const found = await computeHash(file, algorithm);
    if (found !== hash.toLowerCase()) return fail('damaged', `has the hash ${found} instead of ${hash}`);
  }
  return { ok: true };
}

/** Reads the file in pieces, because it may be larger than the memory. */
async function computeHash(file: Blob, algorithm: typeof md5 | typeof sha256): Promise<string> {
  const hash = algorithm.create();
  const pieceBytes = 4 << 20;
  for (let at = 0; at < file.size; at += pieceBytes) {
    hash.update(new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer()));
  }
  return toHex(hash.digest());
}
