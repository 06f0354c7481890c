/**
 * A server that follows OpenAI's public API reference for chat completions: `GET /v1/models`, and `POST /v1/chat/completions` whole or as
 * server-sent events, with tools, usage and errors. `test/contract/completions-server.test.ts` checks it with the official client.
 *
 * It takes its replies from a script, one per request. When the script is empty, it repeats the last message word by word.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WireCall {
  name: string;
  /** JSON as the model wrote it. */
  arguments: string;
}

export type ScriptedReply =
  | {
      thought?: string;
      text?: string;
      calls?: readonly WireCall[];
      finish?: 'length' | 'content_filter';
      /** The field for the thought. Default: `reasoning_content`. */
      thoughtField?: 'reasoning';
      /** Sends this many events, then closes the connection. */
      cutAfter?: number;
      /** Sends this many events, then nothing more. */
      hangAfter?: number;
      /** Sends the whole reply at once, even if the request asked for a stream. */
      isWhole?: true;
    }
  /** Sends exactly this response, ignoring the API. */
  | { status: number; headers?: Record<string, string>; body: string };

export interface SeenCompletion {
  path: string;
  headers: IncomingMessage['headers'];
  body: CompletionBody;
  /** Resolves when the response has ended, to true if all of it was sent. */
  closed: Promise<boolean>;
}

export interface WirePart {
  type: string;
  text?: string;
  image_url?: { url?: string; detail?: string };
}

export interface CompletionBody {
  model: string;
  messages: {
    role: string;
    /** For a message in parts, the joined text of the parts. */
    content: string | null;
    /** The original parts. Undefined if the content was a string. */
    parts?: readonly WirePart[];
    tool_calls?: { id: string; function: WireCall }[];
    tool_call_id?: string;
  }[];
  tools?: { function: { name: string } }[];
  tool_choice?: unknown;
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  max_tokens?: number;
  max_completion_tokens?: number;
  temperature?: number;
}

export interface CompletionsServer {
  /** The base URL, including `/v1`. */
  url: string;
  origin: string;
  requests: readonly SeenCompletion[];
  /** Adds replies to the script, in this order. */
  say: (...replies: ScriptedReply[]) => void;
  /** Chooses the reply to a request, or leaves it to the script. Set by a test. */
  decide: ((body: CompletionBody) => ScriptedReply | undefined) | undefined;
  models: string[];
  /** If set, requests need this key. */
  key: string | undefined;
  /** Origins whose pages may read responses: `*` for all, undefined for none. */
  cors: string | undefined;
  /** Breaks connections whose response hangs. */
  cut: () => void;
  forget: () => void;
  close: () => Promise<void>;
}

