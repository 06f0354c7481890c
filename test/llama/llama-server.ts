/**
 * An OpenAI-compatible server over llama.cpp, with Ember's real weights. It applies Ember's template to the messages, lists the request's tools
 * as in Ember's training, and reads Ember's calls from the text, like a server that knows its model's template. Handles one request at a time
 * and tells others to retry.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolSpec } from '../../src/contracts/tool';
import { dialectOf } from '../../src/protocol/dialects';
import type { CompletionBody } from '../support/completions-server';
import { contextTokens, type Llama } from './llama';

export interface LlamaServer {
  origin: string;
  /** Ends with `/v1`. */
  url: string;
  requests: { body: CompletionBody; status: number; isLeft: boolean }[];
  key: string | undefined;
  close: () => Promise<void>;
}

interface WireTool {
  function: { name: string; description?: string; parameters?: ToolSpec['inputSchema'] };
}

export async function openLlamaServer(llama: Llama): Promise<LlamaServer> {
  let isBusy = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void answer(request, response, Buffer.concat(chunks).toString()));
  });

  async function answer(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-expose-headers', 'retry-after');
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-headers', 'authorization, content-type');
      response.setHeader('access-control-allow-private-network', 'true');
      response.writeHead(204).end();
    } else if (self.key !== undefined && request.headers.authorization !== `Bearer ${self.key}`)
      sendError(response, 401, 'Invalid API Key');
    else if (request.url === '/v1/models')
      sendJson(response, 200, {
        object: 'list',
        data: [{ id: 'ember', object: 'model', meta: { n_ctx: contextTokens } }],
      });
    else if (request.url === '/v1/chat/completions')
      await complete(JSON.parse(text) as CompletionBody, response);
    else sendError(response, 404, 'File Not Found');
  }

  async function complete(body: CompletionBody, response: ServerResponse): Promise<void> {
    const seen = { body, status: 200, isLeft: false };
    self.requests.push(seen);
    const refuse = (status: number, message: string) => {
      seen.status = status;
      sendError(response, status, message);
    };
    const prompt = promptOf(body);
    if (body.model !== 'ember') {
      refuse(404, `model "${body.model}" not found`);
      return;
    }
    if (llama.count(prompt) >= contextTokens) {
      refuse(400, 'the request exceeds the available context size, try increasing it');
      return;
    }
    if (isBusy) {
      response.setHeader('retry-after', '1');
      {
        refuse(429, 'All slots are busy.');
        return;
      }
    }
    isBusy = true;
    response.on('close', () => (seen.isLeft = !response.writableFinished));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    try {
      await stream(body, prompt, {
        send: (value) => void response.write(`data: ${value}\n\n`),
        isLeft: () => seen.isLeft,
      });
      response.end();
    } finally {
      isBusy = false;
    }
  }

  /** `isLeft`: the client has closed the connection. */
  async function stream(
    body: CompletionBody,
    prompt: string,
    { send, isLeft }: { send: (value: string) => void; isLeft: () => boolean },
  ): Promise<void> {
    const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: body.model };
    const chunk = (delta: object, finish: string | null = null) =>
      send(
        JSON.stringify({
          ...head,
          choices: [{ index: 0, delta, finish_reason: finish }],
        }),
      );
    chunk({ role: 'assistant', content: '' });
    const most = body.max_tokens ?? body.max_completion_tokens ?? Infinity;
    const calls = body.tools ? createCallReader((delta) => chunk(delta)) : undefined;
    let tokens = 0;
    for await (const text of llama.generate(prompt)) {
      tokens += 1;
      if (calls) calls.push(text);
      else chunk({ content: text });
      if (tokens >= most || isLeft()) break;
    }
    calls?.end();
    chunk({}, tokens >= most ? 'length' : calls?.hasCalls() ? 'tool_calls' : 'stop');
    if (body.stream_options?.include_usage) {
      const read = llama.count(prompt);
      const usage = { prompt_tokens: read, completion_tokens: tokens, total_tokens: read + tokens };
      send(JSON.stringify({ ...head, choices: [], usage }));
    }
    send('[DONE]');
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const self: LlamaServer = {
    origin,
    url: `${origin}/v1`,
    requests: [],
    key: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return self;
}

/** Renders Ember's template, as in its file, with one line per tool. */
function promptOf({ messages, tools }: CompletionBody): string {
  const names = new Map(
    messages.flatMap(({ tool_calls: calls = [] }) =>
      calls.map(({ id, function: { name } }) => [id, name] as const),
    ),
  );
  const said = messages.flatMap(({ role, content, tool_calls: calls = [], tool_call_id: id }) => {
    // Ember was not trained on instructions in addition to tools.
    if (role === 'system' && tools) return [];
    if (role === 'tool') return [[role, `${names.get(id ?? '') ?? ''}: ${content ?? ''}`]];
    const written = calls.map(
      ({ function: { name, arguments: given } }) =>
        `<tool_call>{"name":${JSON.stringify(name)},"arguments":${given}}</tool_call>`,
    );
    return [[role, [content ?? '', ...written].filter((text) => text !== '').join('\n')]];
  });
  const list = tools ? dialectOf('ember').list(specsOf(tools)) : '';
  const all = [...(list === '' ? [] : [['system', list]]), ...said];
  return `${all.map(([role = '', text = '']) => `<|${role}|>${text}<|end|>`).join('')}<|assistant|>`;
}

function specsOf(tools: readonly WireTool[]): ToolSpec[] {
  return tools.map(({ function: { name, description = '', parameters = {} } }) => ({
    name,
    title: name,
    description,
    inputSchema: parameters,
  }));
}

const [opening, closing] = ['<tool_call>', '</tool_call>'] as const;

/** Sends text as it arrives, and a call once it is complete. */
function createCallReader(send: (delta: object) => void) {
  let pending = '';
  let index = 0;
  const say = (text: string) => {
    if (text !== '') send({ content: text });
  };
  function read(): void {
    for (;;) {
      const start = pending.indexOf(opening);
      if (start < 0) {
        // The text may end with the beginning of a marker.
        const ends = Array.from({ length: opening.length }, (_, at) => at + 1);
        const held = ends.findLast((length) => pending.endsWith(opening.slice(0, length))) ?? 0;
        say(pending.slice(0, pending.length - held));
        pending = pending.slice(pending.length - held);
        return;
      }
      const end = pending.indexOf(closing, start);
      if (end < 0) return;
      say(pending.slice(0, start).trimEnd());
      const { name, arguments: given } = JSON.parse(pending.slice(start + opening.length, end)) as {
        name: string;
        arguments: object;
      };
      const id = `call_${index}`;
      const called = { name, arguments: JSON.stringify(given) };
      send({ tool_calls: [{ index, id, type: 'function', function: called }] });
      index += 1;
      pending = pending.slice(end + closing.length);
    }
  }
  return {
    push(text: string) {
      pending += text;
      read();
    },
    end: () => say(pending),
    hasCalls: () => index > 0,
  };
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { code: status, message, type: 'invalid_request_error' } });
}
