/** What Hearth keeps on this device, by what it is for. */

/** `app`: the copy of Hearth for offline use, with its own model. `rest`: settings, tools, personas, notes, prompts of one's own, and what has no other name. */
export const storedKinds = [
  'chats',
  'attachments',
  'results',
  'prompts',
  'models',
  'index',
  'app',
  'rest',
] as const;
export type StoredKind = (typeof storedKinds)[number];

/** Those that can be deleted by themselves. An index is made anew from the chats. */
export const deletableKinds = ['chats', 'results', 'prompts', 'models', 'index'] as const;
export type DeletableKind = (typeof deletableKinds)[number];

/** Bytes of each kind, counted from what is stored, before the browser packs it. */
export type StoredParts = Readonly<Record<StoredKind, number>>;
