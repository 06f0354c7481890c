import { expect, test } from 'vitest';
import type { MessageNode } from '../../../src/contracts/chat';
import type { ToolResult } from '../../../src/contracts/message';
import type { Origin } from '../../../src/contracts/origin';
import { type AgentChats, turnsOf } from '../../../src/state/turns';
import { listStepsWithPaths, spansOf, traceOf } from '../../../src/state/trace';

const text = (words: string) => ({ type: 'text' as const, text: words });

function branch(...given: Omit<MessageNode, 'id' | 'chatId' | 'parentId'>[]): MessageNode[] {
  return given.map((node, at) => ({
    ...node,
    id: `n${at}`,
    chatId: 'chat',
    parentId: at === 0 ? null : `n${at - 1}`,
  }));
}

const result = (changed: Partial<ToolResult> = {}): ToolResult => ({
  toolCallId: 'c1',
  toolName: 'page',
  content: [text('Herons eat fish.')],
  isError: false,
  origins: [{ door: 'hearth' }],
  ...changed,
});

const usage = { promptTokens: 120, prefilledTokens: 20, outputTokens: 22, firstTokenMs: 300, decodeMs: 500 };

function told(answered: ToolResult): MessageNode[] {
  return branch(
    {
      createdAt: 1000,
      message: { role: 'user', content: [text('What do herons eat?')], origins: [{ door: 'typed' }] },
    },
    {
      createdAt: 2000,
      message: {
        role: 'assistant',
        content: [{ type: 'tool-call', id: 'c1', name: 'page', arguments: { about: 'herons' } }],
        finishReason: 'tool-calls',
      },
      model: { id: 'ember', engine: 'llama' },
      usage,
      round: { askedAt: 1100, summingUpMs: 100 },
    },
    { createdAt: 5000, message: { role: 'tool', results: [answered] } },
    {
      createdAt: 6000,
      message: { role: 'assistant', content: [text('Fish.')], finishReason: 'stop' },
      round: { askedAt: 5000 },
      turnEnd: 'answered',
    },
  );
}

const none: AgentChats = new Map();
const traced = (nodes: readonly MessageNode[], agents = none) => traceOf(turnsOf(nodes)[0]!, agents);

test('invariant: the timeline of a turn is built only from its messages', () => {
  const permission = { by: 'person', answer: 'once', waitedMs: 2000 } as const;
  const timing = { startedAt: 4000, durationMs: 900 };
  const origins: Origin[] = [{ door: 'page', name: 'herons.example' }];
  const trace = traced(told(result({ permission, timing, origins })));
  expect(trace).toMatchObject({
    format: 'hearth-trace',
    version: 1,
    question: 'What do herons eat?',
    startedAt: 1100,
    endedAt: 6000,
    end: 'answered',
    steps: [
      {
        type: 'round',
        number: 1,
        messageId: 'n1',
        readingMs: 300,
        writingMs: 500,
        summingUpMs: 100,
        counts: usage,
      },
      { type: 'call', id: 'c1', permission, durationMs: 900, origins },
      { type: 'round', number: 2, text: 'Fish.' },
    ],
  });
  expect(spansOf(trace.steps[0]!)).toEqual([
    { kind: 'summing-up', from: 1100, to: 1200 },
    { kind: 'reading', from: 1200, to: 1500 },
    { kind: 'writing', from: 1500, to: 2000 },
  ]);
  expect(spansOf(trace.steps[1]!)).toEqual([
    { kind: 'waiting', from: 2000, to: 4000 },
    { kind: 'running', from: 4000, to: 4900 },
  ]);
});

test('loading the model comes first in the timeline of a turn, even if it began before the request', () => {
  const loaded = (loading: { startedAt: number; ms: number }) =>
    traced(
      told(result()).map((node) => ({ ...node, ...(node.round && { round: { ...node.round, loading } }) })),
    ).steps[0]!;
  const before = loaded({ startedAt: 400, ms: 600 });
  expect(before).toMatchObject({ startedAt: 400, loadingMs: 600, readingMs: 300 });
  expect(spansOf(before)).toEqual([
    { kind: 'loading', from: 400, to: 1000 },
    { kind: 'summing-up', from: 1100, to: 1200 },
    { kind: 'reading', from: 1200, to: 1500 },
    { kind: 'writing', from: 1500, to: 2000 },
  ]);
  const within = loaded({ startedAt: 1100, ms: 100 });
  expect(within).toMatchObject({ startedAt: 1100, readingMs: 200 });
  expect(spansOf(within).map(({ kind, from }) => `${kind} ${from}`)).toEqual([
    ...['loading 1100', 'summing-up 1200', 'reading 1300', 'writing 1500'],
  ]);
});

test('a refused call shows a waiting time but no running time in the timeline', () => {
  const trace = traced(
    told(
      result({
        isError: true,
        failure: 'refused',
        timing: { startedAt: 2000, durationMs: 700 },
        permission: { by: 'person', answer: 'deny', waitedMs: 700 },
      }),
    ),
  );
  expect(spansOf(trace.steps[1]!)).toEqual([{ kind: 'waiting', from: 2000, to: 2700 }]);
});

test('a reply stored by an older version has no times in the timeline', () => {
  const nodes = told(result()).map((node) => ({ ...node, round: undefined }));
  const trace = traced(nodes);
  expect(trace.steps.flatMap(spansOf)).toEqual([]);
  expect(trace.steps[1]).toMatchObject({ permission: undefined, startedAt: undefined });
});

test('the steps of a sub-agent appear inside its call in the timeline', () => {
  const inner = told(result({ toolCallId: 'c1' })).map((node) => ({ ...node, chatId: 'inner' }));
  const asks = branch(
    { createdAt: 1, message: { role: 'user', content: [text('Ask')], origins: [{ door: 'typed' }] } },
    {
      createdAt: 2,
      message: {
        role: 'assistant',
        content: [{ type: 'tool-call', id: 'of-agent', name: 'researcher', arguments: { request: 'x' } }],
        finishReason: 'tool-calls',
      },
    },
    { createdAt: 9000, message: { role: 'tool', results: [result({ toolCallId: 'of-agent' })] } },
  );
  const agents: AgentChats = new Map([['of-agent', { branch: inner, reply: undefined, settings: {} }]]);
  const { steps } = traced(asks, agents);
  expect(listStepsWithPaths(steps).map(({ step, path }) => [...path, step.type].join('/'))).toEqual([
    ...['round', 'call', 'researcher/round', 'researcher/call', 'researcher/round'],
  ]);
});
