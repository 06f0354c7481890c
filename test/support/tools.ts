/** Tools for the tests of the loop. */
import type { Tool, ToolEffects } from '../../src/contracts/tool';

export function tool(
  name: string,
  run: (signal: AbortSignal, input: unknown) => Promise<string>,
  type: 'pure' | 'side-effect' = 'pure',
): Tool {
  const effects: ToolEffects = { type };
  return {
    name,
    title: name,
    description: name,
    inputSchema: {},
    effects: () => effects,
    execute: async (input, { signal }) => ({
      content: [{ type: 'text', text: await run(signal, input) }],
      isError: false,
    }),
  };
}

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
