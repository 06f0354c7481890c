/** Encodings and a hash, written out: in plain code, so that it also runs where a page has no hashes (http). */
import type { CustomToolContent } from '../../../contracts/custom-tool';
import { plain } from './limits';

export const encodeText: CustomToolContent = {
  ...plain,
  name: 'encode_text',
  title: 'Encode, decode, hash',
  description:
    'Encodes or decodes a text as base64, hex or for a URL, or gives its SHA-256. Use it for any of these: they cannot be done by heart.',
  keywords: {
    en: ['base64', 'hex', 'url encode', 'sha256', 'checksum', 'decode'],
    zh: ['编码', '解码', '哈希', '校验和'],
  },
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', maxLength: 20_000 },
      how: {
        type: 'string',
        enum: ['base64', 'from_base64', 'hex', 'from_hex', 'url', 'from_url', 'sha256'],
      },
    },
    required: ['text', 'how'],
  },
  code: String.raw`const toBytes = (text) => {
  const escaped = encodeURIComponent(text.toWellFormed());
  return Array.from(escaped.matchAll(/%(..)|(.)/g), ([, hex, plain]) => (hex ? parseInt(hex, 16) : plain.charCodeAt(0)));
};
const toText = (bytes) => {
  try { return decodeURIComponent(bytes.map((byte) => '%' + byte.toString(16).padStart(2, '0')).join('')); }
  catch { throw new Error('What it decodes to is no text.'); }
};
const toHex = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function toBase64(bytes) {
  let out = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (bytes[at] << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const four = [18, 12, 6, 0].map((shift) => letters[(group >> shift) & 63]);
    out += four.slice(0, Math.min(4, bytes.length - at + 1)).join('').padEnd(4, '=');
  }
  return out;
}
function fromBase64(text) {
  const clean = text.replace(/\s|=+$/g, '').replace(/-/g, '+').replace(/_/g, '/');
  if (/[^A-Za-z0-9+/]/.test(clean) || clean.length % 4 === 1) throw new Error('This is no base64.');
  const bytes = [];
  let [bits, held] = [0, 0];
  for (const letter of clean) {
    held = ((held << 6) | letters.indexOf(letter)) & 0xffff;
    bits += 6;
    if (bits >= 8) bytes.push((held >> (bits -= 8)) & 255);
  }
  return bytes;
}
function sha256(message) {
  const root = (n, power) => Math.floor((n ** power % 1) * 2 ** 32);
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const k = primes.map((prime) => root(prime, 1 / 3));
  const state = primes.slice(0, 8).map((prime) => root(prime, 1 / 2));
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  const bytes = [...message, 128];
  while (bytes.length % 64 !== 56) bytes.push(0);
  const length = message.length * 8;
  for (let shift = 56; shift >= 0; shift -= 8) bytes.push(shift > 31 ? 0 : (length >>> shift) & 255);
  for (let at = 0; at < bytes.length; at += 64) {
    const w = Array.from({ length: 16 }, (_, i) => (bytes[at + 4 * i] << 24) | (bytes[at + 4 * i + 1] << 16) | (bytes[at + 4 * i + 2] << 8) | bytes[at + 4 * i + 3]);
    for (let i = 16; i < 64; i++) {
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] = (state[i] + value) | 0; });
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
const { text, how } = args;
switch (how) {
  case 'base64': return toBase64(toBytes(text));
  case 'from_base64': return toText(fromBase64(text));
  case 'hex': return toHex(toBytes(text));
  case 'from_hex': {
    const digits = text.replace(/\s|^0x/g, '');
    if (!/^([\da-f]{2})*$/i.test(digits)) throw new Error('This is no hex: write two digits a byte.');
    return toText((digits.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
  }
  case 'url': return encodeURIComponent(text.toWellFormed());
  case 'from_url':
    try { return decodeURIComponent(text.replace(/\+/g, ' ')); } catch { throw new Error('This is not encoded for a URL.'); }
  default: return sha256(toBytes(text));
}`,
  examples: [
    {
      request: 'base64 of Grüße',
      arguments: { text: 'Grüße', how: 'base64' },
      result: '"R3LDvMOfZQ=="',
    },
    { request: '', arguments: { text: 'R3LDvMOfZQ==', how: 'from_base64' }, result: '"Grüße"' },
    {
      request: '',
      arguments: { text: 'abc', how: 'sha256' },
      result: '"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"',
    },
    { request: '', arguments: { text: '时', how: 'hex' }, result: '"e697b6"' },
    { request: '', arguments: { text: 'a%20b%26', how: 'from_url' }, result: '"a b&"' },
  ],
};
