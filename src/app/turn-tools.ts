/** Everything that a turn's tool calls need: interceptors, custom tools, MCP servers, and personas as tools. */
import type { Interceptor } from '../contracts/turn';
import { createFailedOutput, type Tool, type ToolStatistics } from '../contracts/tool';
import { createCallCache, createCallStatistics, createReachabilityCheck } from '../tools/interceptors';
import {
  createPermissionGate,
  type PermissionOptions,
  type TurnPermission,
} from '../tools/permissions/permission';
import type { Egress } from '../contracts/egress';
import type { Sandbox, SandboxResult } from '../contracts/sandbox';
import type { CustomToolStore, McpServerStore, PersonaStore } from '../contracts/store';
import type { CustomToolFunctions } from '../state/custom-tools.svelte';
import type { Workbench } from '../tools/custom/workbench';
import { createRateLimits } from '../tools/http';
import { loadOnce } from './load-once';
import type { SubAgent } from '../agent/sub-agents';
import type { Persona, PersonaContent } from '../contracts/persona';
import type { ModelName } from '../contracts/model-library';
import { type AgentServer, createAgentTool } from '../tools/personas/agent-tool';
import type { ReadAttachedResource } from '../tools/page-calls';
import type { McpRuntimeOptions } from './mcp-runtime';

/** The chat id for calls from the tool editor, which belong to no chat. */
const noChatId = '';

interface CallRulesOptions extends PermissionOptions {
  isOnline: () => boolean;
  /** Returns why the egress gate denies a tool access to a URL. Undefined if it allows access. */
  refuse: (url: string, tool: string) => string | undefined;
  recordCall: (added: ToolStatistics) => void;
  now: () => number;
}

export interface TurnRules extends Pick<TurnPermission, 'preview' | 'answerAhead'> {
  around: readonly Interceptor[];
}

export function createCallRules(parts: CallRulesOptions) {
  const { isOnline, refuse, recordCall, now, ...options } = parts;
  const permissions = createPermissionGate({
    ...options,
    // A call outside a chat cannot be allowed "for this chat".
    ask: ({ offers, ...request }, signal) =>
      options.ask(
        { ...request, offers: offers.filter((offer) => offer !== 'chat' || request.chatId !== noChatId) },
        signal,
      ),
  });
  const doorCheck = createReachabilityCheck(isOnline, refuse);
  const cache = createCallCache(options.date);
  const statistics = createCallStatistics(recordCall, now);
  return {
    // The statistics come last, so they count neither refused calls nor results from the cache.
    inChat: (chatId: string): TurnRules => {
      const permission = permissions.forTurn(chatId);
      return {
        around: [doorCheck, permission, cache, statistics],
        answerAhead: (...given) => permission.answerAhead(...given),
        // Do not ask about a call that will fail anyway because it cannot reach its host.
        preview: async (call, step) =>
          (await doorCheck.before(call, step)) === 'go' ? permission.preview(call, step) : undefined,
      };
    },
    inEditor: (): Interceptor => permissions.forTurn(noChatId),
    forgetCall: cache.forget,
  };
}

export interface CustomToolRuntime extends Pick<CustomToolFunctions, 'check' | 'run' | 'readFile'> {
  /** The custom tools that were on at the last `refresh`. */
  current: () => Promise<readonly Tool[]>;
  /** Reloads the custom tools. Resolves to an empty list if they cannot be read. Never rejects. */
  refresh: () => Promise<readonly Tool[]>;
  checkJson: Workbench['checkJson'];
}

export function createCustomToolRuntime(parts: {
  sandbox: Sandbox;
  startChecker: () => Worker;
  egress: Egress;
  kept: Pick<CustomToolStore, 'list' | 'secretOf'>;
  takenNames: readonly string[];
  otherNames: () => Promise<readonly string[]>;
  permission: () => Interceptor;
}): CustomToolRuntime {
  const { sandbox, startChecker, egress, kept, takenNames, otherNames, permission } = parts;
  const workbench = loadOnce(async () => {
    const { createWorkbench } = await import('../tools/custom/workbench');
    return createWorkbench({
      sandbox,
      startChecker,
      egress,
      secretOf: kept.secretOf,
      limits: createRateLimits(() => performance.now()),
    });
  });

  let current: Promise<readonly Tool[]> | undefined;
  const readAll = async (): Promise<readonly Tool[]> => {
    const { tools } = await kept.list();
    if (!tools.some(({ isOn }) => isOn)) return [];
    return (await workbench.load()).toTools(tools, takenNames);
  };
  const refresh = () => (current = readAll().catch(() => []));

  const ask = (tool: Tool, input: Record<string, unknown>, signal: AbortSignal) => {
    const call = { type: 'tool-call' as const, id: crypto.randomUUID(), name: tool.name, arguments: input };
    const context = { signal, emit: () => undefined, messages: [], promptOrigins: [] };
    return permission().before?.(call, { ...context, tool, effects: tool.effects(input) });
  };

  return {
    refresh,
    current: () => current ?? refresh(),

    async check(toolId, content, signal) {
      const [{ check }, { tools }, names] = await Promise.all([workbench.load(), kept.list(), otherNames()]);
      const others = tools.filter(({ id }) => id !== toolId).map((tool) => tool.content.name);
      return check(content, [...takenNames, ...others, ...names], signal);
    },

    readFile: async (file) => (await workbench.load()).readFile(file),
    checkJson: async (...check) => (await workbench.load()).checkJson(...check),

    async run({ toolId, content, input }, { signal, onLog }) {
      try {
        const { toTool, run } = await workbench.load();
        const tool = await toTool(toolId, content);
        // Do not ask about an invalid tool. The run below reports the problem.
        const verdict = tool && (await ask(tool, input, signal));
        if (typeof verdict === 'object' && 'block' in verdict)
          return createRefusedResult('DENIED', verdict.block);
        return await run(toolId, content, input, { signal, onLog });
      } catch (error) {
        if (signal.aborted) return createRefusedResult('CANCELLED', 'Stopped');
        const message = `It could not be started. Reload the page, and try again. ${String(error)}`;
        return createRefusedResult('PROTOCOL', message);
      }
    },
  };
}

