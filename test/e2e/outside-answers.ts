/** What a host of the outside is asked, and how it answers. */
import type { ServerResponse } from 'node:http';

export interface SeenRequest {
  /** Without the port it may have had. */
  host: string;
  method: string;
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Must end the response, or leave it open on purpose. CORS is open unless the header is removed. */
export type Respond = (request: SeenRequest, response: ServerResponse) => void;

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export function sendText(response: ServerResponse, type: string, text: string, status = 200): void {
  response.writeHead(status, { 'content-type': type }).end(text);
}
