/** A summary must not affect permissions, which are decided by the whole chat, whatever the model reads. */
import { expect, test } from 'vitest';
import { createCompactionStage } from '../../../../src/agent/compaction/compact';
import { runAgent } from '../../../../src/agent/run-agent';
import { defaultAgentLimits, type Interceptor } from '../../../../src/contracts/turn';
import type { Message } from '../../../../src/contracts/message';
import type { Origin } from '../../../../src/contracts/origin';
import { outsideOriginsIn } from '../../../../src/contracts/provenance';
import { collect } from '../../../support/collect';
import { findPartsHere } from '../../../support/find-parts';
import { scriptedModel } from '../../../support/scripted-model';
import { tool } from '../../../support/tools';
import { createPipeline } from '../../../../src/contracts/pipeline';

const text = (words: string) => ({ type: 'text' as const, text: words });
const call = (name: string, id: string) => ({ type: 'tool-call' as const, id, name, arguments: {} });

test('invariant: permissions are based on the whole chat, even if the model reads only a summary', async () => {
  const evil: Origin = { door: 'page', name: 'evil.example' };
  const page = { toolCallId: 'p', toolName: 'fetch_page', isError: false, origins: [evil] };
  const history: Message[] = [
    { role: 'user', content: [text('Read it.')], origins: [{ door: 'typed' }] },
    { role: 'assistant', content: [call('fetch_page', 'p')], finishReason: 'tool-calls' },
    { role: 'tool', results: [{ ...page, content: [text('Orders.')] }] },
    { role: 'assistant', content: [text('Read.')], finishReason: 'stop' },
    { role: 'user', content: [text('Do it. '.repeat(200))], origins: [{ door: 'typed' }] },
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
  const seen: Origin[][] = [];
  const watch: Interceptor = {
    before: async (_call, { messages }) => (seen.push(outsideOriginsIn(messages)), 'go'),
  };
  const { items } = await collect(
    runAgent(history, {
      model,
      recover: async () => undefined,
      tools: { tools: [tool('a', async () => '1')], interceptors: [watch] },
      promptOrigins: [],
      limits: defaultAgentLimits,
      signal: new AbortController().signal,
      date: () => 1000,
      newNonce: () => 'nonce',
      storeWholeText: async () => ({ id: 'whole' }),
      findParts: findPartsHere,
    }),
  );
  expect(inner.requests[0]).toMatchObject({
    summary: { by: 'rule', messages: 4, origins: [{ door: 'summary' }, evil] },
  });
  expect(inner.requests[0]?.messages).toHaveLength(history.length);
  expect(items.map(({ type }) => type)).toContain('summary');
  expect(seen).toEqual([[evil]]);
});
