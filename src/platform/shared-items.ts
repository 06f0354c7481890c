/**
 * What other programs share with the app: the service worker is sent it as a form, keeps it in a cache of its own, and the page takes it from
 * there. It is gone only when whoever took it says so: a crash in between loses nothing.
 */
import { findLocks } from './locks';

const sharedCache = 'shared';
/** So many may wait. The page takes them all whenever it begins: more come only from what does not let it. */
const mostWaiting = 50;

/** A share as it arrives: text that somebody else chose, and files. */
export interface SharedItem {
  /** '' where there is none. */
  text: string;
  files: readonly File[];
}

/** Where the manifest has shares sent to, below the address of the app. */
export const sharePath = 'share';

/** By the names that the manifest gives its fields. Programs differ in which field has the address, and some put it in two. */
export function readShare(form: FormData): SharedItem {
  const fields = ['title', 'text', 'url'].flatMap((name) => {
    const value = form.get(name);
    return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [];
  });
  const told = fields.filter(
    (field, at) => !fields.some((other, place) => place !== at && holds(other, field, place < at)),
  );
  const files = form.getAll('files').filter((file) => typeof file !== 'string' && file.size > 0);
  return { text: told.join('\n'), files: files as File[] };
}

/** Of two that are the same, the first is told. */
const holds = (other: string, field: string, isBefore: boolean) =>
  other === field ? isBefore : other.includes(field);

/** In the service worker. Rejects where there is no room, too many wait, or it is no form. */
export async function keepShare(request: Request, id: string): Promise<void> {
  const { text, files } = readShare(await request.formData());
  const form = new FormData();
  form.set('text', text);
  for (const file of files) form.append('files', file);
  if (text === '' && files.length === 0) return;
  const cache = await caches.open(sharedCache);
  if ((await cache.keys()).length >= mostWaiting) throw new Error(`${mostWaiting} shares wait already.`);
  await cache.put(`./${sharedCache}/${id}`, new Response(form));
}

/** In the page: each share that is kept, oldest first, in one tab only. One is kept on where `take` rejects or resolves to false. */
export async function takeShares(take: (item: SharedItem) => Promise<boolean>): Promise<void> {
  const locks = findLocks();
  if (!locks || !('caches' in globalThis) || !(await caches.has(sharedCache))) return;
  await locks.request(sharedCache, async () => {
    const cache = await caches.open(sharedCache);
    for (const request of await cache.keys()) {
      const kept = await cache.match(request);
      // One that cannot be read holds up no other.
      const form = await kept?.formData().catch(() => undefined);
      const item = form && readShare(form);
      if (!item || (await take(item))) await cache.delete(request);
    }
  });
}
