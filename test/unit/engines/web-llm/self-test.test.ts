import { describe, expect, test } from 'vitest';
import type { GenerateRequest, TextDelta } from '../../../../src/contracts/model';
import { findGarbage, testModel } from '../../../../src/engines/web-llm/self-test';

describe('a reply that is garbage', () => {
  test.for([
    { name: 'an empty text', text: '' },
    { name: 'only whitespace', text: ' \n\n \t' },
    { name: 'one repeated punctuation mark', text: '!!!!!!!!!!!!!!!!!!!!!!!!' },
    { name: 'one repeated punctuation mark with spaces', text: '! ! ! ! ! ! ! ! ! !' },
    { name: 'one repeated letter', text: 'GGGGGGGGGGGGGGGG' },
    { name: 'one repeated token', text: ' the the the the the the the the' },
    { name: 'one repeated token, the last one cut off', text: 'ĠtokenĠtokenĠtokenĠtokenĠtokenĠtokenĠto' },
    { name: 'one repeated Chinese token', text: '的的的的的的的的的的' },
    { name: 'text with invalid characters', text: 'a\uFFFD\uFFFDb\uFFFD\uFFFD' },
    { name: 'text with control characters', text: '\u0001\u0003x\u0007\u0002y\u0000' },
    { name: 'text with private-use characters', text: '\uE000\uE123 \uE001a\uE002' },
    { name: 'a mixture of scripts', text: ' จะเป็นREFERER للأعضاءинтерес 목록Ζ' },
  ])('is detected: $name', ({ text }) => {
    expect(findGarbage(text)).toBeTypeOf('string');
  });
});

describe('a text that is not garbage', () => {
  test.for([
    { name: 'a greeting', text: 'Hello! How can I help you today?' },
    { name: 'a greeting in one word', text: 'Hello.' },
    { name: 'one letter', text: 'H' },
    { name: 'a greeting in Chinese', text: '你好！很高兴见到你。' },
    { name: 'a greeting in two scripts', text: 'Hello 你好 😊' },
    { name: 'a thought', text: '<think>\nOkay, the user wants me to say hello.' },
    { name: 'an empty thought and a word', text: '<think>\n\n</think>\n\nHi' },
    { name: 'numbers', text: '1, 2, 3, 4, 5, 6, 7, 8, 9' },
    { name: 'zeros in JSON', text: '{"a":[0,0,0,0,0,0,0,0,0,0],"b":0}' },
    { name: 'a tool call', text: '<tool_call>{"name":"clock","arguments":{}}</tool_call>' },
    { name: 'a row of emojis', text: 'Hello!!!!! 👋👋👋' },
    { name: 'written laughter', text: 'Hahaha, hello there!' },
    { name: 'an incomplete character at the end', text: 'Hello, nice to meet you \uFFFD' },
    { name: 'a table', text: '| a | b |\n|---|---|\n| 1 | 2 |' },
    { name: 'nonsense in one language', text: 'Purple greet the of seven walks.' },
  ])('is accepted: $name', ({ text }) => {
    expect(findGarbage(text)).toBeUndefined();
  });
});

/** Writes these texts one character at a time, one text per request. An `Error` rejects the request. */
function writer(...texts: (string | Error)[]) {
  const requests: GenerateRequest[] = [];
  let written = 0;
  const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
  async function* generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<TextDelta> {
    requests.push(request);
    const text = texts.shift() ?? '';
    if (text instanceof Error) {
      yield { type: 'finish', finishReason: 'error', errorMessage: text.message, usage, prompt: '' };
      return;
    }
    for (const letter of Array.from(text).slice(0, request.maxTokens)) {
      if (signal.aborted) break;
      written += 1;
      yield { type: 'text-delta', text: letter };
    }
    yield { type: 'finish', finishReason: signal.aborted ? 'aborted' : 'stop', usage, prompt: '' };
  }
  return { generate, requests, written: () => written };
}

describe('the self-test of a model', () => {
  test('it ends as soon as the model writes the next number', async () => {
    const { generate, requests, written } = writer(' 7, 8, 9');
    await testModel(generate, false);
    expect(requests).toMatchObject([{ sampling: { temperature: 0 } }]);
    expect(written()).toBe(2);
  });

  test.for([
    { name: 'writes words instead of the next number', texts: ['. Done', 'Hello there!'] },
    { name: 'refuses to continue a reply', texts: [new Error('MessageOrderError'), 'Hello there!'] },
    { name: 'adds nothing to the row of numbers', texts: ['', 'Hi'] },
  ])('it asks a second question and accepts the model if the model first $name', async ({ texts }) => {
    const { generate, requests } = writer(...texts);
    await testModel(generate, false);
    expect(requests).toHaveLength(2);
  });

  test('it rejects a model that writes only garbage, and quotes the garbage', async () => {
    const { generate } = writer('!!!!', '!'.repeat(100));
    await expect(testModel(generate, false)).rejects.toMatchObject({
      code: 'model-garbled',
      message: expect.stringContaining('!!!!!!!!!!!!'),
    });
  });

  test.for([
    { name: 'garbage', text: '!!!!!!!!!!!!' },
    { name: 'nothing', text: '' },
  ])("it accepts a user's own model after one token, even if that model writes $name", async ({ text }) => {
    const { generate, requests, written } = writer(text);
    await testModel(generate, true);
    expect(requests).toHaveLength(1);
    expect(written()).toBeLessThanOrEqual(1);
  });

  test('it rejects any model that cannot write at all', async () => {
    const { generate } = writer(new Error('no'), new Error('[engine-crashed] no'));
    await expect(testModel(generate, false)).rejects.toMatchObject({ code: 'engine-crashed', message: 'no' });
    const own = writer(new Error('[model-damaged] no tokenizer'));
    await expect(testModel(own.generate, true)).rejects.toMatchObject({ code: 'model-damaged' });
  });
});
