/** One turn that calls agents, driven through the protocol as the agent loop drives it. Measures what each round of the outer turn had to read. */
import type { Message } from '../../src/contracts/message';
import type { ChatModel, ModelSpec, TextEngine, Usage } from '../../src/contracts/model';
import type { ToolSpec } from '../../src/contracts/tool';
import { createChatModel } from '../../src/protocol/chat-model';

const never = new AbortController().signal;
const request = { type: 'object', properties: { request: { type: 'string' } }, required: ['request'] };
const agent = (name: string, description: string): ToolSpec => ({
  name,
  title: name,
  description,
  inputSchema: { ...request, additionalProperties: false },
});
const agents = [
  agent('writer', 'Writes a short text about what it is asked for, in plain words.'),
  agent('translator', 'Translates a text into another language and keeps its tone.'),
  agent('summariser', 'Says in three sentences what a text says.'),
];
const persona = (who: string, what: string): Message => ({
  role: 'system',
  content: `You are ${who}. ${what} You say what you did in a sentence or two, you never make anything up, and where you are not sure you say so. You write in the language of the request, without headings and without lists, as one would in a letter to a friend who knows nothing of the matter and has little time.`,
});
const user = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});

/** Returns the result of an agent, always the same text, so that all scenarios have the same outer prompt. */
const result = (toolCallId: string, toolName: string, at: number): Message => {
  const text = `Result ${at}: ${'The days grow longer, the river carries the snow away, and the first leaves are out. '.repeat(3)}`;
  return {
    role: 'tool',
    nonce: `n0nce${at}`,
    results: [
      {
        toolCallId,
        toolName,
        content: [{ type: 'text', text }],
        isError: false,
        origins: [{ door: 'hearth' }],
      },
    ],
  };
};

/** `between`: the number of agents that run after each round of the outer turn. */
export const scenarios = [
  { name: 'one agent', between: [1] },
  { name: 'three, called in one reply', between: [3] },
  { name: 'three, one after the other', between: [1, 1, 1] },
];

export interface Measured {
  /** Tokens in the prompts of all outer rounds after the first. */
  prompt: number;
  prefilled: number;
  /** Tokens of the same prompts that a turn without agents has to read. */
  fresh: number;
  /** Milliseconds from the end of the last agent to the first token, summed over these rounds. */
  waitMs: number;
  /** The engine's codes for why it read a prompt again. */
  reasons: string[];
}

export interface Loaded {
  engine: TextEngine;
  spec: ModelSpec;
}

/** `load` returns an engine without any history, because its cache must not help the next scenario. */
export async function measure(load: () => Promise<Loaded>, between: readonly number[]): Promise<Measured> {
  const alone = await runTurn(
    await load(),
    Array.from(between, () => 0),
  );
  const shared = await runTurn(await load(), between);
  const total = (rounds: readonly Usage[], of: (usage: Usage) => number) =>
    rounds.reduce((sum, usage) => sum + of(usage), 0);
  const prompt = total(shared, ({ promptTokens }) => promptTokens);
  if (prompt !== total(alone, ({ promptTokens }) => promptTokens)) throw new Error('Another prompt.');
  return {
    prompt,
    prefilled: total(shared, ({ prefilledTokens }) => prefilledTokens),
    fresh: total(alone, ({ prefilledTokens }) => prefilledTokens),
    waitMs: total(shared, ({ firstTokenMs = 0 }) => firstTokenMs),
    reasons: shared.flatMap(({ prefillReason }) => prefillReason?.code ?? []),
  };
}

async function runTurn({ engine, spec }: Loaded, between: readonly number[]): Promise<Usage[]> {
  let ids = 0;
  const model = createChatModel(engine, spec, () => `id${ids++}`);
  const outer: Message[] = [
    persona('the host of a small magazine', 'You let others write, translate and shorten, and join it.'),
    user('I need a few lines about the spring for the cover of the next issue.'),
  ];
  const usages: Usage[] = [];
  for (const [at, count] of between.entries()) {
    const { name } = agents[at % agents.length] ?? { name: 'writer' };
    const { message, usage } = await ask(model, { messages: outer, tools: agents, toolChoice: { name } });
    usages.push(usage);
    for (let sub = 0; sub < count; sub++) await runAgent(model, at + sub);
    outer.push(message, result(`id${ids}`, name, at));
  }
  usages.push((await ask(model, { messages: outer, tools: agents, toolChoice: 'none' })).usage);
  return usages.slice(1);
}

/** Runs a separate conversation: instructions, a request and an answer. */
async function runAgent(model: ChatModel, at: number): Promise<void> {
  const { name = '', description = '' } = agents[at % agents.length] ?? {};
  const messages = [persona(`the ${name}`, description), user(`Line ${at}: a few words about the spring.`)];
  await ask(model, { messages, tools: [], toolChoice: 'none' });
}

async function ask(model: ChatModel, asked: Parameters<ChatModel['respond']>[0]) {
  for await (const event of model.respond({ ...asked, messages: [...asked.messages] }, never)) {
    if (event.type !== 'finish') continue;
    const { message } = event;
    if (message.finishReason === 'error') throw new Error(message.errorMessage);
    return event;
  }
  throw new Error('no finish');
}
