/** Re-encodes an image for storage and models: scaled down, upright, and without metadata such as the place where it was taken. */
import {
  FileReadError,
  maxPictureSize,
  maxSentPictureSize,
  readPictureHeader,
} from '../../contracts/attachment';

export interface PictureFile {
  data: Uint8Array<ArrayBuffer>;
  type: 'image/png' | 'image/jpeg';
  pixels: { width: number; height: number };
}

/** Maximum bytes of a PNG, which keeps text and lines sharp. Larger images become JPEG. */
const maxPngBytes = 1_000_000;
const jpegQuality = 0.88;

/** Uses only the first frame of an animation. Rejects with a `FileReadError`. */
export async function readPicture(bytes: Uint8Array<ArrayBuffer>): Promise<PictureFile> {
  const header = readPictureHeader(bytes);
  if (!header || header.width * header.height === 0) throw new FileReadError('damaged');
  // Check before decoding: a small file can claim a huge size.
  if (header.width * header.height > maxPictureSize.pixels) throw new FileReadError('pixels');
  const bitmap = await createImageBitmap(new Blob([bytes], { type: header.type }), {
    imageOrientation: 'from-image',
  });
  try {
    return await encodePicture(bitmap, header.type === 'image/jpeg');
  } finally {
    bitmap.close();
  }
}

async function encodePicture(bitmap: ImageBitmap, isPhotograph: boolean): Promise<PictureFile> {
  const pixels = scaleToLimits(bitmap);
  const canvas = new OffscreenCanvas(pixels.width, pixels.height);
  const context = canvas.getContext('2d');
  if (!context) throw new FileReadError('damaged');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, pixels.width, pixels.height);
  if (!isPhotograph) {
    const png = await canvas.convertToBlob({ type: 'image/png' });
    if (png.size <= maxPngBytes) return { data: await readBytes(png), type: 'image/png', pixels };
  }
  // JPEG has no transparency, so put white behind the image.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, pixels.width, pixels.height);
  const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality });
  return { data: await readBytes(jpeg), type: 'image/jpeg', pixels };
}

export function scaleToLimits({ width, height }: { width: number; height: number }): PictureFile['pixels'] {
  const scale = Math.min(
    1,
    maxSentPictureSize.side / Math.max(width, height),
    Math.sqrt(maxSentPictureSize.pixels / (width * height)),
  );
  const scaled = (length: number) => Math.max(1, Math.floor(length * scale));
  return { width: scaled(width), height: scaled(height) };
}

async function readBytes(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.arrayBuffer());
}
