/** For the MCP worker: one session with a server through the SDK client. Returns failures as data. */
import {
  type CallToolResult,
  Client,
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';
import { McpSecrets } from '../../contracts/mcp-server';
import { createFailedOutput } from '../../contracts/tool';
import { untilAborted } from '../../contracts/until-aborted';
import { createPendingCalls, createPageFetch, openTransport } from './transport';
import { createLogin } from './login';
import { toResultParts, readCallResult, readResourceResult, readTools } from './read-answers';
import {
  type Answer,
  type PageApi,
  type ListedTool,
  type ServerFault,
  ServerSetup,
  type ConnectedServer,
} from './worker-api';
import { z } from '../../contracts/schema';

const connectTimeoutMs = 15_000;
const listTimeoutMs = 20_000;
/** Timeout for requests that only their caller ends. This is the longest delay that a browser timer allows. */
const unlimitedTimeoutMs = 2 ** 31 - 1;
const maxDescriptionCharacters = 4_000;
const maxListSize = 500;
const maxListPages = 20;

class SessionError extends Error {
  readonly fault: ServerFault;

  constructor(fault: ServerFault, message: string) {
    super(message);
    this.name = 'Fault';
    this.fault = fault;
  }
}

export function openSession(setup: ServerSetup, page: PageApi) {
  const send = createPageFetch(page);
  const login = createLogin(setup, page, send);
  const validators = new CfWorkerJsonSchemaValidator();
  let client: Client | undefined;
  let transport: StreamableHTTPClientTransport | undefined;
  const inputs = new Map<string, Record<string, unknown>>();
  const calls = createPendingCalls();

  async function end(): Promise<void> {
    const last = client;
    client = undefined;
    transport = undefined;
    await last?.close().catch(() => undefined);
  }

  const connected = (): Client => {
    if (!client) throw new SessionError('session', 'There is no connection.');
    return client;
  };

  /** Creates a new client each time, because the SDK cannot reconnect a failed one. */
  async function connect(): Promise<Client> {
    await end();
    const notify = (what: Parameters<PageApi['changed']>[0]) => ({
      autoRefresh: false,
      onChanged: () => page.changed(what),
    });
    const opened = new Client(
      { name: 'hearth', title: 'Hearth', version: '1.0.0' },
      {
        capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } },
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: connectTimeoutMs, maxRetries: 0 } },
        jsonSchemaValidator: validators,
        listMaxPages: maxListPages,
        listChanged: { tools: notify('tools'), prompts: notify('prompts'), resources: notify('resources') },
      },
    );
    opened.setRequestHandler('elicitation/create', async ({ params }) => {
      page.log('elicitation/create', 'asked');
      return (await page.ask(params)) as { action: 'accept' | 'decline' | 'cancel' };
    });
    opened.onerror = (error) => page.log('error', error.message.slice(0, 300));
    const carrier = openTransport(setup.url, send, login, calls);
    await opened.connect(carrier, { timeout: connectTimeoutMs });
    [client, transport] = [opened, carrier];
    return opened;
  }

  async function list(from: Client): Promise<readonly ListedTool[]> {
    const { tools } = await from.listTools(undefined, { timeout: listTimeoutMs, cacheMode: 'refresh' });
    inputs.clear();
    for (const { name, inputSchema } of tools) inputs.set(name, inputSchema);
    return readTools(tools);
  }

  /** Validates arguments before we send them. Accepts them if the schema itself is unusable: the server validates again. */
  function checkInput(name: string, args: Record<string, unknown>): string | undefined {
    const schema = inputs.get(name);
    if (!schema) return undefined;
    try {
      const checked = validators.getValidator(schema)(args);
      return checked.valid ? undefined : checked.errorMessage;
    } catch {
      return undefined;
    }
  }

  async function call(callId: string, name: string, args: Record<string, unknown>, signal: AbortSignal) {
    const wrong = checkInput(name, args);
    if (wrong !== undefined) {
      return createFailedOutput('arguments', `The arguments do not fit. ${wrong.slice(0, 1_000)}`);
    }
    const lost = new AbortController();
    const given = { ...args };
    // Wait a moment: a response may arrive together with the end of its stream. The call is then not lost.
    const lose = () => void setTimeout(() => lost.abort(new SessionError('lost', 'The answer broke off.')));
    calls.begin(given, lose);
    const ending = AbortSignal.any([signal, lost.signal]);
    try {
      const calling = connected().callTool(
        { name, arguments: given },
        {
          signal: ending,
          timeout: unlimitedTimeoutMs,
          onprogress({ progress, total, message }) {
            const count = total === undefined ? `${progress}` : `${progress} / ${total}`;
            page.progress(callId, message ?? count);
          },
        },
      );
      return readCallResult(await untilAborted<CallToolResult>(calling, ending));
    } catch (error) {
      const said = readServerError(error);
      if (said === undefined) throw error;
      return createFailedOutput('server', said);
    } finally {
      calls.end(lose);
    }
  }

  async function answered<Value>(work: () => Promise<Value>): Promise<Answer<Value>> {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      const fault = faultOf(error);
      // If a new login cannot grant more, do not ask the user to log in again.
      const isVain = fault === 'scope' && !(await login.wantsMore());
      return { ok: false, fault: isVain ? 'broken' : fault, message: messageOf(error) };
    }
  }

  return {
    login,
    connect: () =>
      answered(async () => {
        const opened = await connect();
        const tools = opened.getServerCapabilities()?.tools ? await list(opened) : [];
        return { ...describeConnectedServer(opened), tools };
      }),
    listTools: () => answered(() => list(connected())),
    callTool: (...given: Parameters<typeof call>) => answered(() => call(...given)),
    prompts: () =>
      answered(async () => {
        const { prompts } = await connected().listPrompts(undefined, { timeout: listTimeoutMs });
        return prompts.slice(0, maxListSize).map(({ name, title, description, arguments: fields = [] }) => ({
          name,
          title: title ?? name,
          description: cutDescription(description),
          arguments: fields.slice(0, 30).map((field) => ({
            name: field.name,
            description: cutDescription(field.description),
            isRequired: field.required === true,
          })),
        }));
      }),
    fillPrompt: (name: string, values: Record<string, string>) =>
      answered(async () => {
        const asked = { name, arguments: values };
        const { messages } = await connected().getPrompt(asked, { timeout: listTimeoutMs });
        const parts = toResultParts(messages.map(({ content }) => content));
        const texts = parts.map((part) => (part.type === 'text' ? part.text : ''));
        return texts.join('\n\n').trim();
      }),
    resources: () =>
      answered(async () => {
        const { resources } = await connected().listResources(undefined, { timeout: listTimeoutMs });
        return resources.slice(0, maxListSize).map(({ uri, name, title, description, mimeType = '' }) => {
          return { uri, title: title ?? name, mimeType, description: cutDescription(description) };
        });
      }),
    readResource: (uri: string, signal: AbortSignal) =>
      answered(async () =>
        readResourceResult(await connected().readResource({ uri }, { signal, timeout: unlimitedTimeoutMs })),
      ),
    async close() {
      await transport?.terminateSession().catch(() => undefined);
      await end();
    },
  };
}

