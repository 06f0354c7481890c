/** The part of a file that has come so far, written byte by byte as it comes: a killed browser loses none of it. */
import { partHandle } from './kept-files';

/** Only in workers, and so not in the types of the DOM. */
interface AccessHandle {
  getSize(): number;
  write(data: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

export interface PartFile {
  size: () => number;
  /** Throws where there is no room left. */
  append: (chunk: Uint8Array) => void;
  clear: () => void;
  close: () => void;
}

const flushBytes = 4_000_000;

/** Held by one tab at a time: rejects with a `NoModificationAllowedError` while another holds it. */
export async function openPart(url: string): Promise<PartFile> {
  const handle = (await partHandle(url)) as FileSystemFileHandle & {
    createSyncAccessHandle(): Promise<AccessHandle>;
  };
  const access = await handle.createSyncAccessHandle();
  let size = access.getSize();
  let unflushed = 0;
  return {
    size: () => size,
    append(chunk) {
      const written = access.write(chunk, { at: size });
      // Where there is no room, Chromium may give the number of its error, 4294967288, as if so many bytes were written.
      if (written !== chunk.byteLength) {
        size = access.getSize();
        throw new DOMException('No room left.', 'QuotaExceededError');
      }
      size += written;
      unflushed += written;
      if (unflushed < flushBytes) return;
      access.flush();
      unflushed = 0;
    },
    clear() {
      access.truncate(0);
      size = 0;
    },
    close() {
      access.flush();
      access.close();
    },
  };
}
