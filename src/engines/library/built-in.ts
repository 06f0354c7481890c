/** The model that is there from the start: all that the first paint must know of models. The others are in catalog.ts. */
import type { ModelSpec } from '../../contracts/model';
import type { ModelName } from '../../contracts/model-library';
import { scripted } from '../doubles/scripted-model';

/** The model that ships with the app: training/README.md says how it was made, and how well it does. */
export const ember: ModelSpec = {
  id: 'ember',
  name: 'Ember',
  engine: 'llama',
  file: { path: 'models/ember.gguf', bytes: 11_596_608 },
  format: 'ember',
  template: {
    system: { before: '<|system|>', after: '<|end|>' },
    user: { before: '<|user|>', after: '<|end|>' },
    assistant: { before: '<|assistant|>', after: '<|end|>' },
    tool: { before: '<|tool|>', after: '<|end|>' },
    stop: ['<|end|>'],
  },
  isSmall: true,
  contextTokens: 2048,
  maxReplyTokens: 160,
  sampling: { temperature: 0 },
  languages: ['en', 'zh'],
  licence: 'Apache-2.0',
};

/** How the model is shown before the registry of engines has been loaded. */
export function builtInName({ id, name, engine, file, isSmall }: ModelSpec): ModelName {
  return { id, name, engine, place: 'processor', bytes: file.bytes, ...(isSmall && { isSmall }) };
}

export const models: readonly [ModelSpec, ...ModelSpec[]] =
  import.meta.env.MODE === 'e2e' ? [scripted, ember] : [ember];
