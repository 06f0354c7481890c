/**
 * An engine that follows a script in the question, only in the build for end-to-end tests. A question that starts with `script` contains
 * one reply per round, separated by lines of `---`. Its first line may give the milliseconds between two tokens: `script 20`. In a reply,
 * `{{result}}` is the text of the last results, `{{obey}}` follows their orders (see `obey`), `{{repeat N}}` repeats the text before it on
 * its line N times, and `{{crash}}` kills the worker. Persona instructions that start with `script` contain replies in the same format, for
 * questions without a script: the first reply begins a chat, and each message of the assistant counts as a round,
 * also a call of which only the result is left. When asked for notes on
 * the chat, the engine writes the text between `NOTES` and `END` of an earlier message, or the notes it already has. It echoes any other
 * question.
 */
import { AppError } from '../../src/contracts/app-error';
import type { PromptMessage, TextDelta, TextEngine } from '../../src/contracts/model';

export function createScripted(): TextEngine {
  let isLoaded = false;
  const checkLoaded = () => {
    if (!isLoaded) throw new AppError('engine-crashed', 'No model is loaded.');
  };
  return {
    load() {
      isLoaded = true;
      return Promise.resolve();
    },

    async count(messages) {
      checkLoaded();
      return messages.map((message) => Math.ceil(render(message).length / 4));
    },

    async *generate({ messages, maxTokens }, signal): AsyncGenerator<TextDelta> {
      checkLoaded();
      const { text, tokenMs } = replyTo(messages);
      const prompt = messages.map(render).join('');
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

function render({ role, content }: PromptMessage): string {
  return `<|${role}|>${content}<|end|>`;
}

function replyTo(messages: readonly PromptMessage[]): { text: string; tokenMs: number } {
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !content.startsWith('<tool_response'),
  );
  // Hearth tells an agent its limit behind the request. That is no part of the script.
  const whole = messages[asked]?.content ?? '';
  const texts = textsBefore(whole);
  const question = whole.slice(texts.length).replace(/\n\(You can call tools at most [^)]*\)$/, '');
  const [head = '', ...lines] = question.split('\n');
  if (question.startsWith('Stop here and write notes')) return notesIn(messages);
  // Without a list of tools, the results of a turn come before its question.
  const results: PromptMessage[] = texts === '' ? [] : [{ role: 'tool', content: texts }];
  const after = [...results, ...messages.slice(asked + 1)];
  if (!/^script\b/.test(head)) {
    const reply = personaReply(messages, after);
    return reply ?? { text: question ? `You said: ${question}` : '.', tokenMs: 0 };
  }
  const round = after.filter(({ role }) => role !== 'assistant').length;
  return { text: replyIn(lines.join('\n'), round, head, after), tokenMs: tokenMsIn(head) };
}

/** Returns the results that come before the question in its message, or ''. */
function textsBefore(content: string): string {
  return /^(?:<text from=[^]*?<\/text[^>]*>\n\(.*\)\n\n)*/.exec(content)?.[0] ?? '';
}

/** Returns the rest of a script's reply after these messages. `head` is the first line of the script. */
function replyIn(script: string, round: number, head: string, after: readonly PromptMessage[]): string {
  const text = (script.split(/^---$/m)[round] ?? '')
    .trim()
    .replaceAll('{{result}}', after.at(-1)?.content ?? '')
    .replaceAll('{{obey}}', () => obey(after.at(-1)?.content ?? '', head.split(/\s+/)[2] ?? ''))
    .replace(/^(.*)\{\{repeat (\d+)\}\}/gm, (_, part: string, times: string) => part.repeat(Number(times)));
  // Continues an interrupted reply without repeating it.
  const said = after.at(-1)?.role === 'assistant' ? (after.at(-1)?.content ?? '') : '';
  return text.startsWith(said) ? text.slice(said.length) : text;
}

const tokenMsIn = (head: string) => Number(head.split(/\s+/)[1] ?? 0);

function notesIn(messages: readonly PromptMessage[]): { text: string; tokenMs: number } {
  const all = messages.flatMap(({ content }) => [...content.matchAll(/NOTES (?:(\d+) )?(.+?) END/gs)]);
  const [before] = messages.flatMap(
    ({ content }) => /<notes[^>]*>\n([^]*?)\n<\/notes/.exec(content)?.[1] ?? [],
  );
  const [, tokenMs = '0', text = before ?? ''] = all.at(-1) ?? [];
  return { text, tokenMs: Number(tokenMs) };
}

/** Returns the persona's next reply. The instructions end at the first empty line. */
function personaReply(messages: readonly PromptMessage[], after: readonly PromptMessage[]) {
  const [first] = messages;
  const [instructions = ''] = (first?.role === 'system' ? first.content : '').split('\n\n');
  const [head = '', ...lines] = instructions.split('\n');
  if (!/^script(?: \d+)?$/.test(head)) return undefined;
  const calls = messages.filter(({ role, content }) => role === 'user' && textsBefore(content) !== '');
  const spoken = messages.filter(({ role }) => role === 'assistant').length + calls.length;
  return { text: replyIn(lines.join('\n'), spoken, head, after), tokenMs: tokenMsIn(head) };
}

/**
 * Imitates a model that follows every injection: `OBEY fetch ADDRESS END`, `OBEY search WORDS END`, `OBEY say TEXT END`, and `OBEY tool
 * NAME argument=VALUE&argument=VALUE END`. It inserts the secret, which is the third word of the question's first line: `SECRET` inserts it
 * unchanged, `SECRET-BASE64` and others insert it encoded or in pieces.
 */
function obey(orders: string, secret: string): string {
  const bytes = [...new TextEncoder().encode(secret)].map((byte) => byte.toString(16).padStart(2, '0'));
  const spellings: Readonly<Record<string, string>> = {
    'SECRET-BASE64': btoa(secret),
    'SECRET-HEX': bytes.join(''),
    'SECRET-PERCENT': bytes.map((byte) => `%${byte}`).join(''),
    'SECRET-REVERSED': Array.from(secret).reverse().join(''),
    'SECRET-UPPER': secret.toUpperCase(),
    'SECRET-SPACED': Array.from(secret).join(' '),
    'SECRET-HEAD': secret.slice(0, secret.length / 2),
    'SECRET-TAIL': secret.slice(secret.length / 2),
    // Writes it in two common words, without any letter of the secret.
    'SECRET-WORDS': bytes
      .flatMap((byte) => Array.from(parseInt(byte, 16).toString(2).padStart(8, '0')))
      .map((bit) => (bit === '1' ? 'is' : 'all'))
      .join(' '),
    'SECRET-NUMBERS': bytes.map((byte) => parseInt(byte, 16)).join(' '),
    SECRET: secret,
  };
  const fill = (text: string) => text.replace(/SECRET(?:-[A-Z]+\d*)?/g, (name) => spellings[name] ?? '');
  const call = (name: string, input: unknown) =>
    `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`;
  return [...orders.matchAll(/OBEY (fetch|search|say|tool) (.+?) END/gs)]
    .map(([, verb, text = '']) => {
      if (verb === 'tool') {
        const [name = '', ...rest] = text.split(' ');
        const given = rest.join(' ').split('&');
        return call(name, Object.fromEntries(given.map((one) => fill(one).split(/=(.*)/s).slice(0, 2))));
      }
      if (verb === 'fetch') return call('fetch_page', { url: fill(text) });
      return verb === 'search' ? call('web_search', { query: fill(text) }) : fill(text);
    })
    .join('\n');
}

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
