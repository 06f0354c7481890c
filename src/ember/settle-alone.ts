/** A model in a turn that nobody watches: where it is not sure of a call, its commonest reading is gone on with, and marked. */
import type { ModelEvent } from '../contracts/model';
import type { ModelStage } from '../contracts/pipeline';
import { type DoubtOptions, type Finish, isInDoubt, settleDoubt } from './settle-doubt';

/** `options.choose` asks nobody. */
export function doubtStage(options: DoubtOptions): ModelStage {
  return {
    name: 'doubt',
    isActive: () => options.thresholds() !== undefined,
    async *wrapStream(request, signal, model) {
      if (!options.thresholds()) {
        yield* model.respond(request, signal);
        return;
      }
      const held: ModelEvent[] = [];
      let end: Finish | undefined;
      for await (const event of model.respond(request, signal)) {
        if (event.type === 'finish') end = event;
        else if (event.type === 'call-delta' || event.type === 'tool-call') held.push(event);
        else yield event;
      }
      if (!end) return;
      // Once this reply is over: a worker gives one at a time.
      if (request.toolChoice === 'auto' && isInDoubt(end, options)) {
        const doubt = { ...options, isPossible: () => true };
        const settled = yield* settleDoubt(model, request, end, doubt, signal);
        if (settled.type === 'told') return;
      }
      // Nothing better was found: its call is run, and fails where it must.
      yield* [...held, end];
    },
  };
}
