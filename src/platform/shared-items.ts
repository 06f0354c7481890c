/** Content that the user shares from other programs. The service worker stores each share until the page has read it. */
import { findLockManager } from './locks';

const sharesCacheName = 'shared';
/** Maximum number of stored shares. They only pile up if the page never starts, because it reads all of them at startup. */
const maxStoredShares = 50;

export interface SharedItem {
  text: string;
  files: readonly File[];
}

export const sharePath = 'share';

/** Reads a share and drops repeated text: programs put the shared address into different fields, sometimes into two. */
export function readShare(form: FormData): SharedItem {
  const fields = ['title', 'text', 'url'].flatMap((name) => {
    const value = form.get(name);
    return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [];
  });
  const texts = fields.filter(
    (field, at) =>
      !fields.some((other, place) => place !== at && makesFieldRedundant(other, field, place < at)),
  );
  const files = form.getAll('files').filter((file) => typeof file !== 'string' && file.size > 0);
  return { text: texts.join('\n'), files: files as File[] };
}

const makesFieldRedundant = (other: string, field: string, isOtherFirst: boolean) =>
  other === field ? isOtherFirst : other.includes(field);

/** Stores a share, in the service worker. Rejects if storage is full, too many shares wait, or the request is not a form. */
export async function storeShare(request: Request, id: string): Promise<void> {
  const { text, files } = readShare(await request.formData());
  const form = new FormData();
  form.set('text', text);
  for (const file of files) form.append('files', file);
  if (text === '' && files.length === 0) return;
  const cache = await caches.open(sharesCacheName);
  if ((await cache.keys()).length >= maxStoredShares)
    throw new Error(`${maxStoredShares} shares wait already.`);
  await cache.put(`./${sharesCacheName}/${id}`, new Response(form));
}

/** Passes stored shares to `take`, oldest first, in one tab only. Keeps a share if `take` rejects or resolves to false. */
export async function takeShares(take: (item: SharedItem) => Promise<boolean>): Promise<void> {
  const locks = findLockManager();
  if (!locks || !('caches' in globalThis) || !(await caches.has(sharesCacheName))) return;
  await locks.request(sharesCacheName, async () => {
    const cache = await caches.open(sharesCacheName);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      const form = await response?.formData().catch(() => undefined);
      const item = form && readShare(form);
      if (!item || (await take(item))) await cache.delete(request);
    }
  });
}
