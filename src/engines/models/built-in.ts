/** The model that is there from the start: all that the first paint must know of models. The others are in catalog.ts. */
import type { ModelSpec } from '../../contracts/model';
import { scripted } from './scripted';

/**
 * The model that ships with the app. Its four tools are in its weights, so its prompt holds no tool list;
 * it was trained on conversations of up to 384 tokens and degrades beyond them.
 */
export const ember: ModelSpec = {
  id: 'ember-pilot',
  name: 'Ember',
  engine: 'wllama',
  file: { path: 'models/ember.gguf', bytes: 6_150_176 },
  format: 'ember-pilot',
  template: {
    system: { before: '<|system|>', after: '<|end|>' },
    user: { before: '<|user|>', after: '<|end|>' },
    assistant: { before: '<|assistant|>', after: '<|end|>' },
    tool: { before: '<|tool|>', after: '<|end|>' },
    stop: ['<|end|>'],
  },
  isSmall: true,
  contextTokens: 384,
  maxReplyTokens: 96,
  sampling: { temperature: 0 },
  languages: ['en', 'zh'],
  licence: 'Apache-2.0',
};

export const models: readonly [ModelSpec, ...ModelSpec[]] =
  import.meta.env.MODE === 'e2e' ? [scripted, ember] : [ember];
