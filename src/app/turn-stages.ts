/**
 * The pipeline of a turn: every stage that a request passes between the agent loop and the engine, in order. This is the one place where
 * the order is written. "Details" of a reply names the stages that its request passed.
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
  /** The stage of the policy for a small model. Missing in a build without one. */
  smallModel: ModelStage | undefined;
  compaction: CompactOptions;
  toolList: ModelStage;
  /** Undefined if no persona is chosen. */
  voice: Voice | undefined;
  persona: PersonaStageOptions;
  speakers: Speakers;
}

export function chatPipeline(stages: ChatStages): ChatModel {
  const { host, smallModel, compaction, toolList, voice, persona, speakers } = stages;
  return createPipeline(host, [
    // Answers for a small model, which can call tools but cannot talk.
    ...(smallModel ? [smallModel] : []),
    // Sums up the beginning of a chat that no longer fits the context.
    compactionStage(compaction),
    toolList,
    // Puts the instructions of the persona first.
    ...(voice ? [personaStage(voice, persona)] : []),
    // Records who speaks, because an engine that holds one conversation must read another one again.
    conversationStage(speakers),
    ...sharedStages(stages),
  ]);
}

interface AgentStages extends Pick<ChatStages, 'smallModel' | 'toolList' | 'voice' | 'persona'> {
  /** `sharedPipeline`, or another model for this sub-agent alone. */
  model: ChatModel;
}

export function agentPipeline({ model, smallModel, toolList, voice, persona }: AgentStages): ChatModel {
  return createPipeline(model, [
    ...(smallModel ? [smallModel] : []),
    toolList,
    ...(voice ? [personaStage(voice, persona)] : []),
  ]);
}

/** The pipeline of a sub-agent whose reply must follow the schema of its persona. */
export function heldAgentPipeline({
  model,
  voice,
  persona,
}: Omit<AgentStages, 'smallModel' | 'toolList'>): ChatModel {
  return createPipeline(model, voice ? [personaStage(voice, { ...persona, isHeld: true })] : []);
}

/** Measures how much of the context a chat takes. */
export function measuringPipeline({
  host,
  toolList,
  voice,
  persona,
}: Pick<ChatStages, 'host' | 'toolList' | 'voice' | 'persona'>): ChatModel {
  return createPipeline(host, [toolList, ...(voice ? [personaStage(voice, persona)] : [])]);
}

/** The model that a chat and its sub-agents share. */
export function sharedPipeline(stages: SharedStages, speakers: Speakers): ChatModel {
  return createPipeline(stages.host, [conversationStage(speakers), ...sharedStages(stages)]);
}

function sharedStages({ isCancelled, pictures, fallback }: SharedStages): ModelStage[] {
  return [
    // Adds the pictures of the conversation for a model that sees.
    pictures,
    // Stops a turn from starting a load that the user has cancelled.
    cancelStage(isCancelled),
    // Continues with another model if this one fails.
    fallback,
  ];
}

/** The pipeline for reading ahead. Its prompt begins as in `chatPipeline`. */
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

/** Asking and measuring both load the model, so both check. */
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