const cutDescription = (text = '') => text.slice(0, maxDescriptionCharacters);

function describeConnectedServer(client: Client): Omit<ConnectedServer, 'tools'> {
  const { name = '', version = '', title } = client.getServerVersion() ?? {};
  const capabilities = client.getServerCapabilities();
  return {
    name: (title ?? name).slice(0, 200),
    version: version.slice(0, 100),
    instructions: cutDescription(client.getInstructions()),
    protocol: client.getNegotiatedProtocolVersion() ?? '',
    hasPrompts: capabilities?.prompts !== undefined,
    hasResources: capabilities?.resources !== undefined,
  };
}

function messageOf(error: unknown): string {
  // Replace the browser's message, which quotes its internals.
  if (error instanceof SyntaxError) return 'The answer is no JSON that can be understood.';
  if (!(error instanceof Error)) return String(error);
  // The SDK's message lacks the status.
  const start = error instanceof SdkHttpError ? `The server answered with the status ${error.status}:` : '$&';
  return error.message.replace(/^Error POSTing to endpoint:/, start).slice(0, 1_000);
}

function readServerError(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ProtocolError') return undefined;
  return `The server says: ${error.message}`.slice(0, 4_000);
}

function faultOf(error: unknown): ServerFault {
  if (error instanceof SessionError) return error.fault;
  if (error instanceof UnauthorizedError) return 'login';
  if (error instanceof InsufficientScopeError) return 'scope';
  if (error instanceof SdkHttpError) {
    if (error.status === 401) return 'login';
    const { text } = error.data as { text?: string | null };
    const isForgotten = error.status === 404 || (error.status === 400 && /session/i.test(text ?? ''));
    return isForgotten ? 'session' : 'broken';
  }
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.EraNegotiationFailed) return 'version';
    if (error.code === SdkErrorCode.RequestTimeout) return 'timeout';
  }
  return 'broken';
}

