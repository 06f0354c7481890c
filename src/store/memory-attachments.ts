/** Files of messages for a visit, or a chat, of which nothing is kept. */
import type { AttachmentStore, KeptAttachment } from '../contracts/store';

export function createMemoryAttachments(): AttachmentStore {
  const kept = new Map<string, KeptAttachment>();
  return {
    add: (attachment) => Promise.resolve(void kept.set(attachment.id, attachment)),
    load: (id) => Promise.resolve(kept.get(id)),
    remove: (id) => Promise.resolve(void kept.delete(id)),
  };
}
