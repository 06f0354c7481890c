/** One reply of the model, and the calls that may start while it is still being written. */
import { writeError } from '../contracts/app-error';
import type { AgentEvent } from '../contracts/turn';
import type { AssistantMessage, ToolResult } from '../contracts/message';
import type { ChatModel, ModelEvent, ReplyRequest, RoundRecord, Usage } from '../contracts/model';
import { appendEvent } from '../contracts/chat-logic';
import { type CallQueue, createCallQueue } from './call-queue';
import type { CallOptions } from './run-tool-call';

export interface Round {
  message: AssistantMessage;
  usage?: Usage | undefined;
  prompt?: string | undefined;
  round: RoundRecord;
  /** What the model runs on was lost; `message` is what it had written by then. */
  isLost: boolean;
  /** One result for each call of the message, in the order of the calls. */
  results: ToolResult[];
}

/** `onReply` is told the whole reply before the results are waited for: so it is stored even if they never come. */
export async function askAndRun(
  model: ChatModel,
  request: ReplyRequest,
  options: CallOptions,
  onReply: (reply: Omit<Round, 'results'>) => void,
): Promise<Round> {
  const queue = createCallQueue(options);
  const reply = await ask(model, request, options, queue);
  onReply(reply);
  return { ...reply, results: await queue.finish() };
}

async function ask(
  model: ChatModel,
  request: ReplyRequest,
  { signal, emit, date }: { signal: AbortSignal; emit: (event: AgentEvent) => void; date: () => number },
  queue: CallQueue,
): Promise<Omit<Round, 'results'>> {
  let content: AssistantMessage['content'] = [];
  const record = keepRecord(date, model.stages);
  let errorMessage = 'The model ended without finishing.';
  try {
    for await (const event of model.respond(request, signal)) {
      if (event.type === 'finish') {
        const { message, usage, prompt } = event;
        return { message, usage, prompt, round: record.round, isLost: false };
      }
      record.take(event);
      content = appendEvent(content, event);
      emit(event);
      if (event.type === 'tool-call') queue.add(event.call);
    }
  } catch (error) {
    errorMessage = writeError(error);
  }
  const finishReason = signal.aborted ? 'aborted' : 'error';
  return {
    message: { role: 'assistant', content, finishReason, errorMessage },
    round: record.round,
    isLost: true,
  };
}

/** What is written down of the round, as its events come. */
function keepRecord(date: () => number, stages: ChatModel['stages']) {
  let round: RoundRecord = { askedAt: date(), ...(stages && { stages: [...stages] }) };
  let summingUpAt: number | undefined;
  return {
    get round() {
      return round;
    },
    take(event: ModelEvent) {
      if (event.type === 'context') round = { ...round, context: event.context };
      else if (event.type === 'summing-up') summingUpAt = date();
      else if (event.type === 'summary' && summingUpAt !== undefined) {
        round = { ...round, summingUpMs: date() - summingUpAt };
        summingUpAt = undefined;
      }
    },
  };
}
