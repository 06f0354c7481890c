/** Honest turns ask no more questions than before the permission rules weighed composed text. */
import { expect, test } from 'vitest';
import type { Message, ToolCall, ToolResult } from '../../../../src/contracts/message';
import type { Grant } from '../../../../src/contracts/permission';
import type { Tool, ToolEffects } from '../../../../src/contracts/tool';
import type { Origin } from '../../../../src/contracts/origin';
import { createPermissionGate } from '../../../../src/tools/permissions/permission';
import { stepOf } from '../../../support/tools';
import { everydayTurns, type EverydayTurn, serverTurns } from '../../../fixtures/everyday-turns';

const provider = { id: 'wikipedia', name: 'Wikipedia', host: 'en.wikipedia.org' };
const text = { type: 'string' };
const tool = (name: string, properties: object, effects: (input: never) => ToolEffects): Tool => ({
  name,
  title: name,
  description: '',
  inputSchema: { type: 'object', properties },
  effects: (input) => effects(input as never),
  execute: () => Promise.reject(new Error('It is not run here.')),
});
const tools = [
  tool('fetch_page', { url: text }, ({ url }: { url: string }) => ({ type: 'net-read', urls: [url] })),
  tool('web_search', { query: text }, ({ query }: { query: string }) => ({
    type: 'search',
    query,
    providers: [provider],
  })),
  tool(
    'weather',
    {
      city: text,
      day: { ...text, enum: ['today', 'tomorrow'] },
      date: text,
      days: { type: 'integer' },
      unit: { ...text, enum: ['celsius', 'fahrenheit'] },
    },
    () => ({ type: 'net-hosts', hosts: ['api.weather.example'] }),
  ),
  tool('currency', { amount: { type: 'number' }, from: text, to: text }, () => ({
    type: 'net-hosts',
    hosts: ['api.currency.example'],
  })),
  tool('note', { text }, () => ({ type: 'side-effect' })),
  tool('search_docs', { query: text }, () => ({
    type: 'remote',
    server: 'Docs',
    serverId: 's1',
    host: 'docs.example',
  })),
  tool('list_issues', { project: text, state: { ...text, enum: ['open', 'closed'] } }, () => ({
    type: 'remote',
    server: 'Tracker',
    serverId: 's2',
    host: 'tracker.example',
  })),
];

async function questionsIn(
  { allowed = [], answer = 'once', turns }: EverydayTurn,
  promptOrigins: readonly Origin[] = [],
): Promise<number> {
  let asked = 0;
  const grants: Grant[] = allowed.map((one) => {
    const [name = '', target = ''] = one.split(' ');
    return { id: one, tool: name, revision: '', target, chatId: null, createdAt: 0 };
  });
  const permissions = createPermissionGate({
    ask({ offers }) {
      asked += 1;
      return Promise.resolve(answer !== 'once' && offers.includes(answer) ? answer : 'once');
    },
    grants: { list: async () => grants, add: async (grant) => void grants.push(grant) },
    newId: () => `${asked}`,
    date: () => 0,
  });
  const messages: Message[] = [];
  let count = 0;
  for (const { says, steps } of turns) {
    messages.push({ role: 'user', content: [{ type: 'text', text: says }], origins: [{ door: 'typed' }] });
    const around = permissions.forTurn('chat');
    for (const { calls } of steps) {
      const before = [...messages];
      const content: ToolCall[] = [];
      const results: ToolResult[] = [];
      for (const { tool: name, input, gives, from, isError = false } of calls) {
        const call: ToolCall = { type: 'tool-call', id: `c${count++}`, name, arguments: input };
        const called = tools.find((tool) => tool.name === name)!;
        const step = stepOf(called, input, { messages: before, promptOrigins });
        expect(await around.before(call, step)).toBe('go');
        const { effects } = step;
        const door =
          effects.type === 'remote'
            ? { door: 'server' as const, serverId: effects.serverId }
            : { door: 'page' as const };
        const output = {
          content: [{ type: 'text' as const, text: gives }],
          isError,
          origins: from ? from.map((name) => ({ ...door, name })) : [{ door: 'hearth' as const }],
        };
        results.push({
          toolCallId: call.id,
          toolName: name,
          ...(await around.after(call, output)),
        });
        content.push(call);
      }
      messages.push({ role: 'assistant', content, finishReason: 'tool-calls' }, { role: 'tool', results });
    }
  }
  return asked;
}

test('twenty everyday chat turns are checked for unnecessary permission questions', () => {
  expect(everydayTurns).toHaveLength(20);
});

test.for(everydayTurns.map((turn) => [turn.name, turn] as const))(
  'an everyday turn asks only the expected permission questions: %s',
  async ([, turn]) => {
    expect(await questionsIn(turn)).toBe(turn.before);
  },
);

const descriptions: readonly Origin[] = [
  { door: 'tool-description', name: 'docs.example', serverId: 's1' },
  { door: 'tool-description', name: 'tracker.example', serverId: 's2' },
];

test.for(serverTurns.map((turn) => [turn.name, turn] as const))(
  'an everyday turn with two servers switched on asks only the expected permission questions: %s',
  async ([, turn]) => {
    expect([await questionsIn(turn), await questionsIn(turn, descriptions)]).toEqual([turn.before, turn.now]);
  },
);
