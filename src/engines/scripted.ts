/**
 * An engine that says what the question tells it to. Only in the build for end-to-end tests.
 *
 * A question that begins with `script` holds the replies, one a round, divided by lines of `---`. Its first line
 * may give the milliseconds between two tokens: `script 20`. In a reply, `{{result}}` is the text of the last
 * results, `{{repeat N}}` repeats what stands before it on its line N times, `{{crash}}` kills the worker.
 * Anything else is echoed.
 */
import type { PromptMessage, TextDelta, TextEngine } from '../contracts/model';

export function createScripted(): TextEngine {
  return {
    load: () => Promise.resolve(),
    count: (messages) => Promise.resolve(messages.map(({ content }) => Math.ceil(content.length / 4))),

    async *generate({ messages, maxTokens }, signal): AsyncGenerator<TextDelta> {
      const { text, tokenMs } = replyTo(messages);
      const prompt = messages.map(({ role, content }) => `<|${role}|>${content}<|end|>`).join('');
      const promptTokens = Math.ceil(prompt.length / 4);
      let outputTokens = 0;
      for (const [token] of text.matchAll(/\{\{crash\}\}|\S+\s*|\s+/g)) {
        if (signal.aborted || outputTokens >= maxTokens) break;
        if (tokenMs > 0) await new Promise((resolve) => setTimeout(resolve, tokenMs));
        if (token === '{{crash}}') await crash();
        outputTokens += 1;
        yield { type: 'text-delta', text: token };
      }
      const usage = { promptTokens, prefilledTokens: promptTokens, outputTokens };
      const end = outputTokens >= maxTokens ? 'length' : 'stop';
      yield { type: 'finish', finishReason: signal.aborted ? 'aborted' : end, usage, prompt };
    },
  };
}

function replyTo(messages: readonly PromptMessage[]): { text: string; tokenMs: number } {
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !content.startsWith('<tool_response'),
  );
  const question = messages[asked]?.content ?? '';
  const [head = '', ...lines] = question.split('\n');
  if (!/^script\b/.test(head)) return { text: question ? `You said: ${question}` : '.', tokenMs: 0 };

  const replies = lines.join('\n').split(/^---$/m);
  const after = messages.slice(asked + 1);
  const round = after.filter(({ role }) => role !== 'assistant').length;
  const text = (replies[round] ?? '')
    .trim()
    .replaceAll('{{result}}', after.at(-1)?.content ?? '')
    .replace(/^(.*)\{\{repeat (\d+)\}\}/gm, (_, part: string, times: string) => part.repeat(Number(times)));
  // What it had said before it was broken off is not said again.
  const said = after.at(-1)?.role === 'assistant' ? (after.at(-1)?.content ?? '') : '';
  const rest = text.startsWith(said) ? text.slice(said.length) : text;
  return { text: rest, tokenMs: Number(head.split(/\s+/)[1] ?? 0) };
}

/** Once: the worker that takes its place goes on. */
async function crash(): Promise<void> {
  const marker = await caches.open('scripted-crash');
  const key = `${globalThis.location.origin}/crashed`;
  if (await marker.match(key)) return;
  await marker.put(key, new Response('yes'));
  setTimeout(() => {
    throw new Error('The script asked for a crash.');
  });
  await new Promise(() => undefined);
}
