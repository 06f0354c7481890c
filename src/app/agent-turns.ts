/** Part of the composition root: runs the sub-agents of a turn with the turn's model, rules and limits. */
import type { Speakers } from '../agent/one-conversation';
import type { RunOptions } from '../agent/run-agent';
import { type AgentLine, createSubAgents, mostNested, type SubAgentParts } from '../agent/sub-agents';
import type { TurnAccount } from '../agent/turn-guard';
import type { Interceptor } from '../contracts/turn';
import type { ModelSpec } from '../contracts/model';
import type { Persona } from '../contracts/persona';
import type { ModelStage } from '../contracts/pipeline';
import type { Tool } from '../contracts/tool';
import { allowedTo, type PersonaRuntime, subAgentOf } from './persona-runtime';
import type { BesideModels } from './beside-models';
import type { ToolOffers, ToolWishes } from './tool-offers';
import { agentPipeline, heldAgentPipeline, type SharedStages, sharedPipeline } from './turn-stages';

interface AgentTurnsParts extends Pick<SubAgentParts, 'historyOf' | 'replayOf' | 'checkJson'> {
  /** The chat's persona, if it has one. */
  persona: Persona | undefined;
  personaOf: PersonaRuntime['personaOf'];
  /** The tools that are on in the chat, including those that its persona may not use. */
  tools: readonly Tool[];
  shared: SharedStages;
  recover: RunOptions['recover'];
  speakers: Speakers;
  account: TurnAccount;
  spec: () => ModelSpec;
  offers: Pick<ToolOffers, 'forTurn'>;
  wishes: Pick<ToolWishes, 'toolSearch'>;
  isSmall: (spec: ModelSpec) => boolean;
  /** The stage of the policy for a small model, for a sub-agent with these tools. Undefined in a build without one. */
  smallModel: (tools: readonly Tool[]) => ModelStage | undefined;
  beside: BesideModels;
  /** The turn's interceptors, without the one for sub-agents. */
  rules: readonly Interceptor[];
  /** Options that the turn shares with its sub-agents. */
  run: Omit<RunOptions, 'model' | 'recover' | 'tools' | 'signal' | 'within'>;
}

export function createAgentTurns(parts: AgentTurnsParts): Interceptor {
  const { persona, personaOf, tools, shared, recover, speakers, account, spec, offers, wishes, rules, run } =
    parts;
  const { isSmall, smallModel, historyOf, replayOf, checkJson, beside } = parts;
  const personas = new Map<string, Persona>();
  return createSubAgents(
    {
      ...{ historyOf, replayOf, checkJson, account },
      agentOf(tool) {
        const found = personaOf(tool);
        if (!found) return undefined;
        personas.set(found.id, found);
        return subAgentOf(found, spec().id, beside.isThere);
      },
      async begin({ id, answeredBy }, history, line, inner) {
        const content = personas.get(id)?.content;
        const itself = answeredBy && (await beside.open(answeredBy));
        const model = itself?.model ?? sharedPipeline(shared, speakers);
        const answering = itself ? () => itself.spec : spec;
        const speaking = { spec: answering, isSmall: () => isSmall(answering()), isAsked: true };
        const { stage: toolList, tools: offered } = await offers.forTurn({
          on: allowedTo(content, tools),
          history,
          wishes: { ...wishes, toolOffer: undefined },
          unlisted: refusedIn(line, tools, personaOf),
        });
        return {
          ...run,
          model: agentPipeline({
            ...{ model, toolList, voice: content, persona: speaking },
            smallModel: smallModel(offered),
          }),
          heldModel: heldAgentPipeline({ model, voice: content, persona: speaking }),
          // No other model replaces one on a server: the caller reads the failure and continues.
          recover: itself ? () => Promise.resolve(undefined) : recover,
          tools: { tools: offered, interceptors: [...rules, inner] },
        };
      },
    },
    lineOf(persona),
  );
}

export function lineOf(persona: Persona | undefined): AgentLine {
  return { ids: persona ? [persona.id] : [], depth: 0 };
}

/** Names of agents that cannot be asked: the running ones, or all of them at the maximum depth. */
export function refusedIn(
  { ids, depth }: AgentLine,
  tools: readonly Tool[],
  personaOf: PersonaRuntime['personaOf'],
): ReadonlySet<string> {
  const refused = tools.filter((tool) => {
    const persona = personaOf(tool);
    return persona && (depth >= mostNested || ids.includes(persona.id));
  });
  return new Set(refused.map(({ name }) => name));
}
