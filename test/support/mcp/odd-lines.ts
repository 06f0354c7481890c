/** Odd servers that break the protocol or the connection. */
import { createGzip, gzipSync } from 'node:zlib';
import { type Exchange, type Oddity, openEvents, plainTool, refuse, reply, writeForEver } from './odd-server';

const works = { ends: 'call', says: /Hello from the odd server/ } as const;
const hello = { content: [{ type: 'text', text: 'Hello from the odd server.' }] };
const answerTo = ({ message }: Exchange, result: unknown) => ({ jsonrpc: '2.0', id: message.id, result });

/** Sends the head of a response that then ends wrongly. */
function begin({ response }: Exchange, type = 'application/json'): void {
  response.writeHead(200, { 'content-type': type });
  response.flushHeaders();
}

export const oddAnswers: readonly Oddity[] = [
  {
    name: 'a response to another request',
    answers: {
      'tools/call': (exchange) => {
        const send = openEvents(exchange);
        send({ jsonrpc: '2.0', id: 'never asked', result: hello });
        send({ jsonrpc: '2.0', id: 987_654, error: { code: -32603, message: 'no' } });
        exchange.response.end();
      },
    },
    ends: 'call',
    says: /without|no answer|broke|ended|time/i,
  },
  {
    name: 'responses to no request, before the right one',
    answers: {
      'tools/call': (exchange) => {
        const send = openEvents(exchange);
        for (let id = 1000; id < 1500; id++) send({ jsonrpc: '2.0', id, result: {} });
        send(answerTo(exchange, hello));
        exchange.response.end();
      },
    },
    ...works,
  },
  {
    name: 'two responses to one request',
    answers: {
      'tools/call': (exchange) => {
        const send = openEvents(exchange);
        send(answerTo(exchange, hello));
        send(answerTo(exchange, { content: [{ type: 'text', text: 'Something else.' }] }));
        exchange.response.end();
      },
    },
    ...works,
    hides: /Something else\./,
  },
  {
    name: 'a flood of notifications',
    answers: {
      'tools/call': (exchange) => {
        const send = openEvents(exchange);
        const params = { level: 'info', data: 'flood' };
        for (let at = 0; at < 10_000; at++) send({ jsonrpc: '2.0', method: 'notifications/message', params });
        send(answerTo(exchange, hello));
        exchange.response.end();
      },
    },
    ...works,
  },
  {
    name: 'progress reports for other calls',
    answers: {
      'tools/call': (exchange) => {
        const send = openEvents(exchange);
        for (const progressToken of [0, 4711, 'another', null])
          send({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken, progress: 1e308 },
          });
        send(answerTo(exchange, hello));
        exchange.response.end();
      },
    },
    ...works,
  },
  {
    name: 'a flood of changed tool lists',
    answers: {
      'tools/call': (exchange) => {
        const send = openEvents(exchange);
        for (let at = 0; at < 2000; at++)
          send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
        send(answerTo(exchange, hello));
        exchange.response.end();
      },
    },
    ...works,
  },
  {
    name: 'a stream that never ends',
    answers: {
      'tools/call': (exchange) => {
        begin(exchange, 'text/event-stream');
        writeForEver(exchange.response, `: ${'x'.repeat(100_000)}\n\n`);
      },
    },
    ends: 'call',
    says: /more than|too (long|much|large)|sent/i,
  },
  {
    name: 'one byte per second',
    answers: {
      'tools/call': (exchange) => {
        begin(exchange);
        const timer = setInterval(() => exchange.response.write(' '), 1000);
        exchange.response.on('close', () => clearInterval(timer));
      },
    },
    ends: 'call',
    says: /time|long|s\b/i,
  },
  {
    name: 'a body of 100 MB',
    answers: {
      'tools/call': (exchange) => {
        begin(exchange);
        exchange.response.write('{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"');
        writeForEver(exchange.response, 'x'.repeat(1_000_000));
      },
    },
    ends: 'call',
    says: /more than|too (long|much|large)/i,
  },
  {
    name: 'a small body that unpacks to 100 MB',
    answers: {
      'tools/call': ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        const gzip = createGzip();
        gzip.pipe(response).on('error', () => undefined);
        const piece = Buffer.alloc(1_000_000, 32);
        for (let at = 0; at < 100; at++) gzip.write(piece);
        gzip.end('{}');
      },
    },
    ends: 'call',
    says: /more than|too (long|much|large)/i,
  },
  {
    name: 'a compressed body that ends early',
    answers: {
      'tools/call': ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        response.end(gzipSync('{"jsonrpc":"2.0"}').subarray(0, 12));
      },
    },
    ends: 'call',
    // Chromium reports an early end as an empty body.
    says: /no JSON/,
  },
  {
    name: 'a damaged compressed body',
    answers: {
      'tools/call': ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        response.end(Buffer.concat([gzipSync('{"jsonrpc":"2.0"}').subarray(0, 10), Buffer.alloc(40, 0xff)]));
      },
    },
    ends: 'call',
    says: /broke|reached|connection/i,
  },
  {
    name: 'an answer that is no JSON',
    answers: { 'tools/call': (exchange) => void (begin(exchange), exchange.response.end('{"jsonrpc":')) },
    ends: 'call',
    says: /understood|JSON/,
    hides: /ReadableStream/,
  },
  {
    name: 'a web page instead of a response',
    answers: {
      'tools/call': (exchange) =>
        void (begin(exchange, 'text/html'), exchange.response.end('<h1>Log in</h1>')),
    },
    ends: 'call',
    says: /text\/html|broke|protocol/i,
  },
  ...[500, 404, 403, 429].map((status): Oddity => ({
    name: `a call that ends with the status ${status}`,
    answers: { 'tools/call': (exchange) => refuse(exchange, status, { error: 'no' }) },
    ends: 'call',
    says:
      status === 403
        ? /refuse|403/i
        : status === 404
          ? /404|session|answer/i
          : new RegExp(`${status}|too many|later`, 'i'),
  })),
  {
    name: 'a call that redirects to a private address',
    answers: {
      'tools/call': ({ response }) => response.writeHead(307, { location: 'http://10.0.0.5/mcp' }).end(),
    },
    ends: 'call',
    says: /another address/i,
  },
  {
    name: 'a call that redirects to another port of this machine',
    answers: {
      'tools/call': ({ response, stranger }) =>
        response.writeHead(307, { location: `${stranger}/mcp` }).end(),
    },
    ends: 'call',
    says: /another address/i,
  },
];

