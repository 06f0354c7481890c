/** A valid custom tool for tests to modify. */
import type { CustomToolContent } from '../../../../src/contracts/custom-tool';

export const slugify: CustomToolContent = {
  name: 'slugify',
  title: 'Slugify',
  description: 'Makes the address of a post from its title.',
  inputSchema: {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 200 },
      style: { type: 'string', enum: ['dash', 'underscore'], default: 'dash' },
      words: { type: 'integer', minimum: 1, maximum: 20 },
      code: { type: 'string', pattern: '^[A-Z]{2}$' },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
      author: {
        type: 'object',
        properties: { name: { type: 'string' }, roles: { type: 'array', items: { type: 'string' } } },
        required: ['name'],
      },
    },
    required: ['title'],
  },
  code: "return args.title.toLowerCase().replaceAll(' ', '-')",
  class: 'pure',
  hosts: [],
  secrets: [],
  limits: { timeMs: 5000, outputCharacters: 65_536, hostCalls: 20 },
  examples: [{ request: 'slugify My First Post', arguments: { title: 'My First Post' } }],
};
