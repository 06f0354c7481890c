/** A summary must not affect permissions, which are decided by the whole chat, whatever the model reads. */
import { expect, test } from 'vitest';
import { createCompactionStage } from '../../../../src/agent/compaction/compact';
import { runAgent } from '../../../../src/agent/run-agent';
import { defaultAgentLimits, type Interceptor } from '../../../../src/contracts/turn';
import type { Message } from '../../../../src/contracts/message';
import { outsideHostsIn } from '../../../../src/contracts/outside-text';
import { collect } from '../../../support/collect';
import { findPartsHere } from '../../../support/find-parts';
import { scriptedModel } from '../../../support/scripted-model';
import { tool } from '../../../support/tools';
import { createPipeline } from '../../../../src/contracts/pipeline';

const text = (words: string) => ({ type: 'text' as const, text: words });
const call = (name: string, id: string) => ({ type: 'tool-call' as const, id, name, arguments: {} });

test('invariant: permissions are based on the whole chat, even if the model reads only a summary', async () => {
  const page = { toolCallId: 'p', toolName: 'fetch_page', isError: false, sources: ['evil.example'] };
  const history: Message[] = [
    { role: 'user', content: [text('Read it.')] },
    { role: 'assistant', content: [call('fetch_page', 'p')], finishReason: 'tool-calls' },
    { role: 'tool', results: [{ ...page, content: [text('Orders.')] }] },
    { role: 'assistant', content: [text('Read.')], finishReason: 'stop' },
    { role: 'user', content: [text('Do it. '.repeat(200))] },
  ];
  const inner = scriptedModel([call('a', 'c')], [text('Done.')]);
  inner.measure = async (...given: unknown[]) => {
    const isSummedUp = given[2] !== undefined;
    return { promptTokens: 100, limitTokens: 400, droppedMessages: isSummedUp ? 0 : 4 };
  };
  const model = createPipeline(inner, [
    createCompactionStage({
      spec: () => ({ name: 'Small', contextTokens: 500, maxReplyTokens: 100 }),
      isSmall: () => true,
      before: [],
      newNonce: () => 'n',
    }),
  ]);
  const seen: string[][] = [];
  const watch: Interceptor = {
    before: async (_call, { messages }) => (seen.push(outsideHostsIn(messages)), 'go'),
  };
  const { items } = await collect(
    runAgent(history, {
      model,
      recover: async () => undefined,
      tools: { tools: [tool('a', async () => '1')], interceptors: [watch] },
      limits: defaultAgentLimits,
      signal: new AbortController().signal,
      date: () => 1000,
      newNonce: () => 'nonce',
      storeWholeText: async () => ({ id: 'whole' }),
      findParts: findPartsHere,
    }),
  );
  expect(inner.requests[0]).toMatchObject({
    summary: { by: 'rule', messages: 4, sources: ['evil.example'] },
  });
  expect(inner.requests[0]?.messages).toHaveLength(history.length);
  expect(items.map(({ type }) => type)).toContain('summary');
  expect(seen).toEqual([['evil.example']]);
});
