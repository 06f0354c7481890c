/** Fakes of a model that is asked several times, and of its replies. */
import type { AssistantMessage, Message, ToolCall } from '../../../src/contracts/message';
import type { ChatModel, ModelEvent, ReplyRequest } from '../../../src/contracts/model';
import type { ToolOutput } from '../../../src/contracts/tool';

export const asked: Message[] = [
  { role: 'user', content: [{ type: 'text', text: '3 for 45, so 7?' }], origins: [{ door: 'typed' }] },
];

let ids = 0;
export const call = (name: string, given: Record<string, unknown>): ToolCall => ({
  type: 'tool-call',
  id: `c${ids++}`,
  name,
  arguments: given,
});
export const sum = (expression: string) => call('calculator', { expression });

export function calling(...content: AssistantMessage['content']): AssistantMessage {
  const isCall = content.some(({ type }) => type.endsWith('tool-call'));
  return { role: 'assistant', content, raw: 'RAW', finishReason: isCall ? 'tool-calls' : 'stop' };
}

/** Calculates sums that contain only `*` and `/`. The sum `oops` fails. Does not try other tools. */
export async function tryOut({ name, arguments: { expression } }: ToolCall): Promise<ToolOutput | undefined> {
  if (name !== 'calculator') return undefined;
  if (expression === 'oops')
    return { content: [{ type: 'text', text: 'No sum.' }], isError: true, origins: [{ door: 'hearth' }] };
  const [first = '', ...rest] = String(expression).split(/(?=[*/])/);
  const value = rest.reduce(
    (all, part) => (part.startsWith('*') ? all * Number(part.slice(1)) : all / Number(part.slice(1))),
    Number(first),
  );
  return { content: [{ type: 'text', text: String(value) }], isError: false, origins: [{ door: 'hearth' }] };
}

/** Gives the replies in order and records the requests. After the last reply, waits until `signal` aborts. */
export function modelOf(
  replies: readonly AssistantMessage[],
  logProbability?: number,
): ChatModel & { requests: ReplyRequest[] } {
  const requests: ReplyRequest[] = [];
  let isReplying = false;
  return {
    requests,
    measure: () => Promise.reject(new Error('not asked')),
    async *respond(request, signal): AsyncGenerator<ModelEvent> {
      // Like a worker, it gives one reply at a time.
      if (isReplying) throw new Error('It is asked in the middle of a reply.');
      isReplying = true;
      requests.push(request);
      try {
        let message = replies[requests.length - 1];
        if (!message) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          message = { role: 'assistant', content: [], finishReason: 'aborted' };
        }
        for (const part of message.content) {
          if (part.type === 'text') yield { type: 'text-delta', text: part.text };
          if (part.type === 'tool-call') yield { type: 'tool-call', call: part };
        }
        const told = logProbability === undefined ? {} : { logProbability };
        yield {
          type: 'finish',
          message,
          usage: { promptTokens: 9, prefilledTokens: 1, outputTokens: 5, ...told },
        };
      } finally {
        isReplying = false;
      }
    },
  };
}
