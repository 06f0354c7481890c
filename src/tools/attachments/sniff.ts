/** PURE: what the bytes of a file are. */

/** Those that browsers draw and that are nothing else: no SVG, which is a document. */
const pictures = [/^\u0089PNG\r\n/, /^\u00ff\u00d8\u00ff/, /^GIF8[79]a/, /^RIFF[^]{4}WEBP/];

/** `head`: the first bytes, a character each. */
export function isPicture(head: string): boolean {
  return pictures.some((start) => start.test(head));
}

/** Bytes that are looked at: the beginning says it. */
const sampleBytes = 64_000;

/** The text in any of the usual encodings; undefined where the bytes are none. */
export function decodeText(bytes: Uint8Array): string | undefined {
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
