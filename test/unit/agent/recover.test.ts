import { describe, expect, test } from 'vitest';
import { runAgent, type RunOptions } from '../../../src/agent/run-agent';
import { AppError } from '../../../src/contracts/app-error';
import type { ErrorCode } from '../../../src/contracts/error-code';
import { defaultAgentLimits as limits } from '../../../src/contracts/turn';
import type { ToolCall } from '../../../src/contracts/message';
import type { RecoveryStep } from '../../../src/contracts/model-library';
import type { Tool } from '../../../src/contracts/tool';
import { collect } from '../../support/collect';
import { findPartsHere } from '../../support/find-parts';
import { scriptedModel } from '../../support/scripted-model';
import { tool } from '../../support/tools';

const text = (text: string) => ({ type: 'text' as const, text });
const call = (name: string, id: string): ToolCall => ({ type: 'tool-call', id, name, arguments: {} });

function run(
  model: RunOptions['model'],
  tools: Tool[],
  options: Pick<RunOptions, 'recover'> & Partial<RunOptions>,
) {
  return collect(
    runAgent([{ role: 'user', content: [text('?')], origins: [{ door: 'typed' }] }], {
      model,
      tools: { tools, interceptors: [] },
      promptOrigins: [],
      limits,
      signal: new AbortController().signal,
      date: () => 1000,
      newNonce: () => 'nonce',
      storeWholeText: async () => ({ id: 'whole' }),
      findParts: findPartsHere,
      ...options,
    }),
  );
}

describe('a model that fails during a turn', () => {
  const step = (rung: RecoveryStep['rung']): RecoveryStep => ({
    rung,
    fault: 'gpu-lost',
    detail: '',
    from: 'Large',
    to: 'Small',
    contextTokens: 4096,
  });
  /** Offers these recovery steps, one per call, then none. */
  const recovery = (...rungs: RecoveryStep['rung'][]) => {
    const faults: string[] = [];
    const recover = async (fault: string) => {
      faults.push(fault);
      const rung = rungs.shift();
      return rung && step(rung);
    };
    return { faults, recover };
  };

  test('is asked again if it failed before its first word', async () => {
    const { recover } = recovery('fresh-worker');
    const { result, items } = await run(scriptedModel(new Error('at once'), [text('Hello')]), [], {
      recover,
    });
    expect(result).toMatchObject([{ content: [text('Hello')], finishReason: 'stop' }]);
    expect(items.find(({ type }) => type === 'recovery')).toEqual({
      type: 'recovery',
      step: step('fresh-worker'),
    });
    expect(items.at(-1)).toEqual({ type: 'turn-end', reason: 'answered' });
  });

  test('continues a half-written reply', async () => {
    const { faults, recover } = recovery('smaller-model');
    const model = scriptedModel(new Error('gone'), [text('story')]);
    const { result } = await run(model, [], { recover });
    expect(result).toMatchObject([
      { content: [text('half a ')], finishReason: 'error', errorMessage: 'gone' },
      { content: [text('story')] },
    ]);
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({ content: [text('half a ')] });
    expect(faults).toEqual(['gone']);
  });

  test('can be recovered several times within one turn', async () => {
    const { faults, recover } = recovery('fresh-worker', 'less-context', 'built-in');
    const lost = (code: ErrorCode) => Object.assign(new AppError(code, 'gone'), { message: 'at once' });
    const model = scriptedModel(lost('gpu-lost'), lost('out-of-memory'), lost('engine-crashed'), [text('4')]);
    const { result, items } = await run(model, [], { recover });
    expect(result).toHaveLength(1);
    expect(items.filter(({ type }) => type === 'recovery')).toHaveLength(3);
    expect(faults).toEqual(['[gpu-lost] at once', '[out-of-memory] at once', '[engine-crashed] at once']);
  });

  test('ends the turn and keeps the text if no recovery step is left', async () => {
    const { recover } = recovery('fresh-worker');
    const model = scriptedModel(new Error('gone'), new Error('at once'));
    const { result, items } = await run(model, [], { recover });
    expect(result).toMatchObject([
      { content: [text('half a ')] },
      { content: [], finishReason: 'error', errorMessage: 'at once' },
    ]);
    expect(items.at(-1)).toEqual({ type: 'turn-end', reason: 'failed' });
    expect(model.requests).toHaveLength(2);
  });

  test('gets the result of a tool call that it wrote before failing', async () => {
    let runs = 0;
    const { recover } = recovery('built-in');
    let round = 0;
    const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
    const model: RunOptions['model'] = {
      async *respond({ messages }) {
        if (round++ === 0) {
          yield { type: 'tool-call', call: call('a', '1') };
          throw new Error('gone');
        }
        expect(messages.at(-1)?.role).toBe('tool');
        const content = [text('done')];
        yield { type: 'finish', message: { role: 'assistant', content, finishReason: 'stop' }, usage };
      },
      measure: async () => ({ promptTokens: 0, limitTokens: 100, droppedMessages: 0 }),
    };
    const { items } = await run(model, [tool('a', async () => `${++runs}`)], { recover });
    expect(runs).toBe(1);
    expect(items.at(-1)).toEqual({ type: 'turn-end', reason: 'answered' });
  });

  test('is not restarted after Stop', async () => {
    const abort = new AbortController();
    const { faults, recover } = recovery('fresh-worker');
    const model: RunOptions['model'] = {
      async *respond() {
        yield { type: 'text-delta', text: 'half' };
        abort.abort();
        throw new Error('gone');
      },
      measure: async () => ({ promptTokens: 0, limitTokens: 100, droppedMessages: 0 }),
    };
    const { items } = await run(model, [], { recover, signal: abort.signal });
    expect(faults).toEqual([]);
    expect(items.at(-1)).toEqual({ type: 'turn-end', reason: 'stopped' });
  });
});
