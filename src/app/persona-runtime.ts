/** Part of the composition root: personas for a turn. Read for each turn, so that an edit counts from the next turn on. */
import type { SubAgent } from '../agent/sub-agents';
import type { Persona, PersonaContent } from '../contracts/persona';
import type { ModelName } from '../contracts/model-library';
import type { PersonaStore } from '../contracts/store';
import type { Tool } from '../contracts/tool';
import { type AgentServer, createAgentTool } from '../tools/personas/agent-tool';

export interface PersonaRuntime {
  /** Undefined if none was chosen or it is gone. */
  find: (id: string | undefined) => Promise<Persona | undefined>;
  /** Personas that are offered as tools, except under a taken name. */
  tools: (takenNames: readonly string[]) => Promise<readonly Tool[]>;
  /** Undefined for a tool that is not a persona. */
  personaOf: (tool: Tool) => Persona | undefined;
}

/** `serverOf`: the server of a model that does not run on this device. */
export function createPersonaRuntime(
  kept: Pick<PersonaStore, 'list'>,
  serverOf: (modelId: string) => AgentServer | undefined = () => undefined,
): PersonaRuntime {
  const personas = new WeakMap<Tool, Persona>();
  // If personas cannot be read, a turn continues without one.
  const list = async () => (await kept.list().catch(() => ({ personas: [] }))).personas;

  return {
    async find(id) {
      return id === undefined ? undefined : (await list()).find((persona) => persona.id === id);
    },
    async tools(takenNames) {
      const taken = new Set(takenNames);
      return (await list()).flatMap((persona) => {
        if (!persona.content.isTool) return [];
        const { model } = persona.content;
        const tool = createAgentTool(persona.content, model ? serverOf(model.id) : undefined);
        if (tool.name === '' || taken.has(tool.name)) return [];
        taken.add(tool.name);
        personas.set(tool, persona);
        return [tool];
      });
    },
    personaOf: (tool) => personas.get(tool),
  };
}

/** The tools that a persona may use. All of them without a persona. */
export function allowedTo<Offered extends Pick<Tool, 'name'>>(
  content: Pick<PersonaContent, 'tools'> | undefined,
  tools: readonly Offered[],
): readonly Offered[] {
  if (!content || content.tools === 'all') return tools;
  const names = new Set(content.tools);
  return tools.filter(({ name }) => names.has(name));
}

/** A sub-agent never causes a load: only the running model (`runningId`) or a model that needs no load can answer for it. */
export function subAgentOf(
  { id, content }: Persona,
  runningId: string,
  isThere: (model: ModelName) => boolean,
): SubAgent {
  const { name, model, inputSchema, outputSchema } = content;
  return {
    ...{ id, title: name, inputSchema, outputSchema },
    ...(model && model.id !== runningId && { model, ...(isThere(model) && { answeredBy: model }) }),
  };
}