export const oddBeginnings: readonly Oddity[] = [
  {
    name: 'a server that redirects to a private address',
    answers: Object.fromEntries(
      ['server/discover', 'initialize'].map((method) => [
        method,
        ({ response }: Exchange) => response.writeHead(308, { location: 'http://169.254.169.254/mcp' }).end(),
      ]),
    ),
    ends: 'form',
    says: /another address|leads/i,
  },
  {
    name: 'a web page instead of a server',
    answers: Object.fromEntries(
      ['server/discover', 'initialize'].map((method) => [
        method,
        (exchange: Exchange) =>
          void (begin(exchange, 'text/html'), exchange.response.end('<h1>Welcome</h1>')),
      ]),
    ),
    ends: 'form',
    says: /MCP/,
  },
  {
    name: 'a session id with line breaks',
    answers: {
      initialize: (exchange) => {
        const body = JSON.stringify(
          answerTo(exchange, {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 'odd', version: '1' },
          }),
        );
        // Bypasses Node, which refuses to write this.
        exchange.response.socket?.end(
          `HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: mcp-session-id\r\nMcp-Session-Id: one\r\n two\tthree\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        );
      },
    },
    ...works,
  },
  {
    name: 'a list of tools without a last page',
    answers: {
      'tools/list': (exchange) => {
        const at = Number(exchange.message.params?.['cursor'] ?? 0);
        reply(exchange, { tools: [{ ...plainTool, name: `hello_${at}` }], nextCursor: String(at + 1) });
      },
    },
    ends: 'form',
    says: /understood|more than/,
  },
  {
    name: 'a protocol version that does not exist yet',
    answers: {
      initialize: (exchange) =>
        reply(exchange, {
          protocolVersion: '2099-01-01',
          capabilities: {},
          serverInfo: { name: 'odd', version: '1' },
        }),
    },
    ends: 'form',
    says: /version|2099/i,
  },
  {
    name: 'capabilities that are not objects',
    answers: {
      initialize: (exchange) =>
        reply(exchange, {
          protocolVersion: '2025-11-25',
          capabilities: { tools: 'all', prompts: 7 },
          serverInfo: 'odd',
        }),
    },
    ends: 'form',
    says: /understood/,
  },
];
