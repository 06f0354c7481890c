/** For the MCP worker: one life of the connection to a server, which says of a call when its answer will not come any more. */
import { StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type { createFetch } from './fetch-through';
import type { Login } from './login';

/** The calls of a session that have no answer yet. */
export function createCalls() {
  /** By the arguments of a call: what is done when its answer ended without one. */
  const onLost = new WeakMap<object, () => void>();
  /** With the life of the connection on which the server has taken it; undefined before it has. */
  const underWay = new Map<() => void, object | undefined>();
  return {
    begin(given: object, lose: () => void) {
      onLost.set(given, lose);
      underWay.set(lose, undefined);
    },
    end: (lose: () => void) => void underWay.delete(lose),
    /** `given`: of any message, whatever it may hold. */
    losing: (given: unknown) => (typeof given === 'object' && given !== null ? onLost.get(given) : undefined),
    taken(lose: () => void, on: object) {
      if (underWay.has(lose)) underWay.set(lose, on);
    },
    loseAll(on: object) {
      for (const [lose, takenOn] of [...underWay]) if (takenOn === on) lose();
    },
  };
}

export function openTransport(
  url: string,
  send: ReturnType<typeof createFetch>,
  login: Login,
  calls: ReturnType<typeof createCalls>,
): StreamableHTTPClientTransport {
  const opened = new StreamableHTTPClientTransport(new URL(url), {
    async fetch(input, init) {
      // The client would try for half a minute to take up an answer again that its server knows nothing of any more. A call that
      // the server has not taken yet is none of these: the stream that broke off was another one.
      const isResumed = new Headers(init?.headers).has('last-event-id');
      const response = await send(input, init).catch((error: unknown) => {
        if (isResumed) calls.loseAll(opened);
        throw error;
      });
      if (isResumed && !response.ok) calls.loseAll(opened);
      login.note(response);
      return response;
    },
    // Nobody is asked for a login from here: the page opens a window when the person presses.
    authProvider: {
      token: login.token,
      async onUnauthorized() {
        if (!(await login.renew())) throw new UnauthorizedError();
      },
    },
    onInsufficientScope: 'throw',
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 5,
    },
  });
  // The client itself waits for ever for an answer whose stream has ended.
  const sendMessage = opened.send.bind(opened);
  opened.send = async (message, options) => {
    const params = 'method' in message && message.method === 'tools/call' ? message.params : undefined;
    const lose = calls.losing(params?.['arguments']);
    await sendMessage(message, { ...options, ...(lose && { onRequestStreamEnd: lose }) });
    if (lose) calls.taken(lose, opened);
  };
  return opened;
}