export async function openCompletionsServer(): Promise<CompletionsServer> {
  const requests: SeenCompletion[] = [];
  let script: ScriptedReply[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    response.on('error', () => undefined);
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => answer(incoming, response, Buffer.concat(chunks).toString()));
  });

  function answer(incoming: IncomingMessage, response: ServerResponse, text: string): void {
    const { method, url = '', headers } = incoming;
    if (self.cors !== undefined) response.setHeader('access-control-allow-origin', self.cors);
    if (method === 'OPTIONS') {
      if (self.cors !== undefined) {
        response.setHeader('access-control-allow-headers', 'authorization, content-type');
        response.setHeader('access-control-allow-private-network', 'true');
      }
      response.writeHead(204).end();
      return;
    }
    const closed = new Promise<boolean>((resolve) =>
      response.on('close', () => resolve(response.writableFinished)),
    );
    const body = readBody(text);
    requests.push({ path: url, headers, body, closed });
    if (self.key !== undefined && headers.authorization !== `Bearer ${self.key}`) {
      const isMissing = headers.authorization === undefined;
      const message = isMissing ? 'You didn’t provide an API key.' : 'Incorrect API key provided.';
      sendError(response, 401, message, 'invalid_api_key');
    } else if (method === 'GET' && url === '/v1/models') {
      const data = self.models.map((id) => ({
        id,
        object: 'model',
        created: 1_700_000_000,
        owned_by: 'test',
      }));
      sendJson(response, 200, { object: 'list', data });
    } else if (method === 'POST' && url === '/v1/chat/completions') complete(body, response);
    else sendError(response, 404, `Unknown request URL: ${method ?? ''} ${url}.`, 'unknown_url');
  }

  function complete(body: CompletionBody, response: ServerResponse): void {
    if (!self.models.includes(body.model)) {
      sendError(response, 404, `The model '${body.model}' does not exist`, 'model_not_found');
      return;
    }
    const wrong = errorIn(body);
    if (wrong !== undefined) {
      sendError(response, 400, wrong, null);
      return;
    }
    const reply = self.decide?.(body) ?? script.shift() ?? { text: echo(body) };
    if ('status' in reply) response.writeHead(reply.status, reply.headers).end(reply.body);
    else if (body.stream === true && !reply.isWhole) stream(body, reply, response);
    else sendJson(response, 200, wholeOf(body, reply));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const self: CompletionsServer = {
    url: `${origin}/v1`,
    origin,
    requests,
    say: (...replies) => void script.push(...replies),
    decide: undefined,
    models: ['test-model'],
    key: undefined,
    cors: '*',
    cut: () => server.closeAllConnections(),
    forget() {
      requests.length = 0;
      script = [];
      self.decide = undefined;
      self.key = undefined;
      self.cors = '*';
      self.models = ['test-model'];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return self;
}

/** Replaces a message's parts with their joined text, and adds the parts as `parts`. */
function readBody(text: string): CompletionBody {
  const body = (text === '' ? { model: '', messages: [] } : JSON.parse(text)) as CompletionBody;
  for (const message of body.messages) {
    const { content } = message as { content?: unknown };
    if (!Array.isArray(content)) continue;
    const parts = content as WirePart[];
    Object.assign(message, { parts, content: parts.flatMap((part) => part.text ?? []).join('\n') });
  }
  return body;
}

/** Picture addresses and types that the API accepts, according to its error message. */
const pictureUrl = /^(?:https:\/\/|data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$)/;

function wrongPart(
  { role }: { role: string },
  { type, text, image_url: picture }: WirePart,
): string | undefined {
  if (type === 'text') return typeof text === 'string' ? undefined : "Missing required parameter: 'text'.";
  if (type !== 'image_url') return `Invalid value: '${type}'. Supported values are: 'text', 'image_url'.`;
  if (role !== 'user') return "Image URLs are only allowed for messages with role 'user'.";
  if (!pictureUrl.test(picture?.url ?? '')) return 'Invalid image data.';
  return undefined;
}

type ScriptedMessage = Exclude<ScriptedReply, { status: number }>;

function echo({ messages }: CompletionBody): string {
  return messages.findLast(({ role }) => role !== 'assistant')?.content ?? '';
}

/** Returns the error for a request that the API rejects. */
function errorIn({ messages, tools, tool_choice: choice }: CompletionBody): string | undefined {
  if (choice !== undefined && !tools) return "'tool_choice' is only allowed when 'tools' are specified.";
  for (const [at, message] of messages.entries()) {
    const path = `messages.[${at}]`;
    const wrong = message.parts?.map((part) => wrongPart(message, part)).find((said) => said !== undefined);
    if (wrong !== undefined) return `${wrong} (${path})`;
    if (message.role === 'tool') {
      const before = messages.slice(0, at).findLast(({ role }) => role !== 'tool');
      if (!before?.tool_calls?.some(({ id }) => id === message.tool_call_id))
        return `Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls' (${path}).`;
    }
    const answers = new Set<string | undefined>();
    for (const next of messages.slice(at + 1)) {
      if (next.role !== 'tool') break;
      answers.add(next.tool_call_id);
    }
    for (const { id, function: called } of message.tool_calls ?? []) {
      if (!answers.has(id))
        return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id' (${path}).`;
      if (typeof called.arguments !== 'string')
        return `Invalid type for '${path}.tool_calls[0].function.arguments'.`;
    }
  }
  return undefined;
}

const head = (body: CompletionBody, object: string) => ({
  id: 'chatcmpl-test',
  object,
  created: 1_700_000_000,
  model: body.model,
  system_fingerprint: 'fp_test',
});

/** Splits text into words with the space before them, roughly as models write tokens. */
const tokensOf = (text: string) => text.match(/\s*\S+|\s+$/g) ?? [];

function usageOf(body: CompletionBody, tokens: number) {
  const prompt = Math.max(1, Math.ceil(JSON.stringify(body.messages).length / 4));
  return {
    prompt_tokens: prompt,
    completion_tokens: tokens,
    total_tokens: prompt + tokens,
    prompt_tokens_details: { cached_tokens: 0 },
  };
}

const finishOf = (reply: ScriptedMessage, isCut: boolean) =>
  reply.finish ?? (isCut ? 'length' : (reply.calls ?? []).length > 0 ? 'tool_calls' : 'stop');

function wholeOf(body: CompletionBody, reply: ScriptedMessage) {
  const tokens = tokensOf(reply.text ?? '');
  const most = body.max_tokens ?? body.max_completion_tokens ?? Infinity;
  const message = {
    role: 'assistant',
    content: reply.text === undefined ? null : tokens.slice(0, most).join(''),
    refusal: null,
    ...(reply.thought !== undefined && { reasoning_content: reply.thought }),
    ...(reply.calls && { tool_calls: reply.calls.map((call, at) => toolCall(call, at)) }),
  };
  const finish = finishOf(reply, tokens.length > most);
  return {
    ...head(body, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage: usageOf(body, Math.min(tokens.length, most)),
  };
}

const toolCall = (call: WireCall, at: number) => ({ id: `call_${at}`, type: 'function', function: call });

function stream(body: CompletionBody, reply: ScriptedMessage, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  const events = eventsOf(body, reply);
  const some = events.slice(0, reply.cutAfter ?? reply.hangAfter);
  const write = (at: number) => {
    const event = some[at];
    if (response.destroyed) return;
    if (event !== undefined) response.write(event, () => setImmediate(() => write(at + 1)));
    else if (reply.cutAfter !== undefined) response.destroy();
    else if (reply.hangAfter === undefined) response.end();
  };
  write(0);
}

/** Returns the events as sent over the network. */
function eventsOf(body: CompletionBody, reply: ScriptedMessage): string[] {
  const withUsage = body.stream_options?.include_usage === true;
  const chunk = (delta: object, finish: string | null = null) => ({
    ...head(body, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(withUsage && { usage: null }),
  });
  const words = tokensOf(reply.text ?? '');
  const most = body.max_tokens ?? body.max_completion_tokens ?? Infinity;
  const said = words.slice(0, most);
  const field = reply.thoughtField ?? 'reasoning_content';
  const calls = (reply.calls ?? []).flatMap((call, index) => [
    { tool_calls: [{ index, ...toolCall({ ...call, arguments: '' }, index) }] },
    ...(call.arguments.match(/[^]{1,5}/g) ?? []).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ]);
  const deltas = [
    { role: 'assistant', content: reply.calls && reply.text === undefined ? null : '', refusal: null },
    ...tokensOf(reply.thought ?? '').map((text) => ({ [field]: text })),
    ...said.map((content) => ({ content })),
    ...calls,
  ];
  const chunks = [
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, finishOf(reply, words.length > most)),
    ...(withUsage
      ? [{ ...head(body, 'chat.completion.chunk'), choices: [], usage: usageOf(body, said.length) }]
      : []),
  ];
  return [...chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`), 'data: [DONE]\n\n'];
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendError(response: ServerResponse, status: number, message: string, code: string | null): void {
  const type = 'invalid_request_error';
  sendJson(response, status, { error: { message, type, param: null, code } });
}
