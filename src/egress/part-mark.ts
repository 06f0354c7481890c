/** Which file the part of one belongs to: a server may have another under the same address when the download goes on. */
import { z } from '../contracts/schema';
import { readMarkText, writeMarkText } from './kept-files';

const Mark = z.object({
  /** Size of the whole file. */
  bytes: z.optional(z.number()),
  /** A strong one, where the server lets pages of other sites read it. */
  etag: z.optional(z.string()),
});
export type Mark = z.infer<typeof Mark>;

export async function readMark(url: string): Promise<Mark | undefined> {
  try {
    return Mark.parse(JSON.parse((await readMarkText(url)) ?? ''));
  } catch {
    // None was written, or not to its end: what has come is taken up as it is.
    return undefined;
  }
}

/** For a response that begins at the first byte. */
export function writeMark(url: string, response: Response): Promise<void> {
  return writeMarkText(url, JSON.stringify(markOf(response, 0)));
}

/** Whether `response`, which begins at `offset`, is of another file than the one marked. What either does not say is no sign. */
export function isOtherFile(response: Response, offset: number, mark: Mark | undefined): boolean {
  const { bytes, etag } = markOf(response, offset);
  const differ = <T>(one: T | undefined, other: T | undefined) =>
    one !== undefined && other !== undefined && one !== other;
  return differ(bytes, mark?.bytes) || differ(etag, mark?.etag);
}

function markOf({ headers }: Response, offset: number): Mark {
  const length = Number(headers.get('content-length') ?? 0);
  const etag = headers.get('etag') ?? '';
  return {
    ...(length > 0 && { bytes: offset + length }),
    // A weak one names what means the same, not the same bytes.
    ...(etag.startsWith('"') && { etag }),
  };
}
