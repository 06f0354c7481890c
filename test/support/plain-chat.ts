/** A chat that also lists its turns. */
import { ChatSession } from '../../src/state/chat-session.svelte';
import { turnsOf, withReply } from '../../src/state/turns';

export class PlainChat extends ChatSession {
  get turns() {
    return withReply(turnsOf(this.branch), this.reply);
  }
}
