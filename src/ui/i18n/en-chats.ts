/** What keeps chats in order, in English: versions, the menu of a chat, folders and the bin. */
import type { Deletion } from '../../state/deletion';
import { plural } from './en';

export const enChats = {
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
  deletion: {
    label: 'Deleted',
    undo: 'Undo',
    failed: 'This could not be undone at once. It is in the bin.',
    said: {
      chat: (name: string, count: number) =>
        count === 1 ? `“${name}” was deleted.` : `${plural(count, 'chat was', 'chats were')} deleted.`,
      messages: () => 'The question and what followed it were deleted.',
      answer: () => 'The answer and what followed it were deleted.',
      persona: (name: string) => `The persona “${name}” was deleted.`,
      tool: (name: string) => `The tool “${name}” was deleted.`,
      note: () => 'The note was deleted.',
      server: (name: string) => `The server “${name}” was removed.`,
    } satisfies Record<Deletion['kind'], (name: string, count: number) => string>,
  },
};

export type ChatsWords = typeof enChats;
