/** The page's side of an MCP worker, for tests in Node: sends requests as the egress worker does. */
import { vi } from 'vitest';
import { streamResponse } from '../../src/egress/send-outside';
import type { LoginState } from '../../src/contracts/mcp-server';
import type { PageApi, ServerRequest } from '../../src/tools/mcp/worker-api';

export function createPageEnd() {
  const stops = new Map<string, AbortController>();
  const sent: ServerRequest[] = [];
  let login: LoginState = {};
  const page = {
    async request(id: string, written: unknown, port: MessagePort) {
      const request = written as ServerRequest;
      sent.push(request);
      const stop = new AbortController();
      stops.set(id, stop);
      const asked = { ...request, tool: 'test', redirect: 'never' as const, secrets: [] };
      const accept = ['application/json', 'text/event-stream'];
      const circumstances = {
        allowedAddresses: [new URL(request.url).origin],
        stop: stop.signal,
        isOnline: () => true,
      };
      const end = await streamResponse(
        { ...asked, accept, maxBytes: 1_000_000, silentMs: 60_000 },
        circumstances,
        (event) => {
          if (event.type === 'head') port.postMessage({ type: 'head', ...event.head });
          if (event.type === 'text') port.postMessage({ type: 'text', text: event.text });
        },
      );
      port.postMessage(end.ok ? { type: 'end' } : { type: 'failed', message: end.message });
    },
    stop: (id: string) => stops.get(id)?.abort(),
    ask: vi.fn<PageApi['ask']>(async () => ({ action: 'decline' })),
    progress: vi.fn<PageApi['progress']>(),
    changed: vi.fn<PageApi['changed']>(),
    loadLogin: async () => ({ ...login, origins: [] }),
    saveLogin: async (saved: LoginState) => void (login = saved),
    bindClient: async (issuer: string) => issuer,
    log: vi.fn<PageApi['log']>(),
  };
  return { page, sent };
}
