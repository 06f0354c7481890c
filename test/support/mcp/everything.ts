/** The protocol's reference server, `server-everything`, on loopback, over Streamable HTTP and with its own CORS. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';

export interface EverythingServer {
  /** Address of its endpoint: `http://localhost:PORT/mcp`. */
  url: string;
  origin: string;
  /** Ends the server like a crash: every connection breaks. */
  kill(): Promise<void>;
  /** Restarts a killed server at the same address. It has forgotten all sessions. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const require = createRequire(import.meta.url);
const program = join(
  dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist',
  'index.js',
);

export async function startEverything(): Promise<EverythingServer> {
  const port = await findPort();
  let child: ChildProcess | undefined;
  const killNow = () => void child?.kill('SIGKILL');
  // Also end the server if the test run is interrupted.
  process.on('exit', killNow);

  const server: EverythingServer = {
    url: `http://localhost:${port}/mcp`,
    origin: `http://localhost:${port}`,
    async start() {
      if (child) return;
      child = spawn(process.execPath, [program, 'streamableHttp'], {
        env: { ...process.env, PORT: String(port) },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await listens(child);
    },
    async kill() {
      if (!child) return;
      const exit = once(child, 'exit');
      killNow();
      child = undefined;
      await exit;
    },
    async close() {
      await server.kill();
      process.off('exit', killNow);
    },
  };
  await server.start();
  return server;
}

/** Resolves when the server reports on its error output that it is listening. */
function listens(child: ChildProcess): Promise<void> {
  return new Promise((done, reject) => {
    let said = '';
    child.once('exit', (code) => reject(new Error(`server-everything ended with ${code}: ${said}`)));
    child.stderr?.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes('listening on port')) done();
    });
  });
}

/** Finds a port that was just free, because the server must be told its port. */
async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
