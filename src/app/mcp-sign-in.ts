/** Part of the composition root: a login to an MCP server, from the click to the return. */
import { type LoginWindow, openLoginWindow, whenLoginReturns } from '../platform/login-window';
import type { SignInResult } from '../state/servers.svelte';
import { findClientDocument } from '../egress/client-document';
import type { Answered, LoginStep } from '../tools/mcp/worker-api';
import type { Live } from './mcp-live';
import type { McpRuntime } from './mcp-runtime';

interface SignInParts {
  runtime: Pick<McpRuntime, 'find' | 'changeSecrets' | 'changed'>;
  baseUrl: string;
  /** Whether the gate allows an address. */
  isAllowed: (url: string) => boolean;
}

/** Milliseconds for the whole login, and for a window that looks closed to come back. */
const patienceMs = 600_000;
const closedMs = 3_000;
const lookMs = 500;

export function createSignIn({ runtime, baseUrl, isAllowed }: SignInParts) {
  /** The user has seen these origins and confirms them with a click. */
  const allowOrigins = (live: Live) =>
    runtime.changeSecrets(live, (secrets) => ({
      ...secrets,
      login: {
        ...secrets.login,
        origins: [...new Set([...(secrets.login?.origins ?? []), ...live.loginOrigins])],
      },
    }));

  const failed = (detail: string): SignInResult => ({ end: 'failed', detail });

  async function follow(live: Live, step: Answered<LoginStep>, opened: LoginWindow): Promise<SignInResult> {
    if (!step.ok) return failed(step.message);
    if (step.value.type === 'unseen') {
      live.loginOrigins = [...new Set([...live.loginOrigins, ...step.value.origins])];
      runtime.changed();
      return { end: 'other-hosts', detail: step.value.origins.join(', ') };
    }
    if (step.value.type === 'open') return goOn(live, step.value, opened);
    await live.connection.connect();
    return { end: 'done', detail: '' };
  }

  async function goOn(
    live: Live,
    { url, state }: Extract<LoginStep, { type: 'open' }>,
    opened: LoginWindow,
  ): Promise<SignInResult> {
    if (!isAllowed(url)) return failed(`${url.slice(0, 200)} may not be opened.`);
    const over = AbortSignal.any([AbortSignal.timeout(patienceMs), live.over.signal]);
    const returning = whenLoginReturns(state, over).then((said) => finish(live, said));
    opened.go(url);
    const end = await Promise.race([returning.catch(() => undefined), closing(opened, over)]);
    return end ?? { end: 'closed', detail: '' };
  }

  async function finish(live: Live, said: URLSearchParams): Promise<SignInResult> {
    const code = said.get('code');
    if (code === null) return failed(said.get('error') ?? 'It came back without a code.');
    const answered = await live.remote.ask((api) => api.finishLogin(code, said.get('iss') ?? undefined));
    if (!answered.ok) return failed(answered.message);
    if (answered.value.type === 'unseen') return failed(answered.value.origins.join(', '));
    await live.connection.connect();
    return { end: 'done', detail: '' };
  }

  return async (id: string): Promise<SignInResult> => {
    // First, because a window can only be opened in the click handler.
    const opened = openLoginWindow();
    const live = runtime.find(id);
    if (!opened) return { end: 'window', detail: '' };
    try {
      if (!live) return { end: 'closed', detail: '' };
      const refused = live.loginOrigins.find((origin) => !isAllowed(origin));
      if (refused !== undefined) return { end: 'address', detail: refused };
      await allowOrigins(live);
      const document = await findClientDocument(baseUrl);
      return await follow(live, await live.remote.ask((api) => api.beginLogin(document)), opened);
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    } finally {
      opened.close();
    }
  };
}

/** Resolves to undefined when the window has looked closed for a while or the time is over. */
async function closing(opened: LoginWindow, over: AbortSignal): Promise<undefined> {
  let closedFor = 0;
  while (!over.aborted && closedFor < closedMs) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    closedFor = opened.isClosed ? closedFor + lookMs : 0;
  }
  return undefined;
}
