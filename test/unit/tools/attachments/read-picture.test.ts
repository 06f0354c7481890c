/** Tests the target size of pictures. Decoding them needs a browser: see `test/e2e/pictures.test.ts`. */
import { expect, test } from 'vitest';
import { maxSentPictureSize } from '../../../../src/contracts/attachment';
import { readPicture, scaleToLimits } from '../../../../src/tools/attachments/read-picture';
import { wrapPng } from '../../../support/pictures';

test.for([
  { name: 'a small picture, which stays as it is', from: [640, 480], to: [640, 480] },
  { name: 'a photograph', from: [4000, 3000], to: [1238, 928] },
  { name: 'the screen of a phone', from: [1080, 2400], to: [705, 1568] },
  { name: 'a very long, thin picture', from: [40_000, 3], to: [1568, 1] },
])('a picture is scaled down only if it exceeds the size limits: $name', ({ from, to }) => {
  const [width = 0, height = 0] = from;
  const size = scaleToLimits({ width, height });
  expect([size.width, size.height]).toEqual(to);
  expect(size.width * size.height).toBeLessThanOrEqual(maxSentPictureSize.pixels);
});

test.for([
  {
    name: 'too many pixels',
    bytes: wrapPng(60_000, 60_000, new Uint8Array(9)),
    code: 'pixels',
  },
  { name: 'not a picture', bytes: wrapPng(0, 60_000, new Uint8Array(9)), code: 'damaged' },
  { name: 'half a header', bytes: wrapPng(9, 9, new Uint8Array(9)).subarray(0, 18), code: 'damaged' },
])('a picture is refused before it is decoded: $name', async ({ bytes, code }) => {
  await expect(readPicture(new Uint8Array(bytes))).rejects.toMatchObject({ code });
});
