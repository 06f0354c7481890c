/** Keeps what was typed and not sent. */
import { Draft } from '../contracts/chat';
import type { DraftStore } from '../contracts/store';
import { filesIn } from './attachments';
import { readDraft } from './collection';
import { attempt } from './storage-error';
import type { Tables } from './tables';

export function createDrafts(tables: Tables): DraftStore {
  const load = (chatId: string) => readDraft(tables, 'drafts', chatId, Draft);
  return {
    load,
    async listUnbegun() {
      const chatIds = await attempt(() => tables.drafts.toCollection().primaryKeys());
      const found = await attempt(() => tables.chats.bulkGet(chatIds));
      const unbegun = chatIds.filter((_, index) => !found[index]);
      const drafts = await Promise.all(unbegun.map(load));
      return drafts.filter((draft) => draft !== undefined);
    },
    async save(chatId, text, others = {}) {
      const { attached, edits } = others;
      if (text === '' && !attached && !edits) return attempt(() => tables.drafts.delete(chatId));
      const draft = { chatId, text, ...others };
      const files = filesIn(attached).map(({ fileId }) => fileId);
      if (files.length === 0) {
        await attempt(() => tables.drafts.put(draft));
        return;
      }
      await tables.write(['drafts', 'attachments'], async ({ drafts, attachments }) => {
        await drafts.put(draft);
        // When a chat takes over the draft of one that was never begun, the files come along.
        const moved = attachments.where('id').anyOf(files);
        await moved.filter((file) => file.chatId !== chatId).modify({ chatId });
      });
    },
  };
}
