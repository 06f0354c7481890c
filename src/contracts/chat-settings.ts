/** What a person chooses for one chat. It has no schema of its own, because the first paint does without those. */
import type { ChatRecord } from './chat';

const fields = ['toolsOff', 'model', 'persona', 'toolSearch'] as const;

/** What was not chosen is missing. */
export type ChatSettings = Pick<ChatRecord, (typeof fields)[number]>;

/** Undefined values are left out. */
export function settingsOf(chat: ChatSettings): ChatSettings {
  const chosen = fields.flatMap((field) => (chat[field] === undefined ? [] : [[field, chat[field]]]));
  return Object.fromEntries(chosen) as ChatSettings;
}

/** What is changed in a chat. An undefined value deletes the field. */
export type ChatPatch = Partial<
  ChatSettings & Pick<ChatRecord, 'title' | 'isNamed' | 'leafId' | 'toolOffer'>
>;
