import { z } from '../../contracts/schema';
import type { ToolOutput } from '../../contracts/tool';
import { openSession, type Session } from './session';
import { type Answered, type LoginStep, type McpWorkerApi, Setup } from './worker-api';

const Text = z.string();
const Arguments = z.record(z.string(), z.unknown());
const Values = z.record(z.string(), z.string());

export function serveServer(): McpWorkerApi {
  let opened: Session | undefined;
  const stops = new Map<string, AbortController>();

  const session = (): Session => {
    if (!opened) throw new Error('It was not started.');
    return opened;
  };

  async function stoppable(
    id: unknown,
    work: (callId: string, signal: AbortSignal) => Promise<Answered<ToolOutput>>,
  ): Promise<Answered<ToolOutput>> {
    const callId = Text.parse(id);
    const stop = new AbortController();
    stops.set(callId, stop);
    try {
      return await work(callId, stop.signal);
    } finally {
      stops.delete(callId);
    }
  }

  /** Turns errors of the login server, which are untrusted text, into data. */
  async function login<Value>(work: () => Promise<Value>): Promise<Answered<Value>> {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { ok: false, fault: 'login', message: message.slice(0, 1_000) };
    }
  }

  return {
    start(setup, page) {
      opened = openSession(Setup.parse(setup), page);
    },
    ping: () => undefined,
    connect: () => session().connect(),
    listTools: () => session().listTools(),
    callTool: (id, name, args) =>
      stoppable(id, (callId, signal) =>
        session().callTool(callId, Text.parse(name), Arguments.parse(args), signal),
      ),
    cancel: (id) => stops.get(Text.parse(id))?.abort(),
    prompts: () => session().prompts(),
    fillPrompt: (name, values) => session().fillPrompt(Text.parse(name), Values.parse(values)),
    resources: () => session().resources(),
    readResource: (id, uri) =>
      stoppable(id, (callId, signal) => session().readResource(callId, Text.parse(uri), signal)),
    findLogin: () => login(() => session().login.find()),
    beginLogin: (clientDocument) =>
      login((): Promise<LoginStep> => session().login.begin(Text.parse(clientDocument))),
    finishLogin: (code, issuer) =>
      login(() => session().login.finish(Text.parse(code), z.optional(Text).parse(issuer))),
    revokeLogin: () =>
      login(async () => {
        await session().login.revoke();
        return undefined;
      }),
    close: () => session().close(),
  };
}
