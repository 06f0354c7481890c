/** Stages between the agent loop and the engine. A request passes through them in order, its events in reverse order. */
import type { AssistantMessage } from './message';
import type { ChatModel, ContextUse, ModelEvent, ReplyRequest, StageName, Usage } from './model';

export interface ModelStage {
  name: StageName;
  /** Returns false while the stage changes nothing, so the reply's details do not list it. A stage without this function is always active. */
  isActive?: () => boolean;
  transformRequest?: (request: ReplyRequest) => ReplyRequest | Promise<ReplyRequest>;
  /** Produces the events of the reply. The function gets the following stages as `rest` and may call `rest` several times in sequence. */
  wrapStream?: (request: ReplyRequest, signal: AbortSignal, rest: ChatModel) => AsyncIterable<ModelEvent>;
  /** Measures the request with this stage's changes. Absent if the stage does not change its size. */
  measure?: (rest: ChatModel, ...measured: Parameters<ChatModel['measure']>) => Promise<ContextUse>;
}

/** Puts `stages` in front of `engine`. The first stage is the first to receive a request. */
export function createPipeline(engine: ChatModel, stages: readonly ModelStage[]): ChatModel {
  const [first, ...others] = stages;
  return first ? prependStage(createPipeline(engine, others), first) : engine;
}

function prependStage(rest: ChatModel, stage: ModelStage): ChatModel {
  const { name, isActive, transformRequest, wrapStream, measure } = stage;
  return {
    get stages() {
      return isActive?.() === false ? rest.stages : [name, ...(rest.stages ?? [])];
    },
    async *respond(request, signal) {
      const changed = transformRequest ? await transformRequest(request) : request;
      yield* wrapStream ? wrapStream(changed, signal, rest) : rest.respond(changed, signal);
    },
    measure: (...measured) => (measure ? measure(rest, ...measured) : rest.measure(...measured)),
  };
}

/** The usage of a reply whose counts no engine reported. */
export const unknownUsage: Usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };

/** The finish event of a reply that the user stopped and whose engine has not ended yet. `content` is the part that had arrived. */
export function createStoppedEvent(content: AssistantMessage['content'] = []): ModelEvent {
  return {
    type: 'finish',
    message: { role: 'assistant', content, finishReason: 'aborted' },
    usage: unknownUsage,
  };
}
