import { expect, test } from 'vitest';
import { checkPicture, maxPictureSize, readPictureHeader } from '../../../src/contracts/attachment';

const text = (written: string) => Array.from(written, (letter) => letter.charCodeAt(0));
const big = (value: number, length: number) =>
  Array.from({ length }, (_, at) => (value >>> (8 * (length - 1 - at))) & 255);
const little = (value: number, length: number) => big(value, length).reverse();

const png = (width: number, height: number) => [
  ...text('\x89PNG\r\n\x1a\n'),
  ...big(13, 4),
  ...text('IHDR'),
  ...big(width, 4),
  ...big(height, 4),
];
const gif = (width: number, height: number) => [...text('GIF89a'), ...little(width, 2), ...little(height, 2)];
const jpeg = (width: number, height: number) => [
  ...[0xff, 0xd8, 0xff, 0xe0],
  ...big(16, 2),
  ...Array.from({ length: 14 }, () => 0),
  // A padding byte before a marker, then a table whose marker number is in the range of frame markers.
  ...[0xff, 0xff, 0xc4, ...big(4, 2), 0, 0],
  ...[0xff, 0xc2, ...big(11, 2), 8, ...big(height, 2), ...big(width, 2)],
];
const riff = (chunk: number[]) => [...text('RIFF'), ...little(0, 4), ...text('WEBP'), ...chunk];
const webps = {
  plain: riff([
    ...text('VP8 '),
    ...little(0, 4),
    0,
    0,
    0,
    0x9d,
    1,
    0x2a,
    ...little(640, 2),
    ...little(480, 2),
  ]),
  lossless: riff([...text('VP8L'), ...little(0, 4), 0x2f, ...little(639 | (479 << 14), 4)]),
  extended: riff([...text('VP8X'), ...little(10, 4), 0, 0, 0, 0, ...little(639, 3), ...little(479, 3)]),
};
const size = { width: 640, height: 480 };

test.for([
  { name: 'PNG', bytes: png(640, 480), header: { type: 'image/png', ...size } },
  { name: 'GIF', bytes: gif(640, 480), header: { type: 'image/gif', ...size } },
  { name: 'JPEG', bytes: jpeg(640, 480), header: { type: 'image/jpeg', ...size } },
  { name: 'WebP', bytes: webps.plain, header: { type: 'image/webp', ...size } },
  { name: 'lossless WebP', bytes: webps.lossless, header: { type: 'image/webp', ...size } },
  { name: 'extended WebP', bytes: webps.extended, header: { type: 'image/webp', ...size } },
])('the picture size is read from a complete $name header', ({ bytes, header }) => {
  expect(readPictureHeader(new Uint8Array(bytes))).toEqual(header);
  for (let length = 0; length < bytes.length; length++) {
    expect(readPictureHeader(new Uint8Array(bytes.slice(0, length)))).toBeUndefined();
  }
});

test.for([
  { name: 'SVG', bytes: text('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"></svg>') },
  { name: 'HTML', bytes: text('<!doctype html><script>x()</script>') },
  { name: 'a PNG by its name alone', bytes: text('\x89PNG, or so it says') },
  { name: 'a JPEG without a frame', bytes: [0xff, 0xd8, 0xff, 0xd9, 0, 0, 0, 0] },
  {
    name: 'a JPEG whose segments have no end',
    bytes: [0xff, 0xd8, ...Array.from({ length: 40 }, () => 0xff)],
  },
  { name: 'a picture of width 0', bytes: png(0, 480) },
  { name: 'an empty file', bytes: [] },
])('a file that is not a valid picture is rejected: $name', ({ bytes }) => {
  expect(checkPicture(new Uint8Array(bytes))).toEqual({ ok: false, problem: 'other' });
});

test('a picture with too many pixels or bytes is too large', () => {
  expect(checkPicture(new Uint8Array(png(30_000, 30_000)))).toEqual({ ok: false, problem: 'large' });
  const long = new Uint8Array(maxPictureSize.bytes + 1);
  long.set(png(10, 10));
  expect(checkPicture(long)).toEqual({ ok: false, problem: 'large' });
});
