/** Presents a persona to a model as a tool. `agent/sub-agents.ts` runs its calls. */
import { type Persona, toolNameOf } from '../../contracts/persona';
import type { JsonSchema } from '../../contracts/schema';
import { toForeignToolName } from '../../contracts/tool-names';
import { createFailedOutput, type Tool } from '../../contracts/tool';
import { neutraliseTexts } from '../neutralise-texts';

const defaultInputSchema: JsonSchema = {
  type: 'object',
  properties: {
    request: {
      type: 'string',
      description: 'What it is to do, with all that it has to know: it sees nothing of this conversation.',
    },
  },
  required: ['request'],
};

export type AgentServer = { server: string; host: string };

/** `server` is undefined if the persona's model runs on this device. */
export function createAgentTool(
  { content, origin }: Pick<Persona, 'content' | 'origin'>,
  server?: AgentServer,
): Tool {
  const { title, description, inputSchema, outputSchema } = neutraliseTexts({
    title: content.name,
    description: content.description,
    inputSchema: content.inputSchema ?? defaultInputSchema,
    outputSchema: content.outputSchema,
  });
  return {
    name: toForeignToolName(toolNameOf(content), 'ask'),
    title,
    description,
    ...(origin && { origin: { door: 'persona', name: title } }),
    inputSchema: { ...inputSchema, additionalProperties: false },
    ...(outputSchema && { outputSchema }),
    isForLargerModels: true,
    effects: () => ({ type: 'agent', ...server }),
    // Never runs in a chat: `agent/sub-agents.ts` handles the call there.
    execute: () => Promise.resolve(createFailedOutput('agent', 'An agent can only be asked in a chat.')),
  };
}
