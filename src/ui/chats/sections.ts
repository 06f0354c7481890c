/** In which order chats are listed: those in folders under theirs, above all others those that are pinned, the rest by day. */
import type { ChatRecord, Folder } from '../../contracts/chat';
import { type Day, dayOf } from './day';

export interface ListedChat {
  chat: ChatRecord;
  /** What begins with this chat. */
  heading?: Day | 'pinned' | undefined;
}

interface Sections {
  folders: { folder: Folder; chats: ListedChat[] }[];
  /** In no folder, or pinned. */
  rest: ListedChat[];
}

/**
 * A pinned chat keeps its folder, and stands there again once it is unpinned: who pins one wants it at the top, and not in a folder that may be
 * folded. `chats` newest first; those that are archived are left out. `now` in milliseconds since the epoch.
 */
export function sectionsOf(chats: readonly ChatRecord[], folders: readonly Folder[], now: number): Sections {
  const byFolder = new Map(folders.map(({ id }) => [id, [] as ListedChat[]]));
  const pinned: ListedChat[] = [];
  const others: ListedChat[] = [];
  let before: Day | undefined;
  for (const chat of chats) {
    if (chat.archivedAt !== undefined) continue;
    const inFolder = chat.folderId === undefined ? undefined : byFolder.get(chat.folderId);
    if (chat.pinnedAt !== undefined) pinned.push({ chat, ...(pinned.length === 0 && { heading: 'pinned' }) });
    else if (inFolder) inFolder.push({ chat });
    else {
      const day = dayOf(chat.updatedAt, now);
      others.push({ chat, heading: day === before ? undefined : day });
      before = day;
    }
  }
  return {
    folders: folders.map((folder) => ({ folder, chats: byFolder.get(folder.id) ?? [] })),
    rest: [...pinned, ...others],
  };
}
