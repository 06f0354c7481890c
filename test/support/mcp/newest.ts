/** A server of protocol version 2026-07-28, built with the official library: no session, and its questions are results of calls. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  acceptedContent,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server';

export interface NewestServer {
  url: string;
  origin: string;
  close: () => Promise<void>;
}

const form = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const }, isSure: { type: 'boolean' as const, default: true } },
  required: ['name'],
};

function makeServer(): McpServer {
  const server = new McpServer({ name: 'newest', version: '1.0.0' });
  server.registerTool(
    'greet',
    {
      description: 'Greets somebody by name.',
      inputSchema: fromJsonSchema<{ name: string }>({
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' } },
      }),
      outputSchema: fromJsonSchema({
        type: 'object',
        required: ['greeting'],
        properties: { greeting: { type: 'string' } },
      }),
    },
    ({ name }) => {
      const greeting = `Good morning, ${name}.`;
      return { content: [{ type: 'text', text: greeting }], structuredContent: { greeting } };
    },
  );
  server.registerTool(
    'deploy',
    {
      description: 'Deploys, once somebody has said who asks.',
      inputSchema: fromJsonSchema({ type: 'object' }),
    },
    (_input, context) => {
      const said = acceptedContent(
        context.mcpReq.inputResponses,
        'who',
        fromJsonSchema<{ name: string; isSure?: boolean }>(form),
      );
      if (said)
        return { content: [{ type: 'text', text: `Deployed for ${said.name}: ${String(said.isSure)}` }] };
      const who = inputRequired.elicit({ message: 'Who asks?', requestedSchema: form });
      return inputRequired({ inputRequests: { who } });
    },
  );
  return server;
}

export async function startNewest(): Promise<NewestServer> {
  const handler = createMcpHandler(makeServer, { legacy: 'reject' });
  const http = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
    response.setHeader(
      'access-control-allow-headers',
      request.headers['access-control-request-headers'] ?? '',
    );
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    const body = request.method === 'POST' ? await text(request) : undefined;
    const asked = new Request(`http://localhost${request.url ?? '/'}`, {
      method: request.method ?? 'GET',
      headers,
      ...(body !== undefined && { body }),
    });
    const answered = await handler.fetch(asked);
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    for await (const bytes of answered.body ?? []) response.write(bytes);
    response.end();
  }

  await new Promise<void>((resolve) => http.listen(0, resolve));
  const { port } = http.address() as AddressInfo;
  const origin = `http://localhost:${port}`;
  return {
    origin,
    url: `${origin}/mcp`,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
