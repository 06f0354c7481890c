/** A persona as a tool: what a model is neutraliseTexts of it. What a call of it does is the loop's (`agent/sub-agents.ts`). */
import { type PersonaContent, toolNameOf } from '../../contracts/persona';
import type { JsonSchema } from '../../contracts/schema';
import type { Tool } from '../../contracts/tool';
import { neutraliseTexts } from '../neutralise-texts';

const requestSchema: JsonSchema = {
  type: 'object',
  properties: {
    request: {
      type: 'string',
      description: 'What it is to do, with all that it has to know: it sees nothing of this conversation.',
    },
  },
  required: ['request'],
};

/** Whose model a server answers with. */
export interface AgentServer {
  /** The model, as the person calls it. */
  server: string;
  /** With a port where the address has one. */
  host: string;
}

/** `server`: missing where nothing of what it is asked leaves this device. */
export function createAgentTool(content: PersonaContent, server?: AgentServer): Tool {
  const { title, description, inputSchema, outputSchema } = neutraliseTexts({
    title: content.name,
    description: content.description,
    inputSchema: content.inputSchema ?? requestSchema,
    outputSchema: content.outputSchema,
  });
  return {
    name: toolNameOf(content),
    title,
    description,
    inputSchema: { ...inputSchema, additionalProperties: false },
    ...(outputSchema && { outputSchema }),
    isForLargerModels: true,
    effects: () => ({ type: 'agent', ...server }),
    // In a chat its calls are answered before they reach it.
    execute: () =>
      Promise.resolve({
        content: [{ type: 'text', text: 'An agent can only be asked in a chat.' }],
        isError: true,
        failure: 'agent',
      }),
  };
}
