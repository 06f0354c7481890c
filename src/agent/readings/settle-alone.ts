/** A model in a turn that nobody watches: where it is not sure of a call, its commonest reading is gone on with, and marked. */
import type { ChatModel, ModelEvent } from '../../contracts/model';
import { type DoubtOptions, isInDoubt, settleDoubt } from './settle-doubt';

/** `options.choose` asks nobody. */
export function settleAlone(model: ChatModel, options: DoubtOptions): ChatModel {
  return {
    measure: (...request) => model.measure(...request),
    async *respond(request, signal): AsyncGenerator<ModelEvent> {
      if (!options.thresholds()) {
        yield* model.respond(request, signal);
        return;
      }
      const held: ModelEvent[] = [];
      for await (const event of model.respond(request, signal)) {
        if (event.type === 'call-delta' || event.type === 'tool-call') {
          held.push(event);
          continue;
        }
        if (event.type === 'finish' && request.toolChoice === 'auto' && isInDoubt(event, options)) {
          const doubt = { ...options, isPossible: () => true };
          const settled = yield* settleDoubt(model, request, event, doubt, signal);
          if (settled.type === 'told') return;
        }
        // Nothing better was found: its call is run, and fails where it must.
        if (event.type === 'finish') yield* held;
        yield event;
      }
    },
  };
}
