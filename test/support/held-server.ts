/** A server on the loopback address whose responses the test writes piece by piece, whenever it chooses. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInbox } from '../../src/contracts/inbox';

export interface HeldRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  response: ServerResponse;
  /** Resolves when the response's connection has ended, to true if the response was complete. */
  closed: Promise<boolean>;
}

export interface HeldServer {
  url: string;
  count: () => number;
  /** Returns the next request that was not returned yet. */
  next: () => Promise<HeldRequest>;
  close: () => Promise<void>;
}

export async function openHeldServer(): Promise<HeldServer> {
  const requests = createInbox<HeldRequest>();
  let count = 0;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      count += 1;
      const closed = new Promise<boolean>((resolve) =>
        response.on('close', () => resolve(response.writableFinished)),
      );
      const body = Buffer.concat(chunks).toString();
      requests.push({ path: incoming.url ?? '', headers: incoming.headers, body, response, closed });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    next: () => requests.next(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
