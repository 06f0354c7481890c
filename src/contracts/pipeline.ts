/** Stages between the agent loop and the engine. A request passes through them in order, its events in reverse order. */
import type { AssistantMessage } from './message';
import type { ChatModel, ContextUse, ModelEvent, ReplyRequest, StageName } from './model';

export interface ModelStage {
  name: StageName;
  /** Returns false while the stage changes nothing. Then "Details" leaves it out. Absent: always active. */
  isActive?: () => boolean;
  transformRequest?: (request: ReplyRequest) => ReplyRequest | Promise<ReplyRequest>;
  /** Produces the events of the reply. `rest` is the following stages, which it may call several times in sequence. */
  wrapStream?: (request: ReplyRequest, signal: AbortSignal, rest: ChatModel) => AsyncIterable<ModelEvent>;
  /** Measures the request with this stage's changes. Absent if the stage does not change its size. */
  measure?: (rest: ChatModel, ...measured: Parameters<ChatModel['measure']>) => Promise<ContextUse>;
}

/** Puts `stages` in front of `engine`. A request passes the first stage first. */
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

/** The finish event of a reply that the user stopped. `content` is the part that had arrived. */
export function createStoppedEvent(content: AssistantMessage['content'] = []): ModelEvent {
  return {
    type: 'finish',
    message: { role: 'assistant', content, finishReason: 'aborted' },
    usage: { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 },
  };
}
