/** Sends chat completion requests through the egress and parses the responses. */
import type { EgressStream, EgressStreamRequest, StreamingEgress } from '../../contracts/egress';
import { faultOf, faultOfStatus, findRetryWaitMs } from './faults';
import { type AnswerPart, readAnswer } from './read-answer';
import type { GenerateRequest, PromptMessage, QuestionParts, ResultParts } from '../../contracts/model';

const requestLogName = 'endpoint';

/** Allows a long reply with one event per token, and a silent server that is still loading its model. */
const replyLimits = { maxBytes: 16_000_000, silentMs: 150_000 } as const;
const maxErrorCharacters = 20_000;

/** Minimum characters of a key that we hide in responses. Shorter keys are placeholders such as `ollama`. */
const minSecretLength = 12;

export interface ModelServer {
  egress: StreamingEgress;
  base: string;
  key: string | undefined;
}

export function createRequestTo(
  { base, key }: Omit<ModelServer, 'egress'>,
  path: string,
): Pick<EgressStreamRequest, 'url' | 'headers' | 'tool' | 'accept' | 'redirect' | 'secrets'> {
  return {
    url: base + path,
    headers: key ? { Authorization: `Bearer ${key}` } : {},
    tool: requestLogName,
    accept: ['text/event-stream', 'application/json', 'text/plain'],
    redirect: 'never',
    secrets: key !== undefined && key.length >= minSecretLength ? [{ name: 'key', value: key }] : [],
  };
}

/** Fields that some servers reject. If an error names one, we remove or rename the field and repeat the request. */
const rejectableFields: readonly (keyof WireRequest)[] = [
  'max_tokens',
  'temperature',
  'top_p',
  'seed',
  'stream_options',
  'tool_choice',
];

export interface RetryClock {
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  now: () => number;
}

/** Returns a function that asks one server and remembers which fields it rejects. Waits for a busy server only with `patience`. Throws `AppError`s. */
export function createRequestSender(patience?: RetryClock) {
  const refused = new Set<keyof WireRequest>();

  /** Returns the milliseconds to wait before a retry. Undefined: retry now without the rejected field. Throws if a retry is useless. */
  async function waitAfterRefusal(answer: EgressStream, request: WireRequest, times: number) {
    const text = await readErrorText(answer.text);
    const now = patience?.now() ?? Date.now();
    const fault = faultOfStatus(answer, text, now);
    if (fault.code === 'endpoint-busy' && patience) {
      const ms = findRetryWaitMs(answer.headers['retry-after'], times, now);
      if (ms !== undefined) return ms;
    }
    const field = rejectableFields.find((one) => !refused.has(one) && one in request && text.includes(one));
    if (fault.code !== 'endpoint-refused' || !field) throw fault;
    refused.add(field);
    return undefined;
  }

  return async function* ask(
    server: ModelServer,
    request: WireRequest,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerPart> {
    let times = 0;
    let hasBegun = false;
    try {
      for (;;) {
        const sent = createRequestTo(server, '/chat/completions');
        const headers = { ...sent.headers, 'Content-Type': 'application/json' };
        const body = JSON.stringify(removeFields(request, refused));
        const completion = { ...sent, ...replyLimits, method: 'POST', body, headers } as const;
        const answer = await server.egress.stream(completion, signal);
        if (answer.status >= 200 && answer.status <= 299) {
          hasBegun = true;
          yield* readAnswer(answer.text);
          return;
        }
        const ms = await waitAfterRefusal(answer, request, times);
        if (ms === undefined) continue;
        times += 1;
        yield { type: 'wait', seconds: Math.ceil(ms / 1000) };
        await patience?.wait(ms, signal);
      }
    } catch (error) {
      throw faultOf(error, hasBegun);
    }
  };
}

/** Removes the fields that the server rejected. If it rejected `max_tokens`, sends that limit under its newer name. */
function removeFields(request: WireRequest, refused: ReadonlySet<string>): Partial<WireRequest> {
  const { max_tokens: maxTokens } = request;
  const all = refused.has('max_tokens') ? { ...request, max_completion_tokens: maxTokens } : request;
  return Object.fromEntries(Object.entries(all).filter(([name]) => !refused.has(name)));
}

/** Reads about the first `maxErrorCharacters` of an error response. If that fails, returns what has arrived. */
async function readErrorText(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  try {
    for await (const piece of pieces) {
      text += piece;
      if (text.length > maxErrorCharacters) break;
    }
  } catch {
    return text;
  }
  return text;
}

type WirePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

interface WireMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | WirePart[];
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface WireRequest {
  model: string;
  messages: WireMessage[];
  stream: true;
  stream_options?: { include_usage: true };
  temperature?: number;
  top_p?: number;
  seed?: number;
  max_tokens?: number;
  max_completion_tokens?: number;
  tools?: { type: 'function'; function: { name: string; description: string; parameters: unknown } }[];
  tool_choice?: 'auto' | 'none' | 'required';
}

/** Sent after a partial reply, because servers would otherwise start a new reply. */
const continueInstruction =
  'Your last message was cut off. Go on exactly where it ends, and repeat nothing of it. / 你的上一条消息被截断了。请从中断处继续，不要重复。';

export function writeRequest(
  model: string,
  { messages, sampling, maxTokens, tools }: GenerateRequest,
): WireRequest {
  const { temperature, topP, seed } = sampling;
  return {
    model,
    messages: writeMessages(messages),
    stream: true,
    stream_options: { include_usage: true },
    temperature,
    ...(topP !== undefined && { top_p: topP }),
    ...(seed !== undefined && { seed }),
    max_tokens: maxTokens,
    ...(tools && writeTools(tools)),
  };
}

/** Offers only the tool that the model must call, because some servers cannot force a tool otherwise. */
function writeTools({ specs, choice }: NonNullable<GenerateRequest['tools']>) {
  const only = typeof choice === 'object' ? specs.filter(({ name }) => name === choice.name) : specs;
  return {
    tools: only.map(({ name, description, inputSchema: parameters }) => ({
      type: 'function' as const,
      function: { name, description, parameters },
    })),
    tool_choice: typeof choice === 'object' ? ('required' as const) : choice,
  };
}

/** Writes messages so that roles alternate and only the first message is a system message, as some servers require. */
export function writeMessages(messages: readonly PromptMessage[]): WireMessage[] {
  const ids = createCallIdMapper();
  const wire: WireMessage[] = [];
  for (const message of messages) {
    for (const written of writeMessage(message, wire.at(-1), ids)) appendMessage(wire, written);
  }
  addMissingResults(wire);
  if (wire.at(-1)?.role === 'assistant') wire.push({ role: 'user', content: continueInstruction });
  return wire;
}

function writeMessage(
  { role, content, parts }: PromptMessage,
  before: WireMessage | undefined,
  ids: (id: string) => string,
): WireMessage[] {
  if (parts?.type === 'reply') {
    const calls = parts.calls.map(({ id, name, arguments: written }) => ({
      id: ids(id),
      type: 'function' as const,
      function: { name, arguments: JSON.stringify(written) },
    }));
    return [{ role: 'assistant', content: parts.text, ...(calls.length > 0 && { tool_calls: calls }) }];
  }
  if (parts?.type === 'results') return writeResults(parts, before, ids);
  if (parts?.type === 'question') return [{ role: 'user', content: writeParts(parts) }];
  if (role === 'tool') return [{ role: 'user', content }];
  return [{ role, content: role === 'assistant' ? removeThought(content) : content }];
}

function writeParts({ content }: QuestionParts): WirePart[] {
  return content.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  );
}

