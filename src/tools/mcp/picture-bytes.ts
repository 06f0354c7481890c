/** PURE: whether base64 begins as a picture of its type does. */

/** First bytes, and where they stand. */
const beginnings: Readonly<Record<string, readonly (readonly [number, string])[]>> = {
  'image/png': [[0, '\x89PNG\r\n\x1a\n']],
  'image/jpeg': [[0, '\xff\xd8\xff']],
  'image/gif': [[0, 'GIF8']],
  'image/webp': [
    [0, 'RIFF'],
    [8, 'WEBP'],
  ],
};

export function hasPictureBytes(base64: string, mimeType: string): boolean {
  const marks = Object.hasOwn(beginnings, mimeType) ? beginnings[mimeType] : undefined;
  if (!marks || !/^[A-Za-z\d+/]+={0,2}$/.test(base64)) return false;
  try {
    const start = atob(base64.slice(0, 24));
    return marks.every(([at, mark]) => start.startsWith(mark, at));
  } catch {
    return false;
  }
}
