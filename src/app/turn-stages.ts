/** The stages that a request passes on its way from the agent loop to the engine. Only this file defines their order. */
import { AppError } from '../contracts/app-error';
import type { ChatModel } from '../contracts/model';
import { createPipeline, type ModelStage } from '../contracts/pipeline';

const turnStageOrder = [
  // Answers in place of a small model, which can call tools but cannot converse.
  'smallModel',
  // Lets the small model call the tools for a larger model, which then needs no list of tools.
  'hands',
  // Summarizes the beginning of a chat that no longer fits into the context.
  'summary',
  'toolList',
  'persona',
  // Detects when the chat and a sub-agent alternate. An engine that holds only one conversation must then read the prompt again.
  'conversation',
  'pictures',
  // Keeps a turn from starting a load after the user has cancelled it.
  'cancelledLoad',
  'readAhead',
  'fallback',
] as const;

export function createTurnPipeline(
  model: ChatModel,
  stages: Partial<Record<(typeof turnStageOrder)[number], ModelStage | undefined>>,
): ChatModel {
  return createPipeline(
    model,
    turnStageOrder.flatMap((name) => stages[name] ?? []),
  );
}

/** Rejects requests after a cancelled load. Also rejects measuring, because that loads the model too. */
export function createCancelStage(isCancelled: () => boolean): ModelStage {
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