export function formatRequest(body: WireRequest): string {
  return JSON.stringify(body, (name, value: unknown) =>
    name === 'url' && typeof value === 'string'
      ? value.replace(/^(data:[^,]*,).+$/s, (_, head: string) => `${head}(${value.length} characters)`)
      : value,
  );
}

/** Writes tool results. If the prompt lacks the call, writes the result as user text, because servers reject a result without a call. */
function writeResults(
  { results }: ResultParts,
  before: WireMessage | undefined,
  ids: (id: string) => string,
): WireMessage[] {
  const asked = (before?.tool_calls ?? []).map(({ id }) => id);
  return results.map(({ id, text }) =>
    asked.includes(ids(id))
      ? { role: 'tool', tool_call_id: ids(id), content: text }
      : { role: 'user', content: text },
  );
}

function appendMessage(wire: WireMessage[], message: WireMessage): void {
  const last = wire.at(-1);
  if (message.role !== 'tool') addMissingResults(wire);
  if (last?.role === 'user' && message.role === 'user') {
    wire[wire.length - 1] = { ...last, content: joinContents(last.content, message.content) };
  } else wire.push(message);
}

function joinContents(one: WireMessage['content'], other: WireMessage['content']): WireMessage['content'] {
  if (typeof one === 'string' && typeof other === 'string') return `${one}\n\n${other}`;
  return [one, other].flatMap((content): WirePart[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
}

/** Adds a result to each tool call of the last reply that lacks one, because servers reject calls without results. */
function addMissingResults(wire: WireMessage[]): void {
  const at = wire.findLastIndex(({ role }) => role === 'assistant');
  const after = wire.slice(at + 1);
  if (after.some(({ role }) => role !== 'tool')) return;
  const answered = new Set(after.map(({ tool_call_id: id }) => id));
  for (const { id } of wire[at]?.tool_calls ?? []) {
    if (!answered.has(id)) wire.push({ role: 'tool', tool_call_id: id, content: 'It was not run.' });
  }
}

/** Replaces call ids by ids of nine letters and digits, as Mistral requires. A call always gets the same id, so the server's cache stays valid. */
function createCallIdMapper(): (id: string) => string {
  const known = new Map<string, string>();
  return (id) => {
    const made = known.get(id) ?? `c${String(known.size).padStart(8, '0')}`;
    known.set(id, made);
    return made;
  };
}

function removeThought(text: string): string {
  return text.replace(/^\s*<think>[^]*?<\/think>\s*/, '');
}
