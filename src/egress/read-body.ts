/** Reads the body of a response as bytes or text, whole or in pieces, no further than a limit counted after decompression. */

export interface Body {
  text: string;
  /** It was longer than the limit. */
  isCut: boolean;
}

/** Of an HTML page, how far into it a browser looks for its encoding. */
const sniffedBytes = 1024;

/** Rejects when the connection breaks off or the response's signal aborts. `onBytes` is told of each piece as it comes. */
export async function readBody(
  response: Response,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<Body> {
  const { chunks, isCut } = await readChunks(response, maxBytes, onBytes);
  const decoder = decoderFor(response.headers.get('content-type') ?? '', chunks);
  const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
  // A letter that the limit cut in two is left out.
  return { text: isCut ? text : text + decoder.decode(), isCut };
}

/** As `readBody`, of what is no text. */
export async function readBytes(
  response: Response,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; isCut: boolean }> {
  const { chunks, isCut } = await readChunks(response, maxBytes, onBytes);
  return { bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()), isCut };
}

async function readChunks(
  response: Response,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<{ chunks: Uint8Array<ArrayBuffer>[]; isCut: boolean }> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let isCut = false;
  const reader = response.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) break;
    const chunk = next.value.subarray(0, maxBytes - bytes);
    isCut = chunk.length < next.value.length;
    bytes += chunk.length;
    chunks.push(chunk);
    onBytes(next.value.length);
    if (!isCut) continue;
    // It may never end: what is left is not waited for, nor is whether it liked to be cancelled.
    void reader?.cancel().catch(() => undefined);
    break;
  }
  return { chunks, isCut };
}

/**
 * Reads the body of a response as UTF-8, in pieces as they come. Rejects when the connection breaks off or the response's signal
 * aborts. False where the body was longer than the limit: what is beyond it is not read.
 */
export async function readPieces(
  response: Response,
  maxBytes: number,
  onPiece: (text: string, bytes: number) => void,
): Promise<boolean> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let bytes = 0;
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) break;
    const chunk = next.value.subarray(0, maxBytes - bytes);
    bytes += chunk.length;
    onPiece(decoder.decode(chunk, { stream: true }), next.value.length);
    if (chunk.length === next.value.length) continue;
    void reader?.cancel().catch(() => undefined);
    return false;
  }
  onPiece(decoder.decode(), 0);
  return true;
}

/** By its byte order mark, its header or, for HTML, what it says of itself. UTF-8 is what most is written in. */
function decoderFor(contentType: string, chunks: readonly Uint8Array[]): TextDecoder {
  const [first, second, third] = chunks.find(({ length }) => length > 0) ?? [];
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8');
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  const label = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? sniff(contentType, chunks);
  try {
    return new TextDecoder(label);
  } catch {
    // No encoding of this name.
    return new TextDecoder();
  }
}

function sniff(contentType: string, chunks: readonly Uint8Array[]): string | undefined {
  if (!/^\s*(text\/html|application\/xhtml\+xml)/i.test(contentType)) return undefined;
  const latin = new TextDecoder('latin1');
  let beginning = '';
  for (const chunk of chunks) {
    beginning += latin.decode(chunk.subarray(0, sniffedBytes), { stream: true });
    if (beginning.length >= sniffedBytes) break;
  }
  return /<meta[^>]+charset\s*=\s*["']?([^\s"'/>;]+)/i.exec(beginning.slice(0, sniffedBytes))?.[1];
}
