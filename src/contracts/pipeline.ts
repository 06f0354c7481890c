/**
 * What stands between the agent loop and an engine, as an ordered list of stages. A request passes them from the first to the last, its
 * events pass them back. `src/app/turn-stages.ts` has the list of a turn.
 */
import type { AssistantMessage } from './message';
import type { ChatModel, ContextUse, ModelEvent, ReplyRequest, StageName } from './model';

export interface ModelStage {
  name: StageName;
  /** False while the stage passes everything on as it is; "Details" leaves it out then. Missing: always true. */
  isActive?: () => boolean;
  /** Changes what the stages after this one are asked. */
  transformRequest?: (request: ReplyRequest) => ReplyRequest | Promise<ReplyRequest>;
  /** Makes the reply. It may ask `rest`, the stages after this one, several times, one request after another. */
  wrapStream?: (request: ReplyRequest, signal: AbortSignal, rest: ChatModel) => AsyncIterable<ModelEvent>;
  /** Measures what the stage would ask for these messages. Missing: the stage changes nothing that is measured. */
  measure?: (rest: ChatModel, ...measured: Parameters<ChatModel['measure']>) => Promise<ContextUse>;
}

/** `engine` after the stages, which are given in the order in which a request passes them. */
export function createPipeline(engine: ChatModel, stages: readonly ModelStage[]): ChatModel {
  const [first, ...others] = stages;
  return first ? withStage(createPipeline(engine, others), first) : engine;
}

function withStage(rest: ChatModel, stage: ModelStage): ChatModel {
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

/** The end of a reply that the person stopped; `content` is what had come of it. */
export function stopped(content: AssistantMessage['content'] = []): ModelEvent {
  return {
    type: 'finish',
    message: { role: 'assistant', content, finishReason: 'aborted' },
    usage: { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 },
  };
}
