/** Agents that must answer in a certain form, are interrupted or stopped, or share an engine with the chat. */
import { describe, expect, test } from 'vitest';
import { createConversationStages } from '../../../src/agent/speak-as';
import type { Message } from '../../../src/contracts/message';
import type { ChatModel, ModelEvent } from '../../../src/contracts/model';
import {
  agentTool,
  asks,
  call,
  eventsOf,
  request,
  runWithAgents,
  said,
  text,
} from '../../support/agent-stage';
import { scriptedModel } from '../../support/scripted-model';
import { tool } from '../../support/tools';
import { createPipeline } from '../../../src/contracts/pipeline';

describe('a sub-agent that must answer in JSON', () => {
  const outputSchema = { type: 'object', required: ['title'] };

  test('without tools, its first answer is already constrained to the schema', async () => {
    const { results, models } = await runWithAgents({
      agents: { a: { outputSchema } },
      replies: { '': [[request('a')], [text('ok')]], 'a held': [[text('{"title": "Spring"}')]] },
    });
    expect(said(results)).toEqual(['{"title": "Spring"}']);
    expect(models['a']).toBeUndefined();
  });

  test('with tools, an invalid answer is retried once, constrained to the schema', async () => {
    const { items, results, models } = await runWithAgents({
      agents: { a: { outputSchema } },
      toolsOf: { a: [tool('clock', async () => '12:00')] },
      replies: {
        '': [[request('a')], [text('ok')]],
        a: [[call('clock', {})], [text('Here: {"name": "Spring"}')]],
        'a held': [[text('{"title": "Spring"}')]],
      },
    });
    expect(said(results)).toEqual(['{"title": "Spring"}']);
    const asked = models['a held']!.requests[0]!;
    expect(asked.tools).toEqual([]);
    expect(asked.messages.at(-1)).toEqual({
      ...asks('title: is missing\nWrite your answer again: nothing but JSON of that form.'),
      origins: [{ door: 'model' }],
    });
    expect(eventsOf(items, 'of-a').filter(({ type }) => type === 'agent-request')).toHaveLength(2);
  });

  test('may put the JSON in a code block or after a sentence', async () => {
    for (const answer of ['```json\n{"title": "S"}\n```', 'Of course: {"title": "S"}']) {
      const { results } = await runWithAgents({
        agents: { a: { outputSchema } },
        replies: { '': [[request('a')], [text('ok')]], 'a held': [[text(answer)]] },
      });
      expect(said(results)[0]!.trim()).toBe('{"title": "S"}');
    }
  });

  test('returns an error to its caller if the retry is also invalid', async () => {
    const { results } = await runWithAgents({
      agents: { a: { outputSchema } },
      replies: { '': [[request('a')], [text('ok')]], 'a held': [[text('no')], [text('{"name": 1}')]] },
    });
    expect(results).toMatchObject([{ isError: true, failure: 'agent-form' }]);
    expect(said(results)[0]).toContain('title: is missing');
  });
});

describe('an interrupted sub-agent', () => {
  const asked: Message = {
    role: 'assistant',
    content: [request('a'), request('b')],
    finishReason: 'tool-calls',
  };
  const done: Message = { role: 'assistant', content: [text('A was done')], finishReason: 'stop' };
  const half: Message = { role: 'assistant', content: [call('clock', {})], finishReason: 'tool-calls' };

  test('continues where it stopped, and is not run again if it had already answered', async () => {
    const { results, models, items } = await runWithAgents({
      history: [asks('Go'), asked],
      histories: { 'of-a': [asks('Do it'), done], 'of-b': [asks('Do it'), half] },
      agents: { a: {}, b: {} },
      toolsOf: { b: [tool('clock', async () => '12:00')] },
      replies: { '': [[text('Both.')]], b: [[text('B at noon')]] },
    });
    expect(said(results)).toEqual(['A was done', 'B at noon']);
    expect(models['a']).toBeUndefined();
    expect(models['b']!.requests).toHaveLength(1);
    expect(models['b']!.requests[0]!.messages.at(-1)).toMatchObject({
      role: 'tool',
      results: [{ content: [text('12:00')] }],
    });
    expect(eventsOf(items, 'of-b').map(({ type }) => type)).not.toContain('agent-request');
  });
});

test('Stop ends all nested sub-agents and keeps the text that they wrote', async () => {
  const abort = new AbortController();
  const stopping = tool('clock', async () => {
    abort.abort();
    return 'late';
  });
  const { items, results } = await runWithAgents({
    agents: { a: {}, b: {} },
    toolsOf: { '': [agentTool('a')], a: [agentTool('b')], b: [stopping] },
    signal: abort.signal,
    replies: { '': [[request('a')]], a: [[request('b')]], b: [[text('Let me see. '), call('clock', {})]] },
  });
  expect(results).toMatchObject([{ failure: 'stopped' }]);
  expect(items.at(-1)).toEqual({ type: 'turn-end', reason: 'stopped' });
  const inner = eventsOf(items, 'of-a').flatMap((event) =>
    event.type === 'agent-event' ? [event.event] : [],
  );
  expect(inner).toContainEqual(expect.objectContaining({ type: 'message-end' }));
  expect(inner.at(-1)).toEqual({ type: 'turn-end', reason: 'stopped' });
});

describe('switching between personas that share a model', () => {
  const usage = {
    promptTokens: 9,
    prefilledTokens: 9,
    outputTokens: 1,
    prefillReason: { code: 'other-chat' as const },
  };
  const speaking = () => ({
    ...scriptedModel(),
    async *respond(): AsyncGenerator<ModelEvent> {
      yield { type: 'finish', message: { role: 'assistant', content: [], finishReason: 'stop' }, usage };
    },
  });
  const reasonOf = async (model: ChatModel) => {
    const request = { messages: [], tools: [], toolChoice: 'auto' as const };
    for await (const event of model.respond(request, new AbortController().signal)) {
      if (event.type === 'finish') return event.usage.prefillReason;
    }
    return undefined;
  };

  test('is given as the reason if the model has to read a prompt again', async () => {
    const openStage = createConversationStages();
    const chat = createPipeline(speaking(), [openStage()]);
    const agent = createPipeline(speaking(), [openStage()]);
    expect(await reasonOf(chat)).toEqual({ code: 'other-chat' });
    expect(await reasonOf(agent)).toBeUndefined();
    expect(await reasonOf(chat)).toEqual({ code: 'agent' });
    expect(await reasonOf(chat)).toEqual({ code: 'other-chat' });
    expect(await reasonOf(agent)).toEqual({ code: 'agent' });
  });
});
