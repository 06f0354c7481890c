/** Models that answer beside the one that is loaded: a server does, and nothing is loaded for it. */
import { AppError } from '../contracts/app-error';
import type { ChatModel, ModelSpec } from '../contracts/model';
import type { ModelName } from '../contracts/model-library';
import type { RunningModel } from '../engines/host/running-model';
import { engineOf } from '../engines/registry';

export interface BesideModels {
  /** Whether a model can answer so. */
  isThere: (model: Pick<ModelName, 'id' | 'engine'>) => boolean;
  /** Rejects with an `AppError` where it is gone. */
  open: (model: Pick<ModelName, 'id'>) => Promise<{ spec: ModelSpec; model: ChatModel }>;
}

interface BesideParts {
  /** Ids of models that are in the list. */
  ids: () => readonly string[];
  find: (id: string) => Promise<ModelSpec | undefined>;
  open: (spec: ModelSpec) => RunningModel;
}

export function createBesideModels({ ids, find, open }: BesideParts): BesideModels {
  return {
    isThere: ({ id, engine }) => engineOf({ engine })?.answersBeside === true && ids().includes(id),
    // Anew each time: nothing is kept between two requests, and an edit counts from the next on.
    async open({ id }) {
      const spec = await find(id);
      if (!spec) throw new AppError('model-not-downloaded', `${id} is not in the list.`);
      const model = open(spec);
      await model.load(spec, () => undefined);
      return { spec, model };
    },
  };
}
