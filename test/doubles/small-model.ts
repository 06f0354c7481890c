/** Replaces src/app/small-model.ts in the build for end-to-end tests: a scripted model answers chats that chose no model. */
import { builtInModels as shipped } from '../../src/app/small-model';
import type { ModelSpec } from '../../src/contracts/model';

export { toBuiltInModelName, loadSmallModelPolicy, noModel, smallModelSpec } from '../../src/app/small-model';

const role = (name: string) => ({ before: `<|${name}|>`, after: '<|end|>' });

export const scripted: ModelSpec = {
  id: 'scripted',
  name: 'Scripted',
  engine: 'scripted',
  // Large enough for small talk, where it counts as a model on the processor (see kinds.ts).
  file: { path: '', bytes: 'isScriptedSlow' in globalThis ? 600_000_000 : 0 },
  format: 'hermes',
  template: {
    system: role('system'),
    user: role('user'),
    assistant: role('assistant'),
    tool: role('tool'),
    stop: [],
  },
  contextTokens: 8192,
  maxReplyTokens: 4096,
  sampling: { temperature: 0 },
  languages: ['en'],
  licence: 'Apache-2.0',
};

export const builtInModels: readonly ModelSpec[] = [scripted, ...shipped];
