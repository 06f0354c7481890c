/** Checks that each round reads only new tokens after tool searches, on web-llm's own code with 300 tools. */
import { describe, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run-agent';
import { createToolOffers } from '../../src/app/tool-offers';
import { type AgentEvent, defaultAgentLimits } from '../../src/contracts/turn';
import type { Message } from '../../src/contracts/message';
import { Settings } from '../../src/contracts/settings';
import type { Tool } from '../../src/contracts/tool';
import { createChatModel } from '../../src/protocol/chat-model';
import { dialectOf } from '../../src/protocol/dialects';
import { collect } from '../support/collect';
import { findPartsHere } from '../support/find-parts';
import { loadOnFakeGpu } from '../support/load-web-llm';
import { makeTokenizer } from '../support/make-tokenizer';
import { createPipeline } from '../../src/contracts/pipeline';

const tool = (name: string, description: string): Tool => ({
  name,
  title: name,
  description,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  effects: () => ({ type: 'pure' }),
  execute: async () => ({
    content: [{ type: 'text', text: `${name} is done.` }],
    isError: false,
    origins: [{ door: 'hearth' }],
  }),
});
const verbs = ['list', 'find', 'share', 'archive', 'export', 'print', 'approve', 'reject', 'copy', 'count'];
const things = Array.from({ length: 30 }, (_, at) => `things${at}`);
const tools = [
  ...verbs.flatMap((verb) => things.map((thing) => tool(`${verb}_${thing}`, `To ${verb} the ${thing}.`))),
  tool('weather_forecast', 'The weather in a place, today and tomorrow.'),
  tool('post_letter', 'Posts a letter or an email to somebody.'),
];

const hermes = dialectOf('hermes');
const write = (name: string, given: Record<string, string>) => hermes.writeCall({ name, arguments: given });
const find = (query: string) => write('find_tools', { query });
const run = (name: string) => write(name, { text: 'Oslo' });
const asked: Message = {
  role: 'user',
  content: [{ type: 'text', text: 'Do it.' }],
  origins: [{ door: 'typed' }],
};

/** Runs turns, each given as a list of replies. Returns for each round the ratio of tokens read to tokens that were new. */
async function ratiosOf(...turns: string[][]) {
  const { engine, spec, gpu } = await loadOnFakeGpu(
    turns.flat(),
    { contextTokens: 16_384 },
    makeTokenizer(1024),
  );
  let ids = 0;
  const chatModel = createChatModel(engine, spec, () => `id${ids++}`);
  const offers = createToolOffers({
    readTools: async () => tools,
    kept: { load: async () => undefined, save: async () => undefined },
    loadResult: async () => undefined,
    settings: () => Settings.parse({}),
    openEmbedder: () => {
      throw new Error('Nobody wants vectors here.');
    },
    pinnedAtFirst: new Set(),
    spec: () => spec,
    isSmall: () => false,
  });
  const history: Message[] = [];
  const events: AgentEvent[] = [];
  let offer;
  for (let turn = 0; turn < turns.length; turn++) {
    history.push(asked);
    const wishes = { toolSearch: undefined, toolOffer: offer };
    const { stage, tools: callable } = await offers.forTurn({ on: tools, history, wishes });
    const model = createPipeline(chatModel, [stage]);
    const { items, result } = await collect(
      runAgent(history, {
        model,
        promptOrigins: [],
        recover: async () => undefined,
        tools: { tools: callable, interceptors: [] },
        limits: defaultAgentLimits,
        signal: new AbortController().signal,
        date: () => 5,
        newNonce: () => 'n0nce',
        storeWholeText: async () => ({ id: 'whole' }),
        findParts: findPartsHere,
      }),
    );
    events.push(...items);
    offer = items.flatMap((event) => (event.type === 'tool-offer' ? [event.offer] : [])).at(-1) ?? offer;
    history.push(...result);
  }
  const usages = events.flatMap((event) =>
    event.type === 'message-end' && event.message.role === 'assistant' && event.usage ? [event.usage] : [],
  );
  const prefilled = usages.reduce((sum, usage) => sum + usage.prefilledTokens, 0);
  // The token that ends a reply is counted, but never cached.
  const written = usages.reduce((sum, usage) => sum + usage.outputTokens - 1, 0);
  const results = history.flatMap((message) =>
    message.role === 'tool' ? message.results.map(({ content }) => JSON.stringify(content)) : [],
  );
  return {
    rounds: usages.length,
    ratio: prefilled / (gpu.cache.length - written),
    reasons: usages.flatMap(({ prefillReason }) => prefillReason ?? []),
    results: results.join('\n'),
  };
}

describe('the engine in a chat with tool searches', () => {
  test.for<{ name: string; turns: string[][]; rounds: number; says: string }>([
    {
      name: 'one search and a call of the found tool',
      turns: [[find('weather'), run('weather_forecast'), 'It rains.']],
      rounds: 3,
      says: 'weather_forecast is done.',
    },
    {
      name: 'two searches in one reply and their calls',
      turns: [
        [
          `${find('weather')}\n${find('email')}`,
          `${run('weather_forecast')}\n${run('post_letter')}`,
          'Done.',
        ],
      ],
      rounds: 3,
      says: 'post_letter is done.',
    },
    {
      name: 'a search with a typing error and one without results',
      turns: [[find('wether'), find('qqqqq'), 'None.']],
      rounds: 3,
      says: 'No tool found',
    },
    {
      name: 'a fourth search',
      turns: [[find('qqqqq'), find('mail'), find('weather'), find('things3'), 'So be it.']],
      rounds: 5,
      says: 'Not searched',
    },
    {
      name: 'a call of a tool found in the previous turn',
      turns: [
        [find('weather'), 'Found.'],
        [run('weather_forecast'), 'It rains.'],
      ],
      rounds: 4,
      says: 'weather_forecast is done.',
    },
    {
      name: 'a call of a guessed name',
      turns: [[run('postLetter'), 'Sent.']],
      rounds: 2,
      says: 'post_letter is done.',
    },
  ])('reads only the new tokens of each prompt: $name', async ({ turns, rounds, says }) => {
    const read = await ratiosOf(...turns);
    expect(read.results).toContain(says);
    expect(read).toMatchObject({ rounds, ratio: 1, reasons: [] });
  });
});
