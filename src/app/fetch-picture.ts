/** Loads a picture of an answer after a click, through the egress or from a data address. */
import { type ByteEgress, EgressError } from '../contracts/egress';
import { checkPicture, type FetchedPicture, mostOfPicture } from '../contracts/attachment';

/** Requested types. The bytes decide what arrived, because servers name types freely. */
const accept = 'image/webp,image/png,image/jpeg,image/gif';
const timeoutMs = 30_000;

/** Never rejects because of the network, the server or the user. */
export async function fetchPicture(
  egress: ByteEgress,
  url: string,
  signal: AbortSignal,
): Promise<FetchedPicture> {
  if (url.startsWith('data:')) return checkPicture(decode(url));
  try {
    const response = await egress.load(
      {
        ...{ url, method: 'GET', headers: { accept }, tool: 'pictures', redirect: 'follow', timeoutMs },
        accept: ['image/*', 'application/octet-stream', 'binary/octet-stream'],
        maxBytes: mostOfPicture.bytes,
      },
      signal,
    );
    if (response.status >= 400) return { ok: false, problem: 'none' };
    return response.isCut ? { ok: false, problem: 'large' } : checkPicture(response.bytes);
  } catch (error) {
    if (error instanceof EgressError) return { ok: false, problem: error.failure };
    throw error;
  }
}

/** Decodes the base64 after the comma. Undefined if it is not base64. */
function decode(address: string): Uint8Array<ArrayBuffer> {
  let text = '';
  try {
    text = atob(
      address
        .slice(address.indexOf(',') + 1)
        .replaceAll('-', '+')
        .replaceAll('_', '/'),
    );
  } catch {
    // No base64: no picture either.
  }
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
