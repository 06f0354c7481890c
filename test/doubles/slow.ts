/** A tool that waits. Only the build for end-to-end tests has it. */
import { z } from '../../src/contracts/schema';
import type { Tool } from '../../src/contracts/tool';
import { defineTool } from '../../src/tools/define-tool';
import { waitFor } from '../../src/contracts/until-aborted';

export function createSlow(): Tool {
  return defineTool({
    name: 'slow',
    title: 'Slow',
    description: 'Waits so many milliseconds, and says each second how long it has waited.',
    input: z.strictObject({
      ms: z.int().check(z.minimum(0), z.maximum(60_000)),
      changes: z.optional(z.boolean().check(z.describe('Whether it counts as changing something'))),
    }),
    effects: ({ changes }) => ({ type: changes ? 'side-effect' : 'pure' }),
    async run({ ms }, { signal, onProgress }) {
      for (let waited = 0; waited < ms; waited += 1000) {
        if (waited > 0) onProgress(`waited ${waited} ms`);
        await waitFor(Math.min(1000, ms - waited), signal);
      }
      return `waited ${ms} ms`;
    },
  });
}
