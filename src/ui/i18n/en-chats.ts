/** What keeps chats in order, in English: versions, the menu of a chat, folders and the bin. */
import type { BinKind } from '../../contracts/store';
import type { Deed, Deletion } from '../../state/deletion';
import { plural } from './en';

export const enChats = {
  rename: 'Rename',
  export: 'Export',
  name: 'Name of the chat',
  delete: 'Delete',
  versions: {
    label: 'Versions',
    previous: 'Previous version',
    next: 'Next version',
    stay: 'Its other versions stay.',
  },
  /** Not as in the menu of the chat: who looks for the button of a new chat would find all of these. */
  branch: 'Branch off here',
  /** Between two sentences. */
  space: ' ',
  binText: 'You can undo this, and it stays in the bin for 30 days.',
  deleteTitle: (title: string) => `Delete “${title}”?`,
  deleteConfirm: 'Delete chat',
  leave: {
    title: 'Leave the temporary chat?',
    text: 'Nothing of it was kept, so it is gone when you leave. This cannot be undone.',
    confirm: 'Leave',
  },
  menu: {
    pin: 'Pin',
    unpin: 'Unpin',
    archive: 'Archive',
    unarchive: 'Put back into the list',
    branch: 'New chat from here',
    select: 'Select several',
    move: 'Move to a folder',
  },
  folders: {
    name: 'Name of the folder',
    create: 'New folder',
    none: 'No folder',
    actions: 'Change this folder',
    rename: 'Rename',
    delete: 'Delete',
    deleteHint: 'Its chats stay, in no folder.',
    /** Behind their number, for a screen reader. */
    chats: (count: number): string => (count === 1 ? ' chat' : ' chats'),
  },
  selection: {
    label: 'Selected chats',
    count: (count: number) => `${count} selected`,
    end: 'End selecting',
  },
  more: 'Show more',
  archive: {
    intro: 'Chats that are out of the list. They are found when you search, and go on as any other.',
    none: 'Nothing is archived. The menu of a chat has “Archive”.',
  },
  bin: {
    intro:
      'What you delete stays here for 30 days, on this device, with any keys it had. Then it is deleted for good.',
    none: 'The bin is empty.',
    restore: 'Restore',
    purge: 'Delete for good',
    empty: 'Empty the bin',
    unnamed: 'Without words',
    note: (kind: string, time: string) => `${kind}, deleted ${time}`,
    kinds: {
      chat: () => 'Chat',
      messages: (count: number) => plural(count, 'message', 'messages'),
      persona: () => 'Persona',
      tool: () => 'Tool',
      note: () => 'Note',
      prompt: () => 'Prompt',
      server: () => 'Server',
      model: () => 'Model',
    } satisfies Record<BinKind, (count: number) => string>,
    purgeTitle: (count: number, name: string) =>
      count === 1 ? `Delete “${name}” for good?` : `Delete ${count} things for good?`,
    purgeText: 'It is deleted from this device. This cannot be undone.',
  },
  /** For a screen reader, once it is done. */
  deeds: {
    pinned: 'This stands above the others now.',
    unpinned: 'This stands in its place again.',
    archived: 'Put away into the archive.',
    unarchived: 'This is in the list again.',
    moved: 'It was moved.',
    branched: 'This is a new chat now. The first one stays as it was.',
    restored: 'It is back.',
    purged: 'It is gone for good.',
    undone: 'It is back.',
    copied: 'The answer is copied.',
    copyFailed: 'The browser did not allow copying. Select the answer and copy it by hand.',
    switchedOn: 'It is on in this chat.',
    switchedOff: 'It is off in this chat.',
    personaChanged: 'The persona of this chat has changed.',
  } satisfies Record<Deed['type'], string>,
  deletion: {
    label: 'Deleted',
    undo: 'Undo',
    /** Behind what was deleted, for a screen reader. */
    hint: (keys: string) => `${keys} undoes it.`,
    failed: 'This could not be undone at once. It is in the bin.',
    said: {
      chat: (name: string, count: number) =>
        count === 1 ? `“${name}” was deleted.` : `${plural(count, 'chat was', 'chats were')} deleted.`,
      messages: () => 'The question and what followed it were deleted.',
      answer: () => 'The answer and what followed it were deleted.',
      persona: (name: string) => `The persona “${name}” was deleted.`,
      tool: (name: string) => `The tool “${name}” was deleted.`,
      note: () => 'The note was deleted.',
      prompt: (name: string) => `The prompt “${name}” was deleted.`,
      'follow-up': () => 'The message that waited was removed.',
      folder: (name: string) => `The folder “${name}” was deleted. Its chats are in the list.`,
      server: (name: string) => `The server “${name}” was removed.`,
      model: (name: string) => `The model “${name}” was removed.`,
    } satisfies Record<Deletion['kind'], (name: string, count: number) => string>,
  },
};

export type ChatsWords = typeof enChats;
