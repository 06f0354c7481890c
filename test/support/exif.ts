/** Creates camera metadata (EXIF) for a JPEG. Works in Node and in browsers. */

/** Adds an orientation, and words in the description. */
export function withExif(jpeg: Uint8Array, orientation: number, words: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(`${words}\0`);
  const entries = new DataView(new ArrayBuffer(2 + 2 * 12 + 4));
  entries.setUint16(0, 2);
  // Orientation is one 16-bit number. The description is text after the entries.
  entries.setUint16(2, 0x0112);
  entries.setUint16(4, 3);
  entries.setUint32(6, 1);
  entries.setUint16(10, orientation);
  entries.setUint16(14, 0x010e);
  entries.setUint16(16, 2);
  entries.setUint32(18, text.length);
  entries.setUint32(22, 8 + entries.byteLength);
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, ...new Uint8Array(entries.buffer), ...text];
  const body = [...new TextEncoder().encode('Exif\0\0'), ...tiff];
  const length = body.length + 2;
  const head = Uint8Array.of(0xff, 0xe1, length >> 8, length & 0xff, ...body);
  const whole = new Uint8Array(jpeg.length + head.length);
  whole.set(jpeg.subarray(0, 2));
  whole.set(head, 2);
  whole.set(jpeg.subarray(2), 2 + head.length);
  return whole;
}
