/** A model on a server and the egress that reaches it, both real, on the loopback address. */
import type { StreamingEgress } from '../../src/contracts/egress';
import { createEgress } from '../../src/egress/client';
import { serveEgress } from '../../src/egress/serve-egress';
import { createChannelWorkers } from './channel-worker';
import { type CompletionsServer, openCompletionsServer } from './completions-server';

export interface EndpointServer extends Pick<CompletionsServer, 'url' | 'requests' | 'close'> {
  key: string;
  egress: StreamingEgress;
}

/** Repeats the last message. Hangs before the word "hang" until somebody disconnects. Replies to "key" with its key. */
export async function openEndpointServer(): Promise<EndpointServer> {
  const server = await openCompletionsServer();
  server.decide = ({ messages }) => {
    const told = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const words = told.split(' ');
    const shown = (server.requests.at(-1)?.headers.authorization ?? '').replace('Bearer ', '');
    const text = words.map((word) => (word === 'key' ? shown : word)).join(' ');
    const hang = words.indexOf('hang');
    // The first event contains only the role.
    return { text, ...(hang >= 0 && { hangAfter: hang + 1 }) };
  };
  const { url, requests, close } = server;
  return { url, requests, close, key: 'sk-of-the-tests-0123456789', egress: openDoor(server.origin) };
}

/** Connects both sides of the egress, and allows one origin. */
export function openDoor(origin: string): StreamingEgress {
  return createEgress({
    startWorker: () => createChannelWorkers(serveEgress()).startWorker(),
    allowedAddresses: () => [origin],
    record: () => undefined,
    isOnline: () => true,
    newId: () => crypto.randomUUID(),
    date: () => 0,
  });
}
