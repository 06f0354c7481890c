import { describe, expect, test } from 'vitest';
import { findArgumentsIn, createPageStage } from '../../../src/ember/page-stage';
import type { AssistantMessage, Message } from '../../../src/contracts/message';
import type { ChatModel, ModelEvent, ReplyRequest } from '../../../src/contracts/model';
import { neverInDoubt } from '../../support/never-in-doubt';
import { createPipeline } from '../../../src/contracts/pipeline';

const said = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const tools = [{ name: 'clock' }, { name: 'calculator' }];

test.for([
  ['seconds in a day = 24*60*60?', '24*60*60'],
  ['7除8等于多少', '7/8'],
  ['My cousin says 2 ** 11 is huge', '2^11'],
  ['If 3 shirts cost 45 euros, how much do 7 cost?', undefined],
  ['divide that by 2+3', undefined],
  [`${'This is a long text from elsewhere. '.repeat(12)} 2+2`, undefined],
] as const)('the sum copied from a request: "%s" gives %s', ([text, expression]) => {
  const copied = expression === undefined ? undefined : { calculator: { expression } };
  expect(findArgumentsIn([said('hi'), said(text)], tools)).toEqual(copied);
});

test('a sum is copied only from the newest request, and only if the calculator is on', () => {
  expect(findArgumentsIn([said('2+2'), said('thanks')], tools)).toBeUndefined();
  expect(findArgumentsIn([said('2+2')], [{ name: 'clock' }])).toBeUndefined();
  expect(findArgumentsIn([], tools)).toBeUndefined();
});

describe('a sum in a request to a very small model', () => {
  const sum = { expression: '9*45*12' };

  /** Returns what we ask the model. `isWilling`: whether it calls the calculator without being forced to. */
  async function speak(isSmall: boolean, isWilling: boolean) {
    const asked: Pick<ReplyRequest, 'toolChoice' | 'copied'>[] = [];
    const usage = { promptTokens: 1, prefilledTokens: 1, outputTokens: 1 };
    const model: ChatModel = {
      measure: () => Promise.reject(new Error('not asked')),
      async *respond({ toolChoice, copied }): AsyncGenerator<ModelEvent> {
        asked.push({ toolChoice, copied });
        const isCalling = isWilling || typeof toolChoice === 'object';
        const content: AssistantMessage['content'] = isCalling
          ? [{ type: 'tool-call', id: '1', name: 'calculator', arguments: sum }]
          : [{ type: 'text', text: 'Hm.' }];
        yield { type: 'finish', message: { role: 'assistant', content, finishReason: 'stop' }, usage };
      },
    };
    const speaker = createPipeline(model, [
      createPageStage({
        calls: undefined,
        isSmall: () => isSmall,
        reply: () => ({ text: 'From the page.', suggestions: [] }),
        answer: () => undefined,
        fails: async () => false,
        hasToolsOff: false,
        newId: () => 'new',
        rephrase: () => ({ text: '', suggestions: [] }),
        doubt: neverInDoubt,
      }),
    ]);
    const calculator = { name: 'calculator', title: '', description: '', inputSchema: {} };
    const request = {
      messages: [said('Is 9*45*12 a lot?')],
      tools: [calculator],
      toolChoice: 'auto' as const,
    };
    const events: ModelEvent[] = [];
    for await (const event of speaker.respond(request, new AbortController().signal)) events.push(event);
    return { asked, end: events.at(-1) };
  }

  test("is copied into the model's calculator call", async () => {
    const { asked, end } = await speak(true, true);
    expect(asked).toEqual([{ toolChoice: 'auto', copied: { calculator: sum } }]);
    expect(end).toMatchObject({ message: { content: [{ arguments: sum }] } });
    expect((await speak(false, true)).asked).toEqual([{ toolChoice: 'auto', copied: undefined }]);
  });

  test('is calculated even if the model makes no call', async () => {
    const { asked, end } = await speak(true, false);
    expect(asked.map(({ toolChoice }) => toolChoice)).toEqual(['auto', { name: 'calculator' }]);
    expect(end).toMatchObject({ message: { content: [{ arguments: sum }] } });
  });
});
