/** Creates tools for tests of the agent loop and of interceptors. */
import type { CallStep } from '../../src/contracts/turn';
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
      origins: [{ door: 'hearth' }],
    }),
  };
}

/** A call of `tool` with these arguments, as the loop passes it to an interceptor. */
export function stepOf(tool: Tool, input: unknown, changed: Partial<CallStep> = {}): CallStep {
  const { signal } = new AbortController();
  return {
    tool,
    effects: tool.effects(input),
    signal,
    emit: () => undefined,
    messages: [],
    promptOrigins: [],
    ...changed,
  };
}

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
