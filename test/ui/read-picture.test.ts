/** A user's picture, made small and upright by the browser's own decoders. */
import { expect, test } from 'vitest';
import { readPicture } from '../../src/tools/attachments/read-picture';
import { withExif } from '../support/exif';

type Quarter = 'red' | 'green' | 'blue' | 'yellow';
const colours: Record<Quarter, string> = { red: '#d00', green: '#0a0', blue: '#00d', yellow: '#dd0' };
/** The quarters in the file: left to right, top to bottom. */
const quarters: readonly Quarter[] = ['red', 'green', 'blue', 'yellow'];

async function drawn(type: string): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(120, 80);
  const context = canvas.getContext('2d')!;
  for (const [at, quarter] of quarters.entries()) {
    context.fillStyle = colours[quarter];
    context.fillRect((at % 2) * 60, Math.floor(at / 2) * 40, 60, 40);
  }
  const blob = await canvas.convertToBlob({ type, quality: 1 });
  expect(blob.type).toBe(type);
  return new Uint8Array(await blob.arrayBuffer());
}

/** Returns the colour in the middle of each quarter of the resulting picture. */
async function look(bytes: Uint8Array<ArrayBuffer>) {
  const { data, type, pixels } = await readPicture(bytes);
  const bitmap = await createImageBitmap(new Blob([data], { type }));
  const { width, height } = bitmap;
  expect(pixels).toEqual({ width, height });
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  const seen = [0, 1, 2, 3].map((at): Quarter => {
    const [x, y] = [((at % 2) + 0.5) * (width / 2), (Math.floor(at / 2) + 0.5) * (height / 2)];
    const [r = 0, g = 0, b = 0] = context.getImageData(x, y, 1, 1).data;
    if (b > 128) return 'blue';
    return r > 128 ? (g > 128 ? 'yellow' : 'red') : 'green';
  });
  return { seen: seen.join(' '), size: `${width} x ${height}`, type };
}

test.for([
  [1, 'red green blue yellow', '120 x 80'],
  [2, 'green red yellow blue', '120 x 80'],
  [3, 'yellow blue green red', '120 x 80'],
  [4, 'blue yellow red green', '120 x 80'],
  [5, 'red blue green yellow', '80 x 120'],
  [6, 'blue red yellow green', '80 x 120'],
  [7, 'yellow green blue red', '80 x 120'],
  [8, 'green yellow red blue', '80 x 120'],
] as const)(
  'a photo is turned upright according to its EXIF orientation: %s',
  async ([orientation, seen, size]) => {
    const photograph = withExif(await drawn('image/jpeg'), orientation, 'Taken at 51.5 north');
    expect(await look(photograph)).toEqual({ seen, size, type: 'image/jpeg' });
  },
);

test('a WebP picture can be read', async () => {
  const webp = await drawn('image/webp');
  expect(await look(webp)).toMatchObject({ seen: quarters.join(' '), size: '120 x 80' });
});

test('the first frame of an animated GIF is read', async () => {
  const first = [0, 1, 2, 3];
  const second = [3, 3, 3, 3];
  expect(await look(movingGif(first, second))).toMatchObject({ seen: quarters.join(' '), size: '2 x 2' });
});

/** Makes a GIF of two by two dots in the four colours. */
function movingGif(...frames: readonly number[][]): Uint8Array<ArrayBuffer> {
  const letters = (text: string) => [...new TextEncoder().encode(text)];
  const table = [0xdd, 0, 0, 0, 0xaa, 0, 0, 0, 0xdd, 0xdd, 0xdd, 0];
  const again = [0x21, 0xff, 11, ...letters('NETSCAPE2.0'), 3, 1, 0, 0, 0];
  const drawnFrames = frames.flatMap((dots) => {
    const packed = packed3(dots.flatMap((dot) => [4, dot]).concat(5));
    const control = [0x21, 0xf9, 4, 0, 10, 0, 0, 0];
    return [...control, 0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, packed.length, ...packed, 0];
  });
  return Uint8Array.of(
    ...letters('GIF89a'),
    2,
    0,
    2,
    0,
    0x81,
    0,
    0,
    ...table,
    ...again,
    ...drawnFrames,
    0x3b,
  );
}

/** Packs codes of three bits, lowest first. The table restarts at each dot, so no longer codes occur. */
function packed3(codes: readonly number[]): number[] {
  const bits = codes.flatMap((code) => [code & 1, (code >> 1) & 1, (code >> 2) & 1]);
  return Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) =>
    bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit, place) => sum + (bit << place), 0),
  );
}
