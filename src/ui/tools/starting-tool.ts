/** PURE: the tool that the editor begins with. */
import type { StartingTool } from '../../state/tool-form';
import type { LateWords } from '../i18n/words';

export function startingTool({ meaning, example, ...texts }: LateWords['editor']['start']): StartingTool {
  return {
    ...texts,
    inputSchema: {
      type: 'object',
      properties: {
        sides: { type: 'integer', description: meaning, default: 6, minimum: 2, maximum: 1000 },
      },
      required: [],
    },
    example: { request: example, arguments: { sides: 20 } },
  };
}
