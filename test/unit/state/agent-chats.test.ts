/** Sub-agents in the chat that called them: how they are stored, shown and continued. */
import { describe, expect, test } from 'vitest';
import type { AgentEvent, AgentRequest } from '../../../src/contracts/turn';
import { messagesOf, toAgentView } from '../../../src/state/turns';
import { ChatSession } from '../../../src/state/chat-session.svelte';
import { PlainChat } from '../../support/plain-chat';
import { handed, reply, text } from '../../support/recorded-chat';
import { answer, chatRecord, question } from '../../support/stored-chat';

const start = (toolCallId: string): AgentEvent => ({
  type: 'agent-start',
  toolCallId,
  agent: { title: 'Writer' },
});
const of = (toolCallId: string, event: AgentEvent | AgentRequest): AgentEvent => ({
  type: 'agent-event',
  toolCallId,
  event,
});
const asked: AgentRequest = {
  type: 'agent-request',
  message: { role: 'user', content: [text('An ode')], origins: [{ door: 'model' }] },
};
const turn = (callId: string, ...events: AgentEvent[]) =>
  [
    { type: 'turn-start' as const, promptOrigins: [] },
    ...events,
    { type: 'turn-end' as const, reason: 'answered' as const },
  ].map((event) => of(callId, event));
const says = (words: string): AgentEvent[] => [
  { type: 'text-delta', text: words },
  { type: 'message-end', message: reply(text(words)) },
];

const call = { type: 'tool-call' as const, id: 'call', name: 'writer', arguments: { request: 'An ode' } };

test('invariant: a sub-agent’s work is saved in a chat of its own before its call is answered', async () => {
  const { functions, writes } = handed(async function* () {
    yield { type: 'message-end', message: reply(call) };
    yield start('call');
    yield of('call', asked);
    yield* turn('call', ...says('O spring!'));
    const results = [
      {
        toolCallId: 'call',
        toolName: 'writer',
        content: [text('O spring!')],
        isError: false,
        origins: [{ door: 'agent' as const, name: 'Writer' }],
      },
    ];
    yield { type: 'message-end', message: { role: 'tool', results } };
    yield { type: 'turn-end', reason: 'answered' };
    return [];
  });
  const chat = new PlainChat(functions, { id: 'chat' });
  await chat.send('Hi');
  const agent = chat.agents.get('call');
  expect(agent?.branch.map(({ message }) => message.role)).toEqual(['user', 'assistant']);
  expect(agent).toMatchObject({ isRunning: false, reply: undefined });
  expect(writes.map((write) => write.replace(/id\d+/g, 'id'))).toEqual([
    'create Hi',
    'save id under null: user',
    'save id under id: assistant',
    'create Writer',
    'save id under null: user',
    'delta id: 1',
    'save id under id: assistant',
    'end id answered',
    'save id under id: tool',
    'end id answered',
  ]);
  expect(toAgentView({ branch: agent!.branch, reply: undefined, settings: {} }).parts).toMatchObject([
    { type: 'text', text: 'O spring!' },
  ]);
});

test("a sub-agent that runs on a server shows the server's model, and its tokens do not count for the chat's own model", async () => {
  const model = { id: 'mine', name: 'Mine', engine: 'endpoint', bytes: 0 };
  const usages: unknown[] = [];
  const usage = { promptTokens: 9, prefilledTokens: 9, outputTokens: 3 };
  const by = (toolCallId: string, answeredBy?: typeof model): AgentEvent => ({
    type: 'agent-start',
    toolCallId,
    agent: { title: 'Writer', model, ...(answeredBy && { answeredBy }) },
  });
  const answers = (id: string) => turn(id, { type: 'message-end', message: reply(text('O spring!')), usage });
  const { functions } = handed(async function* () {
    yield by('server', model);
    yield* answers('server');
    yield by('running');
    yield* answers('running');
    yield { type: 'turn-end', reason: 'answered' };
    return [];
  });
  const chat = new PlainChat({ ...functions, onUsage: (used) => usages.push(used) }, { id: 'chat' });
  await chat.send('Hi');
  const viewOf = (id: string) =>
    toAgentView({ branch: chat.agents.get(id)!.branch, reply: undefined, settings: { model } });
  expect(viewOf('server').model).toEqual(model);
  expect(viewOf('running').model).toBeUndefined();
  expect(usages).toEqual([usage]);
});

test("a sub-agent called by another sub-agent belongs to the user's chat", async () => {
  const { functions } = handed(async function* () {
    yield start('outer');
    yield of('outer', asked);
    yield* turn(
      'outer',
      start('inner'),
      of('inner', asked),
      ...turn('inner', ...says('Deep')),
      ...says('So it is'),
    );
    yield { type: 'turn-end', reason: 'answered' };
    return [];
  });
  const chat = new PlainChat(functions, { id: 'chat' });
  await chat.send('Hi');
  expect([...chat.agents.keys()]).toEqual(['outer', 'inner']);
  expect(
    messagesOf(
      new Map(
        [...chat.agents].map(([id, agent]) => [id, { branch: agent.branch, reply: undefined, settings: {} }]),
      ),
    ),
  ).toMatchObject([
    { role: 'assistant', content: [text('So it is')] },
    { role: 'assistant', content: [text('Deep')] },
  ]);
});

test('an interrupted sub-agent keeps the text written so far', async () => {
  const { functions, writes } = handed(async function* () {
    yield start('call');
    yield of('call', asked);
    yield of('call', { type: 'turn-start', promptOrigins: [] });
    yield of('call', { type: 'text-delta', text: 'Half a' });
    throw new Error('gone');
  });
  const chat = new PlainChat(functions, { id: 'chat' });
  await expect(chat.send('Hi')).rejects.toThrow('gone');
  expect(chat.agents.get('call')).toMatchObject({ isRunning: false, reply: undefined });
  expect(writes.filter((write) => write.startsWith('delta'))).toHaveLength(1);
});

describe('reopening a chat with sub-agents', () => {
  const stored = {
    chat: chatRecord('chat', { leafId: 'q' }),
    nodes: [question('q', null)],
  };
  const agent = {
    chat: chatRecord('inner', { leafId: 'inner-a', agentOf: { chatId: 'chat', callId: 'call' } }),
    nodes: [question('inner-q', null, 'An ode', 'inner'), answer('inner-a', 'inner-q', 'O spring!', 'inner')],
  };

  test('restores the sub-agents, and the next turn continues their work', async () => {
    let known: unknown;
    const { functions } = handed(async function* (_history, { agentHistory }) {
      known = agentHistory('call')?.map(({ role }) => role);
      expect(agentHistory('other')).toBeUndefined();
      yield start('call');
      yield* turn('call', ...says('More'));
      yield { type: 'turn-end', reason: 'answered' };
      return [];
    });
    const running: boolean[] = [];
    const session = new ChatSession(
      { ...functions, onRunning: (_session, isRunning) => running.push(isRunning) },
      stored,
      { agents: [agent] },
    );
    await session.continueTurn();
    expect(known).toEqual(['user', 'assistant']);
    // The sub-agent continues in the same chat, and only the main chat reports that it is running.
    expect(session.agents.get('call')?.id).toBe('inner');
    expect(session.agents.get('call')?.branch).toHaveLength(3);
    expect(running).toEqual([true, false]);
  });
});
