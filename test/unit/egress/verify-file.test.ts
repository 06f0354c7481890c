/** When a downloaded file counts as damaged. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyFile } from '../../../src/egress/verify-file';

const content = 'GGUF and some weights';
const sumOf = (algorithm: 'md5' | 'sha256', text = content) =>
  createHash(algorithm).update(text).digest('hex');
const expected = { url: 'https://example.org/model.gguf', place: 'files', kind: 'gguf' } as const;

test.for<{ name: string; sums: { bytes?: number; md5?: string; sha256?: string }; ok: boolean }>([
  { name: 'no size and no checksum is known', sums: {}, ok: true },
  { name: 'its size is right', sums: { bytes: content.length }, ok: true },
  { name: 'its size is wrong', sums: { bytes: content.length + 1 }, ok: false },
  { name: 'its SHA-256 checksum is right', sums: { sha256: sumOf('sha256') }, ok: true },
  {
    name: 'its SHA-256 checksum is right, in capitals',
    sums: { sha256: sumOf('sha256').toUpperCase() },
    ok: true,
  },
  { name: 'its SHA-256 checksum is wrong', sums: { sha256: sumOf('sha256', 'GGUF') }, ok: false },
  { name: 'its MD5 checksum is right', sums: { md5: sumOf('md5') }, ok: true },
  { name: 'its MD5 checksum is wrong', sums: { md5: sumOf('md5', 'GGUF') }, ok: false },
  {
    name: 'one of two checksums is wrong',
    sums: { md5: sumOf('md5'), sha256: sumOf('sha256', 'GGUF') },
    ok: false,
  },
])('a file is accepted only if everything known about it is right: $name', async ({ sums, ok }) => {
  const verdict = await verifyFile(new Blob([content]), { ...expected, ...sums });
  expect(verdict).toMatchObject(ok ? { ok } : { ok, failure: 'damaged' });
});
