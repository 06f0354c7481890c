/** Runs a turn whose tools are agents, each with its own script. */
import { runAgent, type RunOptions } from '../../src/agent/run-agent';
import { createSubAgentInterceptor, type SubAgent, type SubAgentOptions } from '../../src/agent/sub-agents';
import { createTurnCounts } from '../../src/agent/turn-guard';
import type { AgentEvent, AgentRequest, Interceptor } from '../../src/contracts/turn';
import type { AssistantMessage, Message, ToolCall } from '../../src/contracts/message';
import type { Tool } from '../../src/contracts/tool';
import { collect } from './collect';
import { findPartsHere } from './find-parts';
import { scriptedModel } from './scripted-model';
import { tool } from './tools';

export const text = (text: string) => ({ type: 'text' as const, text });
export const asks = (words: string): Message => ({
  role: 'user',
  content: [text(words)],
  origins: [{ door: 'typed' }],
});
export const call = (name: string, input: ToolCall['arguments'], id = `of-${name}`): ToolCall => ({
  type: 'tool-call',
  id,
  name,
  arguments: input,
});
export const request = (name: string, words = 'Do it', id?: string) => call(name, { request: words }, id);

export const agentTool = (name: string): Tool => ({
  ...tool(name, async () => 'never run'),
  effects: () => ({ type: 'agent' }),
});

type Reply = AssistantMessage['content'] | Error;

interface Stage {
  /** Replies by agent name, turn by turn. The chat itself has the name ''. */
  replies: Record<string, Reply[]>;
  agents?: Record<string, Partial<SubAgent>>;
  /** Tools by agent name. The chat itself has all agents and `tools`. */
  toolsOf?: Record<string, Tool[]>;
  interceptors?: Interceptor[];
  limits?: Partial<RunOptions['limits']>;
  history?: Message[];
  histories?: Record<string, Message[]>;
  chatPersona?: string;
  signal?: AbortSignal;
}

export async function runWithAgents(stage: Stage) {
  const { replies, agents = {}, toolsOf = {}, interceptors = [], histories = {} } = stage;
  const models = Object.fromEntries(
    Object.entries(replies).map(([name, said]) => [name, scriptedModel(...said)]),
  );
  const tools = Object.keys(agents).map(agentTool);
  const counts = createTurnCounts();
  const shared = {
    limits: {
      rounds: 12,
      calls: 20,
      callMs: 1000,
      longestCallMs: 5000,
      secondChances: 2,
      resultCharacters: 2000,
      ...stage.limits,
    },
    recover: async () => undefined,
    promptOrigins: [],
    date: () => 1,
    newNonce: () => 'nonce',
    storeWholeText: async () => ({ id: 'whole' }),
    findParts: findPartsHere,
  };
  const modelOf = (name: string) => models[name] ?? scriptedModel();
  const parts: SubAgentOptions = {
    counts,
    agentOf: ({ name }) => (name in agents ? { id: name, title: name, ...agents[name] } : undefined),
    historyOf: (id) => histories[id],
    replayOf: () => undefined,
    async checkJson(schema, json) {
      const { required = [] } = schema as { required?: string[] };
      const value = JSON.parse(json) as object;
      const missing = required.find((field) => !(field in value));
      return missing ? { ok: false, reason: `${missing}: is missing` } : { ok: true, value: json };
    },
    begin: async (agent, _history, _line, inner) => ({
      ...shared,
      model: modelOf(agent.id),
      constrainedModel: modelOf(`${agent.id} held`),
      tools: { tools: toolsOf[agent.id] ?? [], interceptors: [...interceptors, inner] },
    }),
  };
  const ids = stage.chatPersona === undefined ? [] : [stage.chatPersona];
  const { items, result } = await collect(
    runAgent(stage.history ?? [asks('Go')], {
      ...shared,
      model: modelOf(''),
      tools: {
        tools: toolsOf[''] ?? tools,
        interceptors: [...interceptors, createSubAgentInterceptor(parts, { ids, depth: 0 })],
      },
      signal: stage.signal ?? new AbortController().signal,
      within: { counts },
    }),
  );
  const results = result.flatMap((message) => (message.role === 'tool' ? message.results : []));
  return { items, result, results, models, counts };
}

export const said = (results: { content: readonly { type: string }[] }[]) =>
  results.map(({ content }) => content.map((part) => ('text' in part ? part.text : '')).join());

/** Events of the agent that a call started, without those of agents that it called itself. */
export const eventsOf = (items: readonly AgentEvent[], callId: string): (AgentEvent | AgentRequest)[] =>
  items.flatMap((event) =>
    event.type === 'agent-event' && event.toolCallId === callId ? [event.event] : [],
  );
