/** PURE: the body of a chat completion by OpenAI's API reference, with only the fields that all servers know. */
import type { GenerateRequest, PromptMessage, QuestionParts, ResultParts } from '../../contracts/model';

export type WirePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface WireMessage {
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

export type Asking = Pick<GenerateRequest, 'messages' | 'sampling' | 'maxTokens' | 'tools'>;

/** A server begins a new reply, so we tell it that the last one was not finished. */
const goOn =
  'Your last message was cut off. Go on exactly where it ends, and repeat nothing of it. / 你的上一条消息被截断了。请从中断处继续，不要重复。';

export function writeRequest(model: string, { messages, sampling, maxTokens, tools }: Asking): WireRequest {
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

/** A tool that must be called is offered alone, because some servers know no other way. */
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

/** For servers whose templates require alternating roles and a single instruction at the beginning. */
export function writeMessages(messages: readonly PromptMessage[]): WireMessage[] {
  const ids = createIds();
  const wire: WireMessage[] = [];
  for (const message of messages) {
    const written = writeMessage(message, wire.at(-1), ids);
    for (const one of written) push(wire, one);
  }
  const open = unanswered(wire);
  for (const id of open) wire.push({ role: 'tool', tool_call_id: id, content: 'It was not run.' });
  const last = wire.at(-1);
  if (last?.role === 'assistant') wire.push({ role: 'user', content: goOn });
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
  return [{ role, content: role === 'assistant' ? withoutThought(content) : content }];
}

function writeParts({ content }: QuestionParts): WirePart[] {
  return content.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  );
}

/** Formats the body for people, with only the length of each picture. */
export function showRequest(body: WireRequest): string {
  return JSON.stringify(body, (name, value: unknown) =>
    name === 'url' && typeof value === 'string'
      ? value.replace(/^(data:[^,]*,).+$/s, (_, head: string) => `${head}(${value.length} characters)`)
      : value,
  );
}

/** A result whose call was dropped with the oldest messages becomes text, because servers reject a result without a call. */
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

/** Joins two messages of one side, and answers open calls before anything else. */
function push(wire: WireMessage[], message: WireMessage): void {
  const last = wire.at(-1);
  if (message.role !== 'tool') {
    for (const id of unanswered(wire))
      wire.push({ role: 'tool', tool_call_id: id, content: 'It was not run.' });
  }
  if (last?.role === 'user' && message.role === 'user') {
    wire[wire.length - 1] = { ...last, content: join(last.content, message.content) };
  } else wire.push(message);
}

function join(one: WireMessage['content'], other: WireMessage['content']): WireMessage['content'] {
  if (typeof one === 'string' && typeof other === 'string') return `${one}\n\n${other}`;
  return [one, other].flatMap((content): WirePart[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
}

/** Ids of the last reply's calls without a result. */
function unanswered(wire: readonly WireMessage[]): string[] {
  const at = wire.findLastIndex(({ role }) => role === 'assistant');
  const behind = wire.slice(at + 1);
  if (behind.some(({ role }) => role !== 'tool')) return [];
  const answered = new Set(behind.map(({ tool_call_id: id }) => id));
  return (wire[at]?.tool_calls ?? []).map(({ id }) => id).filter((id) => !answered.has(id));
}

/** Nine letters and digits, which Mistral's templates require. The same in every request, so that the server's cache holds. */
function createIds(): (id: string) => string {
  const known = new Map<string, string>();
  return (id) => {
    const made = known.get(id) ?? `c${String(known.size).padStart(8, '0')}`;
    known.set(id, made);
    return made;
  };
}

/** Removes thoughts, which servers do not expect in earlier messages. */
function withoutThought(text: string): string {
  return text.replace(/^\s*<think>[^]*?<\/think>\s*/, '');
}
