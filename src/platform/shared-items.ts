/** Shares from other programs. The service worker stores them, and the page deletes each one once it has taken it. */
import { findLocks } from './locks';

const sharedCache = 'shared';
/** Maximum stored shares. The page takes them all at startup, so more mean that the page does not run. */
const maxWaiting = 50;

export interface SharedItem {
  text: string;
  files: readonly File[];
}

/** The path of the manifest's share target, relative to the app. */
export const sharePath = 'share';

/** Reads the form of the manifest. Programs put the address in different fields, sometimes in two. */
export function readShare(form: FormData): SharedItem {
  const fields = ['title', 'text', 'url'].flatMap((name) => {
    const value = form.get(name);
    return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [];
  });
  const told = fields.filter(
    (field, at) => !fields.some((other, place) => place !== at && repeats(other, field, place < at)),
  );
  const files = form.getAll('files').filter((file) => typeof file !== 'string' && file.size > 0);
  return { text: told.join('\n'), files: files as File[] };
}

const repeats = (other: string, field: string, isBefore: boolean) =>
  other === field ? isBefore : other.includes(field);

/** Stores a share for the page; called by the service worker. Rejects if there is no room, too many shares wait, or the request is not a form. */
export async function keepShare(request: Request, id: string): Promise<void> {
  const { text, files } = readShare(await request.formData());
  const form = new FormData();
  form.set('text', text);
  for (const file of files) form.append('files', file);
  if (text === '' && files.length === 0) return;
  const cache = await caches.open(sharedCache);
  if ((await cache.keys()).length >= maxWaiting) throw new Error(`${maxWaiting} shares wait already.`);
  await cache.put(`./${sharedCache}/${id}`, new Response(form));
}

/** Hands each stored share to `take`, oldest first, in one tab only. Keeps it if `take` rejects or returns false. */
export async function takeShares(take: (item: SharedItem) => Promise<boolean>): Promise<void> {
  const locks = findLocks();
  if (!locks || !('caches' in globalThis) || !(await caches.has(sharedCache))) return;
  await locks.request(sharedCache, async () => {
    const cache = await caches.open(sharedCache);
    for (const request of await cache.keys()) {
      const kept = await cache.match(request);
      const form = await kept?.formData().catch(() => undefined);
      const item = form && readShare(form);
      if (!item || (await take(item))) await cache.delete(request);
    }
  });
}
