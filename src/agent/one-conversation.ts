/**
 * Notes that a chat and its sub-agents take turns with one model. An engine that holds one conversation reads each of them again, and
 * "Details" gives this as the reason.
 */
import type { ModelEvent } from '../contracts/model';
import type { ModelStage } from '../contracts/pipeline';

/** Who spoke last in a turn, and who has spoken at all. */
export interface Speakers {
  last: object | undefined;
  known: Set<object>;
}

export function createSpeakers(): Speakers {
  return { last: undefined, known: new Set() };
}

export function conversationStage(speakers: Speakers): ModelStage {
  const me = {};
  return {
    name: 'conversation',
    async *wrapStream(request, signal, model) {
      const isOther = speakers.last !== undefined && speakers.last !== me;
      const isBack = speakers.known.has(me);
      speakers.last = me;
      speakers.known.add(me);
      for await (const event of model.respond(request, signal)) {
        yield isOther ? withReason(event, isBack) : event;
      }
    },
  };
}

/** Only a speaker that returns lost its cache. A first speaker had none. */
function withReason(event: ModelEvent, isBack: boolean): ModelEvent {
  if (event.type !== 'finish' || !event.usage.prefillReason) return event;
  const prefillReason = isBack ? { code: 'agent' as const } : undefined;
  return { ...event, usage: { ...event.usage, prefillReason } };
}
