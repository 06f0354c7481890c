/** Serves a folder like any static host: only files, at any path, without rewrite rules. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
};

const isolation = [
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-embedder-policy', 'require-corp'],
];

/**
 * @param {string} folder
 * @param {{ port?: number, path?: string, isIsolated?: boolean, onAnswer?: (url: string, status: number) => void, rewrite?: (file: string) => string }} [options] `path` begins and ends with `/`; port 0 takes a free one; `isIsolated` sends the two headers with which a page may use several cores; `rewrite` returns the file to send for a file
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serveFolder(
  folder,
  { port = 0, path = '/', isIsolated = false, onAnswer, rewrite = (file) => file } = {},
) {
  const server = createServer((request, response) => {
    if (isIsolated) for (const [name, value] of isolation) response.setHeader(name, value);
    void answer(request, response, { folder, path, rewrite })
      .then(() => onAnswer?.(new URL(request.url, 'http://localhost').pathname, response.statusCode))
      .catch(() => response.destroy());
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, 'localhost', resolve));
  const address = server.address();
  return {
    url: `http://localhost:${address.port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request, response, { folder, path, rewrite }) {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (!pathname.startsWith(path)) return refuse(response);
  const name = rewrite(normalize(decodeURIComponent(pathname.slice(path.length)) || 'index.html'));
  if (name.startsWith('..')) return refuse(response);
  const file = join(folder, name);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return refuse(response);
  const kept = {
    etag: `"${found.size}-${found.mtimeMs}"`,
    'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  if (request.headers['if-none-match'] === kept.etag) {
    response.writeHead(304, kept).end();
    return;
  }
  response.writeHead(200, {
    ...kept,
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    'content-length': found.size,
    'last-modified': found.mtime.toUTCString(),
  });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
}

function refuse(response) {
  response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
}
