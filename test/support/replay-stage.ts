/** A chat whose turns run as in the app, on an engine whose reply depends only on the prompt. */
import { createCallRules, createPersonaAccess } from '../../src/app/turn-tools';
import { runTurn } from '../../src/app/run-turn';
import type { GenerateRequest, PromptMessage, TextEngine } from '../../src/contracts/model';
import type { ApprovalAnswer, ApprovalRequest, Grant } from '../../src/contracts/permission';
import type { Tool, ToolEffects } from '../../src/contracts/tool';
import { createChatModel } from '../../src/protocol/chat-model';
import { personaContent } from './persona';
import { PlainChat } from './plain-chat';
import { tool } from './tools';
import { noFallback, stageTurn } from './turn-stage';
import { small } from './web-llm-model';
import { createMemoryStore } from '../../src/store/open-store';
import { InsertedTexts } from '../../src/state/inserted-texts';

/** Replies by question, one per round. */
export type Script = Readonly<Record<string, readonly string[]>>;

interface StageOptions {
  script: Script;
  /** The format of calls and prompts. With `native`, the engine receives the ids of calls. */
  format: string;
  answer: (request: ApprovalRequest) => ApprovalAnswer;
  /** Each tool's effects and result. */
  tools: Readonly<Record<string, { effects: ToolEffects; run: (input: unknown) => string }>>;
  /** Names of personas that are offered as tools, also to each other. */
  agents: readonly string[];
}

export function stageReplay({ script, format, answer, tools: given, agents }: StageOptions) {
  let ids = 0;
  const newId = () => `id-${ids++}-unique`;
  let at = 1_000_000;
  /** Time in milliseconds. No two calls return the same. */
  const date = () => (at += 5);
  const ran: string[] = [];
  const asked: string[] = [];
  const requests: GenerateRequest[] = [];

  const engine: TextEngine = {
    load: async () => undefined,
    async *generate(request) {
      requests.push(request);
      const text = replyTo(request.messages, script);
      yield { type: 'text-delta', text };
      const usage = { promptTokens: 10, prefilledTokens: 2, outputTokens: 3 };
      yield { type: 'finish', finishReason: 'stop', usage, prompt: JSON.stringify(request.messages) };
    },
    count: async (messages) => messages.map(({ content }) => Math.ceil(content.length / 4)),
  };
  const spec = { ...small, format, sampling: { temperature: 0 } };
  const model = createChatModel(engine, spec, newId);

  const own = Object.entries(given).map(([name, { effects, run }]): Tool => ({
    ...tool(name, async (_signal, input) => {
      ran.push(`${name} ${JSON.stringify(input)}`);
      return run(input);
    }),
    inputSchema: { type: 'object' },
    effects: () => effects,
  }));
  const grants: Grant[] = [];
  const rules = createCallRules({
    ask: async (request) => {
      asked.push(`${request.call.name} ${JSON.stringify(request.call.arguments)}`);
      return answer(request);
    },
    grants: { list: async () => grants, add: async (grant) => void grants.push(grant) },
    isOnline: () => true,
    refuse: () => undefined,
    recordCall: () => undefined,
    newId,
    date,
    now: () => at,
  });
  const personas = createPersonaAccess({
    list: async () => ({
      personas: agents.map((name) => ({
        id: name,
        createdAt: 1,
        updatedAt: 1,
        content: personaContent(name, {
          isTool: true,
          tools: ['sum', 'lamp', ...agents.map((one) => one.toLowerCase())],
        }),
      })),
      damaged: [],
    }),
  });
  const { parts } = stageTurn({
    fallbacks: {
      specFor: async () => spec,
      untold: () => undefined,
      forTurn: () => noFallback,
    },
    host: { ...model, spec, hold: async () => () => undefined },
    toolsFor: async () => [...own, ...(await personas.tools([]))],
    rulesFor: rules.inChat,
    personas,
    date,
    newId,
  });

  const { chats: kept, bin } = createMemoryStore(Date.now);
  const chat = new PlainChat(
    {
      run: (history, options) =>
        runTurn(
          history,
          { ...options, model: { id: 'small', name: 'Small' }, rounds: 8, isCancelled: () => false },
          parts,
        ),
      currentModel: () => ({ id: 'small', engine: 'scripted' }),
      chats: kept,
      drafts: { save: async () => undefined },
      onRunning: () => undefined,
      inserted: new InsertedTexts(),
      nextTask: async () => undefined,
      onUsage: () => undefined,
      lockTurn: async () => () => undefined,
      now: () => at,
      newId,
      date,
    },
    { id: 'chat' },
  );
  const replaying = { loadPrompt: kept.loadPrompt, newId };
  return {
    chat,
    kept,
    bin,
    ran,
    asked,
    requests,
    grants,
    replaying,
    options: () => ({ ...replaying, agents: chat.agents }),
  };
}

/** Returns the scripted reply to the newest question, by the number of replies that it already has. */
function replyTo(messages: readonly PromptMessage[], script: Script): string {
  // An agent's request ends with how often it may call tools.
  const texts = messages.map(({ role, content }) => ({
    role,
    content: content.split('\n(You can')[0] ?? '',
  }));
  const question = texts.findLastIndex(({ role, content }) => role === 'user' && content in script);
  const round = texts.slice(question + 1).filter(({ role }) => role === 'assistant').length;
  const reply = script[texts[question]?.content ?? '']?.[round];
  if (reply === undefined)
    throw new Error(`No reply is told for round ${round} of ${texts[question]?.content}`);
  return reply;
}
