/** How far a download is: bytes of each file, the speed of the last seconds. PURE but for the clock it is handed. */

const windowMs = 5000;

interface Progress {
  loadedBytes: number;
  totalBytes: number;
  /** The total is no guess. */
  isExact: boolean;
  bytesPerSecond?: number;
}

export interface Transfer {
  /** Bytes of one file that are here now, and of the whole of it where that is known. */
  set: (url: string, loadedBytes: number, totalBytes: number | undefined) => void;
  /** `atLeast` stands in while not every size is known; `isAll`: no other file will come. */
  read: (atLeast: number, isAll: boolean) => Progress;
}

export function createTransfer(now: () => number): Transfer {
  const files = new Map<string, { loaded: number; total: number | undefined }>();
  let samples: { at: number; loaded: number }[] = [];
  const loaded = () => [...files.values()].reduce((sum, file) => sum + file.loaded, 0);

  return {
    set(url, loadedBytes, totalBytes) {
      files.set(url, { loaded: loadedBytes, total: totalBytes });
      const at = now();
      samples = [...samples.filter((sample) => at - sample.at <= windowMs), { at, loaded: loaded() }];
    },
    read(atLeast, isAll) {
      const all = [...files.values()];
      const known = all.reduce((sum, { loaded: here, total }) => sum + (total ?? here), 0);
      const isExact = isAll && all.every(({ total }) => total !== undefined);
      const totalBytes = Math.max(isExact ? known : Math.max(known, atLeast), loaded());
      const [first] = samples;
      const last = samples.at(-1);
      const ms = first && last ? last.at - first.at : 0;
      const came = first && last ? last.loaded - first.loaded : 0;
      const speed = ms > 500 && came > 0 ? { bytesPerSecond: (came / ms) * 1000 } : {};
      return { loadedBytes: loaded(), totalBytes, isExact, ...speed };
    },
  };
}
