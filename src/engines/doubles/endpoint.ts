/**
 * An engine whose model is elsewhere: a server that speaks OpenAI's chat completions, streamed. Only in the build for
 * end-to-end tests, where it shows what an engine on the page can do with the egress it is handed.
 */
import { AppError, writeError } from '../../contracts/app-error';
import type { StreamingEgress } from '../../contracts/egress';
import type { ModelSpec, PromptMessage, TextDelta, TextEngine, Usage } from '../../contracts/model';
import { read, z } from '../../contracts/schema';

/** What it shows the server. The answer must never hold it. */
export const endpointKey = 'Bearer sk-of-the-tests-0123456789';

/** What is read of one event. */
const Chunk = z.object({
  choices: z.array(
    z.object({
      delta: z.optional(z.object({ content: z.optional(z.nullable(z.string())) })),
      finish_reason: z.optional(z.nullable(z.string())),
    }),
  ),
});

export function createEndpoint(egress: StreamingEgress): TextEngine {
  let model: ModelSpec | undefined;
  const whenLoaded = () => {
    if (!model) throw new AppError('engine-crashed', 'No model is loaded.');
    return model;
  };
  return {
    load(spec) {
      model = spec;
      return Promise.resolve();
    },

    // eslint-disable-next-line @typescript-eslint/require-await -- what it throws is to be a rejection.
    async count(messages) {
      whenLoaded();
      // Only the server knows its tokenizer.
      return messages.map(tokensOf);
    },

    async *generate({ messages, sampling, maxTokens }, signal): AsyncGenerator<TextDelta> {
      const { id, file } = whenLoaded();
      const body = JSON.stringify({
        model: id,
        messages: messages.map(({ role, content }) => ({ role: role === 'tool' ? 'user' : role, content })),
        temperature: sampling.temperature,
        max_tokens: maxTokens,
        stream: true,
      });
      const promptTokens = messages.reduce((sum, message) => sum + tokensOf(message), 0);
      const usage: Usage = { promptTokens, prefilledTokens: promptTokens, outputTokens: 0 };
      let end: Pick<Extract<TextDelta, { type: 'finish' }>, 'finishReason' | 'errorMessage'> = {
        finishReason: 'error',
        errorMessage: 'The server ended without an end of its answer.',
      };
      try {
        const answer = await egress.stream(
          {
            url: file.path,
            method: 'POST',
            headers: { 'Content-Type': 'application/json', Authorization: endpointKey },
            body,
            tool: 'endpoint',
            accept: ['text/event-stream', 'application/json'],
            maxBytes: 1_000_000,
            silentMs: 5_000,
            redirect: 'never',
            secrets: [{ name: 'key', value: endpointKey }],
          },
          signal,
        );
        if (answer.status !== 200) throw new Error(`The server answered with the status ${answer.status}.`);
        for await (const data of eventsOf(answer.text)) {
          if (data === '[DONE]' || signal.aborted) break;
          const chunk = read(Chunk, JSON.parse(data));
          if (!chunk.ok) throw new Error(chunk.reason);
          const [choice] = chunk.value.choices;
          const text = choice?.delta?.content ?? '';
          if (text !== '') yield { type: 'text-delta', text };
          usage.outputTokens += text === '' ? 0 : 1;
          if (choice?.finish_reason) {
            end = { finishReason: choice.finish_reason === 'length' ? 'length' : 'stop' };
          }
        }
      } catch (error) {
        end = { finishReason: 'error', errorMessage: writeError(error) };
      }
      yield { type: 'finish', ...(signal.aborted ? { finishReason: 'aborted' } : end), usage, prompt: body };
    },
  };
}

/** Three bytes a token, and some for what stands around the message: more than nearly every text takes. */
function tokensOf({ content }: PromptMessage): number {
  return Math.ceil(new TextEncoder().encode(content).length / 3) + 4;
}

/** The data of each server-sent event. */
async function* eventsOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim();
  }
}
