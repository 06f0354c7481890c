/** A model repository on this machine with valid file names and random bytes. It counts what it sent, and fails on request. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { smallModelTexts } from '../support/mlc-files';

export interface ModelRepository {
  /** The values for `Model URL` and `Model library URL`. */
  modelUrl: string;
  libraryUrl: string;
  /** Bytes of all files together. */
  totalBytes: number;
  /** Bytes sent per file, by name. */
  sent: ReadonlyMap<string, number>;
  requests: readonly { name: string; range: string | undefined }[];
  forget(): void;
  /** Sends this many bytes of each file and then nothing more. Undefined sends everything. */
  stopAt: number | undefined;
  /** From now on, answers requests for a file in this way. */
  fail(name: string, respond: (response: ServerResponse, sent: number) => boolean): void;
  mend(): void;
  /** Closes every connection and refuses new ones until the server opens again on the same port. */
  cut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}

const shardBytes = 600_000;

/**
 * Creates the files of a WebLLM model by name. Its configuration and tokenizer are readable, its weights are random and its library contains no
 * program.
 */
export function makeModelFiles(shards = 3): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const records = Array.from({ length: shards }, (_, index) => {
    const name = `params_shard_${index}.bin`;
    const bytes = randomBytes(shardBytes);
    files.set(name, bytes);
    return {
      dataPath: name,
      nbytes: shardBytes,
      md5sum: createHash('md5').update(bytes).digest('hex'),
      format: 'raw-shard',
      records: [],
    };
  });
  files.set('tensor-cache.json', Buffer.from(JSON.stringify({ metadata: {}, records })));
  for (const [name, text] of Object.entries(smallModelTexts)) files.set(name, Buffer.from(text));
  // It starts like a library, and contains no program.
  files.set('library.wasm', Buffer.concat([Buffer.from('\0asm'), randomBytes(2000)]));
  return files;
}

export async function openModelRepository(): Promise<ModelRepository> {
  const files = makeModelFiles();

  const sent = new Map<string, number>();
  const requests: { name: string; range: string | undefined }[] = [];
  const failures = new Map<string, (response: ServerResponse, sent: number) => boolean>();
  const state: { stopAt: number | undefined } = { stopAt: undefined };

  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    response.on('error', () => undefined);
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const last = (request.url ?? '').split('/').at(-1) ?? '';
    // Real models have their own library files. Here they share one.
    const name = last.endsWith('.wasm') ? 'library.wasm' : last;
    const { range } = request.headers;
    requests.push({ name, range });
    if (failures.get(name)?.(response, sent.get(name) ?? 0)) return;
    const file = files.get(name);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    if (range !== undefined && from >= file.length) {
      response.writeHead(416).end();
      return;
    }
    const rest = file.subarray(from);
    response.writeHead(range === undefined ? 200 : 206, {
      'content-length': rest.length,
      'content-type': 'application/octet-stream',
    });
    const isStopped = state.stopAt !== undefined && name.startsWith('params_shard');
    const part = isStopped ? rest.subarray(0, Math.max(0, (state.stopAt ?? 0) - from)) : rest;
    sent.set(name, (sent.get(name) ?? 0) + part.length);
    if (isStopped) response.write(part);
    else response.end(part);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  return {
    modelUrl: `${origin}/mlc-ai/Fake-q4f32_1-MLC`,
    libraryUrl: `${origin}/library.wasm`,
    totalBytes: [...files.values()].reduce((sum, { length }) => sum + length, 0),
    sent,
    requests,
    forget() {
      sent.clear();
      requests.splice(0);
    },
    get stopAt() {
      return state.stopAt;
    },
    set stopAt(bytes) {
      state.stopAt = bytes;
    },
    fail: (name, respond) => void failures.set(name, respond),
    mend: () => failures.clear(),
    cut: close,
    open: () => listen(port),
    close,
  };
}
