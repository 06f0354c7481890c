/** PURE: sorts chats into the sections of the list: folders, pinned chats and days. */
import type { ChatRecord, Folder } from '../../contracts/chat';

export type DayHeading = 'today' | 'yesterday' | 'earlier';

export interface ListedChat {
  chat: ChatRecord;
  heading?: DayHeading | 'pinned' | undefined;
}

/** `chats` must be sorted newest first, `now` is in milliseconds since the epoch. Leaves out archived chats. */
export function sectionsOf(chats: readonly ChatRecord[], folders: readonly Folder[], now: number) {
  const byFolder = new Map(folders.map(({ id }) => [id, [] as ListedChat[]]));
  const pinned: ListedChat[] = [];
  const others: ListedChat[] = [];
  let before: DayHeading | undefined;
  for (const chat of chats) {
    if (chat.archivedAt !== undefined) continue;
    const inFolder = chat.folderId === undefined ? undefined : byFolder.get(chat.folderId);
    if (chat.pinnedAt !== undefined) pinned.push({ chat, ...(pinned.length === 0 && { heading: 'pinned' }) });
    else if (inFolder) inFolder.push({ chat });
    else {
      const day = dayHeadingOf(chat.updatedAt, now);
      others.push({ chat, heading: day === before ? undefined : day });
      before = day;
    }
  }
  return {
    folders: folders.map((folder) => ({ folder, chats: byFolder.get(folder.id) ?? [] })),
    rest: [...pinned, ...others],
  };
}

/** Returns the day of `at` in local time. Both times are in milliseconds since the epoch. */
export function dayHeadingOf(at: number, now: number): DayHeading {
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  if (at >= midnight.getTime()) return 'today';
  // Subtracting 24 hours would be wrong on days when the clocks change.
  midnight.setDate(midnight.getDate() - 1);
  return at >= midnight.getTime() ? 'yesterday' : 'earlier';
}