function createRefusedResult(failure: 'DENIED' | 'CANCELLED' | 'PROTOCOL', message: string): SandboxResult {
  return { ok: false, failure, message, logs: [], ms: 0 };
}

export type PersonaAccess = ReturnType<typeof createPersonaAccess>;

/** Offers personas as tools. `serverOf` returns the server that runs a model, or undefined if this device runs it. */
export function createPersonaAccess(
  kept: Pick<PersonaStore, 'list'>,
  serverOf: (modelId: string) => AgentServer | undefined = () => undefined,
) {
  const personas = new WeakMap<Tool, Persona>();
  const list = async () => (await kept.list().catch(() => ({ personas: [] }))).personas;

  return {
    async find(id: string | undefined) {
      return id === undefined ? undefined : (await list()).find((persona) => persona.id === id);
    },
    /** Lists personas that are offered as tools, except those whose name is taken. */
    async tools(takenNames: readonly string[]): Promise<readonly Tool[]> {
      const taken = new Set(takenNames);
      return (await list()).flatMap((persona) => {
        if (!persona.content.isTool) return [];
        const { model } = persona.content;
        const tool = createAgentTool(persona, model ? serverOf(model.id) : undefined);
        if (tool.name === '' || taken.has(tool.name)) return [];
        taken.add(tool.name);
        personas.set(tool, persona);
        return [tool];
      });
    },
    personaOf: (tool: Tool) => personas.get(tool),
  };
}

export function filterAllowedTools<Offered extends Pick<Tool, 'name'>>(
  content: Pick<PersonaContent, 'tools'> | undefined,
  tools: readonly Offered[],
): readonly Offered[] {
  if (!content || content.tools === 'all') return tools;
  const names = new Set(content.tools);
  return tools.filter(({ name }) => names.has(name));
}

/** A sub-agent never loads a model. The persona's model answers only if it is loaded already or runs on a server. */
export function toSubAgent(
  { id, content }: Persona,
  runningId: string,
  isThere: (model: ModelName) => boolean,
): SubAgent {
  const { name, model, inputSchema, outputSchema } = content;
  return {
    id,
    title: name,
    inputSchema,
    outputSchema,
    ...(model && model.id !== runningId && { model, ...(isThere(model) && { answeredBy: model }) }),
  };
}

interface McpAccessOptions extends Omit<McpRuntimeOptions, 'kept'> {
  store: Promise<{ mcpServers: McpServerStore }>;
  allowedAddresses: () => readonly string[];
}

/** Access to MCP servers. Their code loads when there is a server or a screen needs it. */
export function createMcpAccess(parts: McpAccessOptions) {
  const runtime = loadOnce(async () => {
    const [{ createMcpRuntime }, { createMcpFunctions }, { Servers }] = await Promise.all([
      import('./mcp-runtime'),
      import('./mcp-functions'),
      import('../state/servers.svelte'),
    ]);
    const made = createMcpRuntime({ ...parts, kept: (await parts.store).mcpServers });
    await made.begin();
    window.addEventListener('online', made.wake);
    return { ...made, servers: new Servers(createMcpFunctions({ ...parts, runtime: made })) };
  });
  const isAny = loadOnce(async () => {
    const { servers, damaged } = await (await parts.store).mcpServers.list();
    return servers.length + damaged.length > 0;
  });

  /** Resolves to undefined if there are no servers and no screen has needed them. */
  const whereAny = async () => (runtime.begun || (await isAny.load()) ? runtime.load() : undefined);
  const begun = () => whereAny().catch(() => undefined);
  /** Reads an attachment from an MCP server and marks its text as coming from there. Rejects only with the signal's reason. */
  const readAttached: ReadAttachedResource = async ({ serverId, uri }, context) => {
    const live = (await begun())?.find(serverId);
    if (!live) {
      const text = 'The server is gone: the person has removed it. Answer without it, and say so.';
      return createFailedOutput('server-away', text);
    }
    const output = await live.connection.read(uri, context);
    return { ...output, origins: [{ door: 'resource', name: new URL(live.server.url).host, serverId }] };
  };
  return {
    load: async () => (await runtime.load()).servers,
    /** Returns the tools that can be offered now. Empty if the stored servers cannot be read. Never rejects. */
    tools: async () => (await begun())?.tools() ?? [],
    readAttached,
    names: async () => (await begun())?.names() ?? [],
  };
}
