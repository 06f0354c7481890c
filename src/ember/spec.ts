/** Ember, the small model that ships with the app. training/README.md describes its training and its scores. */
import type { ModelSpec } from '../contracts/model';

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