const TextArgument = z.string();
const CallArguments = z.record(z.string(), z.unknown());
const PromptValues = z.record(z.string(), z.string());

export type McpWorkerApi = ReturnType<typeof serveSession>;

/** Validates the page's arguments, because Comlink does not, and calls the session. */
export function serveSession() {
  let opened: ReturnType<typeof openSession> | undefined;
  const stops = new Map<string, AbortController>();

  const session = () => {
    if (!opened) throw new Error('It was not started.');
    return opened;
  };

  async function stoppable<Value>(id: unknown, work: (signal: AbortSignal, id: string) => Promise<Value>) {
    const callId = TextArgument.parse(id);
    const stop = new AbortController();
    stops.set(callId, stop);
    try {
      return await work(stop.signal, callId);
    } finally {
      stops.delete(callId);
    }
  }

  /** Turns errors of the login server into data, because their text is untrusted. */
  async function login<Value>(work: () => Promise<Value>): Promise<Answer<Value>> {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { ok: false, fault: 'login', message: message.slice(0, 1_000) };
    }
  }

  return {
    start(setup: unknown, page: PageApi) {
      opened = openSession(ServerSetup.parse(setup), page);
    },
    /** Lets the page detect that the worker hangs. */
    ping: () => undefined,
    connect: () => session().connect(),
    listTools: () => session().listTools(),
    callTool: (id: unknown, name: unknown, args: unknown) =>
      stoppable(id, (signal, callId) =>
        session().callTool(callId, TextArgument.parse(name), CallArguments.parse(args), signal),
      ),
    cancel: (id: unknown) => stops.get(TextArgument.parse(id))?.abort(),
    prompts: () => session().prompts(),
    fillPrompt: (name: unknown, values: unknown) =>
      session().fillPrompt(TextArgument.parse(name), PromptValues.parse(values)),
    resources: () => session().resources(),
    readResource: (id: unknown, uri: unknown) =>
      stoppable(id, (signal) => session().readResource(TextArgument.parse(uri), signal)),
    findLogin: () => login(() => session().login.find()),
    beginLogin: (clientDocument: unknown) =>
      login(() => session().login.begin(TextArgument.parse(clientDocument))),
    finishLogin: (state: unknown, code: unknown, issuer: unknown) =>
      login(() =>
        session().login.finish(
          TextArgument.parse(state),
          TextArgument.parse(code),
          z.optional(TextArgument).parse(issuer),
        ),
      ),
    revokeLogin: (ended: unknown) => login(() => session().login.revoke(McpSecrets.shape.login.parse(ended))),
    close: () => session().close(),
  };
}
