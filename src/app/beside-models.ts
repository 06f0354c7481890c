/** Models that can answer next to the loaded one: those on servers, which need no load. */
import { AppError } from '../contracts/app-error';
import type { ChatModel, ModelSpec } from '../contracts/model';
import type { ModelName } from '../contracts/model-library';
import type { RunningModel } from '../engines/host/running-model';
import { engineOf } from '../engines/registry';

export interface BesideModels {
  isThere: (model: Pick<ModelName, 'id' | 'engine'>) => boolean;
  /** Rejects with an `AppError` if the model is gone. */
  open: (model: Pick<ModelName, 'id'>) => Promise<{ spec: ModelSpec; model: ChatModel }>;
}

interface BesideParts {
  ids: () => readonly string[];
  find: (id: string) => Promise<ModelSpec | undefined>;
  open: (spec: ModelSpec) => RunningModel;
}

export function createBesideModels({ ids, find, open }: BesideParts): BesideModels {
  return {
    isThere: ({ id, engine }) => engineOf({ engine })?.answersBeside === true && ids().includes(id),
    // Not cached, so an edit counts from the next request on.
    async open({ id }) {
      const spec = await find(id);
      if (!spec) throw new AppError('model-not-downloaded', `${id} is not in the list.`);
      const model = open(spec);
      await model.load(spec, () => undefined);
      return { spec, model };
    },
  };
}
