/** An outside server that records who contacts it, over HTTP, sockets and UDP. */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listener {
  /** The addresses that the attack `name` tries to reach. */
  addressesFor(name: string): { url: string; module: string; socket: string; udp: number };
  /** Names of the attacks that reached it, and `udp` for those that cannot be told apart. */
  reached: Set<string>;
  close(): Promise<void>;
}

export async function listen(): Promise<Listener> {
  const reached = new Set<string>();
  const note = (path = '/') => reached.add(decodeURIComponent(path.split('/')[1] ?? ''));
  const server = createServer((request, response) => {
    note(request.url);
    const isModule = request.url?.endsWith('.js') ?? false;
    const type = isModule ? 'text/javascript' : 'application/json';
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': type });
    response.end(isModule ? '0' : '{}');
  });
  server.on('upgrade', (request, socket) => {
    note(request.url);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const udp = createSocket('udp4', () => reached.add('udp'));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const udpPort = udp.address().port;
  return {
    reached,
    addressesFor(name) {
      const host = `127.0.0.1:${port}/${encodeURIComponent(name)}`;
      const url = `http://${host}/x`;
      return { url, module: `http://${host}/x.js`, socket: `ws://${host}/x`, udp: udpPort };
    },
    async close() {
      udp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
