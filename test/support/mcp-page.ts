/** The page's end of an MCP worker, for tests in Node: sends what it is asked to by Node's own fetch, as the egress worker would. */
import { vi } from 'vitest';
import type { LoginState, PageEnd, ServerRequest } from '../../src/tools/mcp/worker-api';

export function createPageEnd() {
  const stops = new Map<string, AbortController>();
  const sent: ServerRequest[] = [];
  let login: LoginState = {};
  const page = {
    async request(id: string, written: unknown, port: MessagePort) {
      const { url, body, ...init } = written as ServerRequest;
      sent.push({ url, ...init, ...(body !== undefined && { body }) });
      const stop = new AbortController();
      stops.set(id, stop);
      try {
        const response = await fetch(url, {
          ...init,
          ...(body !== undefined && { body }),
          signal: stop.signal,
          redirect: 'manual',
        });
        const headers = Object.fromEntries(response.headers);
        port.postMessage({ type: 'head', status: response.status, headers });
        const decoder = new TextDecoder();
        for await (const bytes of response.body ?? []) {
          port.postMessage({ type: 'text', text: decoder.decode(bytes as Uint8Array, { stream: true }) });
        }
        port.postMessage({ type: 'end' });
      } catch (error) {
        port.postMessage({ type: 'failed', message: String(error) });
      }
    },
    stop: (id: string) => stops.get(id)?.abort(),
    ask: vi.fn<PageEnd['ask']>(async () => ({ action: 'decline' })),
    progress: vi.fn<PageEnd['progress']>(),
    changed: vi.fn<PageEnd['changed']>(),
    loadLogin: async () => ({ ...login, origins: [] as string[] }),
    saveLogin: async (saved: LoginState) => void (login = saved),
    log: vi.fn<PageEnd['log']>(),
  };
  return { page, sent };
}
