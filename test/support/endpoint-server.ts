/** A server that speaks OpenAI's chat completions, streamed, and the door to it: both real, on the loopback address. */
import { createEgress } from '../../src/egress/client';
import { serveEgress } from '../../src/egress/serve-egress';
import type { StreamingEgress } from '../../src/contracts/egress';
import { createChannelWorkers } from './channel-worker';
import { type HeldRequest, openHeldServer } from './held-server';

export interface EndpointServer {
  /** Of its chat completions. */
  url: string;
  egress: StreamingEgress;
  /** All that it was asked. */
  requests: readonly HeldRequest[];
  close: () => Promise<void>;
}

/**
 * Says word by word what it was told last, up to as many words as it may. It hangs before the word "hang" until somebody goes away,
 * and for "key" it says the one that it was shown.
 */
export async function openEndpointServer(): Promise<EndpointServer> {
  const server = await openHeldServer();
  const requests: HeldRequest[] = [];
  void (async () => {
    for (;;) {
      const request = await server.next();
      requests.push(request);
      answer(request);
    }
  })();
  const egress = createEgress({
    startWorker: () => createChannelWorkers(serveEgress()).startWorker(),
    allowedAddresses: () => [server.url],
    record: () => undefined,
    isOnline: () => true,
    newId: () => crypto.randomUUID(),
    date: () => 0,
  });
  return { url: `${server.url}/v1/chat/completions`, egress, requests, close: server.close };
}

function answer({ response, body, headers }: HeldRequest): void {
  const { messages, max_tokens: maxTokens } = JSON.parse(body) as {
    messages: { content: string }[];
    max_tokens: number;
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const say = (delta: object, finish_reason: string | null = null) =>
    response.write(`data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`);
  const words = (messages.at(-1)?.content ?? '').split(' ');
  for (const word of words.slice(0, maxTokens)) {
    if (word === 'hang') return;
    say({ content: `${word === 'key' ? headers.authorization : word} ` });
  }
  say({}, words.length > maxTokens ? 'length' : 'stop');
  response.end('data: [DONE]\n\n');
}
