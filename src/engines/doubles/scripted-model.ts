/** The entry of the scripted engine. Only in the build for end-to-end tests. */
import type { ModelSpec } from '../../contracts/model';

const role = (name: string) => ({ before: `<|${name}|>`, after: '<|end|>' });

export const scripted: ModelSpec = {
  id: 'scripted',
  name: 'Scripted',
  engine: 'scripted',
  file: { path: '', bytes: 0 },
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
