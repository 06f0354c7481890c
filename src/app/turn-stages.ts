/**
 * The pipelines of a turn: the stages that a request passes on its way from the agent loop to the engine. Their order is defined only here.
 * "Details" of a reply lists the stages that its request passed.
 */
import { compactionStage, type CompactOptions } from '../agent/compaction/compact';
import {
  conversationStage,
  type Speakers,
  personaStage,
  type PersonaStageOptions,
  type Voice,
} from '../agent/speak-as';
import { AppError } from '../contracts/app-error';
import type { ChatModel } from '../contracts/model';
import { createPipeline, type ModelStage } from '../contracts/pipeline';

export interface SharedStages {
  host: ChatModel;
  isCancelled: () => boolean;
  pictures: ModelStage;
  fallback: ModelStage;
}

interface ChatStages extends SharedStages {
  /** Special treatment of a small model. Undefined in a build without one. */
  smallModel: ModelStage | undefined;
  compaction: CompactOptions;
  toolList: ModelStage;
  voice: Voice | undefined;
  persona: PersonaStageOptions;
  speakers: Speakers;
}

export function chatPipeline(stages: ChatStages): ChatModel {
  const { host, smallModel, compaction, toolList, voice, persona, speakers } = stages;
  return createPipeline(host, [
    // Answers instead of a small model, which can call tools but cannot talk.
    ...(smallModel ? [smallModel] : []),
    // Summarizes the beginning of a chat that no longer fits into the context.
    compactionStage(compaction),
    toolList,
    ...(voice ? [personaStage(voice, persona)] : []),
    // Records who speaks: an engine that holds one conversation must read the prompt again for another speaker.
    conversationStage(speakers),
    ...sharedStages(stages),
  ]);
}

interface AgentStages extends Pick<ChatStages, 'smallModel' | 'toolList' | 'voice' | 'persona'> {
  /** Either `sharedPipeline`, or a model of its own for this sub-agent. */
  model: ChatModel;
}

export function agentPipeline({ model, smallModel, toolList, voice, persona }: AgentStages): ChatModel {
  return createPipeline(model, [
    ...(smallModel ? [smallModel] : []),
    toolList,
    ...(voice ? [personaStage(voice, persona)] : []),
  ]);
}

/** Like `agentPipeline`, for a reply that must follow the schema of the persona. */
export function constrainedAgentPipeline({
  model,
  voice,
  persona,
}: Omit<AgentStages, 'smallModel' | 'toolList'>): ChatModel {
  return createPipeline(model, voice ? [personaStage(voice, { ...persona, isHeld: true })] : []);
}

export function measuringPipeline({
  host,
  toolList,
  voice,
  persona,
}: Pick<ChatStages, 'host' | 'toolList' | 'voice' | 'persona'>): ChatModel {
  return createPipeline(host, [toolList, ...(voice ? [personaStage(voice, persona)] : [])]);
}

/** The pipeline that a chat and its sub-agents share. */
export function sharedPipeline(stages: SharedStages, speakers: Speakers): ChatModel {
  return createPipeline(stages.host, [conversationStage(speakers), ...sharedStages(stages)]);
}

function sharedStages({ isCancelled, pictures, fallback }: SharedStages): ModelStage[] {
  return [
    pictures,
    // Stops a turn from starting a load after the user has cancelled it.
    cancelStage(isCancelled),
    fallback,
  ];
}

/** The pipeline for reading ahead. Its prompt begins like that of `chatPipeline`. */
export function readAheadPipeline({
  host,
  toolList,
  voice,
  persona,
  fallback,
}: Pick<ChatStages, 'host' | 'toolList' | 'voice' | 'persona' | 'fallback'>): ChatModel {
  const onlyRead: ModelStage = {
    name: 'read-ahead',
    transformRequest: (request) => ({ ...request, onlyRead: true }),
  };
  return createPipeline(host, [
    toolList,
    ...(voice ? [personaStage(voice, persona)] : []),
    onlyRead,
    fallback,
  ]);
}

/** Rejects requests after a cancelled load. Measuring also loads the model, so it is rejected too. */
function cancelStage(isCancelled: () => boolean): ModelStage {
  const check = () => {
    if (isCancelled()) throw new AppError('load-cancelled', 'Cancelled before it began.');
  };
  return {
    name: 'cancelled-load',
    isActive: isCancelled,
    transformRequest(request) {
      check();
      return request;
    },
    async measure(rest, ...measured) {
      check();
      return rest.measure(...measured);
    },
  };
}
