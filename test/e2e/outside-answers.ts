/** What an outside host is asked, and how it responds. */
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

export interface SeenRequest {
  /** Without the port, if it had one. */
  host: string;
  method: string;
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Must end the response, or leave it open on purpose. CORS is allowed unless the header is removed. */
export type Respond = (request: SeenRequest, response: ServerResponse) => void;

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export function sendText(response: ServerResponse, type: string, text: string, status = 200): void {
  response.writeHead(status, { 'content-type': type }).end(text);
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Serves the files of a folder: a built site at a public, encrypted address. */
export function serveFiles(folder: string): Respond {
  return ({ path }, response) => {
    const name = decodeURIComponent(path.slice(1).split('?')[0] ?? '') || 'index.html';
    const type = types[extname(name)] ?? 'application/octet-stream';
    readFile(join(folder, name)).then(
      (bytes) => response.writeHead(200, { 'content-type': type }).end(bytes),
      () => response.writeHead(404).end(),
    );
  };
}
