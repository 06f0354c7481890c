/**
 * A chat and its sub-agents take turns with one model. An engine that holds one conversation reads each anew when it is its turn again:
 * "Details" says that this is why.
 */
import type { ChatModel, ModelEvent } from '../contracts/model';

/** Of one turn: who spoke last, and who has spoken. */
export interface Speakers {
  last: object | undefined;
  known: Set<object>;
}

export function createSpeakers(): Speakers {
  return { last: undefined, known: new Set() };
}

/** `model` as one of those that take turns. */
export function asSpeaker<Model extends ChatModel>(model: Model, speakers: Speakers): Model {
  const me = {};
  return {
    ...model,
    async *respond(request, signal): AsyncGenerator<ModelEvent> {
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

/** Whoever speaks for the first time has nothing that could have been kept. */
function withReason(event: ModelEvent, isBack: boolean): ModelEvent {
  if (event.type !== 'finish' || !event.usage.prefillReason) return event;
  const prefillReason = isBack ? { code: 'agent' as const } : undefined;
  return { ...event, usage: { ...event.usage, prefillReason } };
}
