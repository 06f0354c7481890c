/** A part of the composition root: personas, as a turn needs them. Read anew for each turn, so that an edit counts from the next on. */
import type { SubAgent } from '../agent/sub-agents';
import type { Persona, PersonaContent } from '../contracts/persona';
import type { ModelName } from '../contracts/model-library';
import type { PersonaStore } from '../contracts/store';
import type { Tool } from '../contracts/tool';
import { type AgentServer, createAgentTool } from '../tools/personas/agent-tool';

export interface PersonaRuntime {
  /** Undefined where none was chosen, or it is gone. */
  find: (id: string | undefined) => Promise<Persona | undefined>;
  /** Those that are offered as tools, but under a name that another tool has. */
  tools: (takenNames: readonly string[]) => Promise<readonly Tool[]>;
  /** Undefined for a tool that is no persona. */
  personaOf: (tool: Tool) => Persona | undefined;
}

/** `serverOf`: where a model answers that is on a server, and on none of this device. */
export function createPersonaRuntime(
  kept: Pick<PersonaStore, 'list'>,
  serverOf: (modelId: string) => AgentServer | undefined = () => undefined,
): PersonaRuntime {
  const personas = new WeakMap<Tool, Persona>();
  // Without them a turn goes on as one that chose none.
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

/** Those of some tools that a persona may use; all of them where there is none. */
export function allowedTo<Offered extends Pick<Tool, 'name'>>(
  content: Pick<PersonaContent, 'tools'> | undefined,
  tools: readonly Offered[],
): readonly Offered[] {
  if (!content || content.tools === 'all') return tools;
  const names = new Set(content.tools);
  return tools.filter(({ name }) => names.has(name));
}

/** For a sub-agent no model is loaded: `runningId` is of the one that answers, but for those that are there without a load. */
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
