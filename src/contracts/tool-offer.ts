/** Which of the tools that are on in a chat a model is shown, where showing it all of them would cost too much. */
import type { Message } from './message';
import { z } from './schema';

/**
 * Why a tool is in the list. `pinned`: the person wants it there. `used`: it was called in this chat. `found`: the model found it in
 * this chat. `named`: the request says its name. `best`: it fits the request clearly better than any other. `close`: it fits the
 * request about as well as the best.
 */
export const ListReason = z.enum(['pinned', 'used', 'found', 'named', 'best', 'close']);
export type ListReason = z.infer<typeof ListReason>;

export const ListedTool = z.object({ name: z.string(), reason: ListReason });
export type ListedTool = z.infer<typeof ListedTool>;

export const ToolOffer = z.object({
  /** The model it was made for: another has other room, and another cache. */
  modelId: z.string(),
  /** Who finds the tools that are not listed: the model, by calling `find_tools`, or the page, by the words of the request. */
  finder: z.enum(['model', 'page']),
  /** In the order in which the prompt lists them. */
  listed: z.array(ListedTool),
  /** How many tools were on. */
  toolsOn: z.number(),
  /** How many of the oldest messages did not fit when it was made: once they are others, the prompt begins anew anyway. */
  droppedMessages: z.number(),
  /** What the list takes of the prompt, and what a list of all tools that are on would take. */
  tokens: z.number(),
  allTokens: z.number(),
});
export type ToolOffer = z.infer<typeof ToolOffer>;

/** Of a chat: when the model searches for tools instead of being shown them all. */
export const ToolSearchMode = z.enum(['always', 'when-needed', 'never']);
export type ToolSearchMode = z.infer<typeof ToolSearchMode>;

/** The name of the tool that finds tools. A person's own tool cannot have it (`tools/custom/check-definition.ts`). */
export const findToolsName = 'find_tools';

/** Names of the tools that results describe. */
export function foundToolsIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'tool' ? message.results.flatMap(({ foundTools = [] }) => foundTools) : [],
  );
}
