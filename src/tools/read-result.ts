/** The read_result tool: returns a cut result in full. `agent/fit-results.ts` then selects the parts that match the query. */
import type { Message } from '../contracts/message';
import { z } from '../contracts/schema';
import { findReadableResults, textOf } from '../contracts/message-parts';
import type { Tool } from '../contracts/tool';
import { ToolError } from '../contracts/tool-failure';
import { neutralise } from '../text/neutralise';
import { defineTool } from './define-tool';
import { readResultToolName } from '../contracts/tool-names';

const maxListedResults = 20;

/** `load` returns the full text of a cut result, or undefined if it was deleted. */
export function createReadResultTool(parts: {
  messages: () => readonly Message[];
  load: (id: string) => Promise<string | undefined>;
}): Tool {
  return defineTool({
    name: readResultToolName,
    title: 'Read on in a result',
    description: 'Gives further parts of an earlier result that was too long, by what you look for in it.',
    input: z.strictObject({
      handle: z.string().check(z.minLength(1), z.describe('Which result, such as r3')),
      query: z.string().check(z.minLength(1), z.describe('What to look for, in a few words of that text')),
    }),
    // Not idempotent: each call returns a different part.
    annotations: { readOnlyHint: true, idempotentHint: false },
    isForLargerModels: true,
    async run({ handle }) {
      const named = findReadableResults(parts.messages());
      const found = named.find((one) => one.handle === handle.trim().toLowerCase());
      if (!found) {
        const asked = neutralise(handle).slice(0, 40);
        const known = named.slice(-maxListedResults).map((one) => `${one.handle} (${one.result.toolName})`);
        const list = `There are: ${known.join(', ')}.`;
        const there = known.length > 0 ? list : 'No result of this chat can be read on.';
        throw new ToolError('arguments', `There is no result "${asked}". ${there}`);
      }
      const { toolName, content, origins, whole } = found.result;
      const text = whole ? await parts.load(whole.id ?? '') : textOf(content);
      if (text === undefined) {
        throw new ToolError(
          'failed',
          `The rest of ${found.handle} is not kept. Call ${toolName} again, or answer without it.`,
        );
      }
      return {
        texts: text,
        whole: whole ?? { handle: found.handle, toolName, characters: text.length, given: [] },
        origins,
      };
    },
  });
}
