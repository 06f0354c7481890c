/** Parses responses with all known faults: the parts are the same however the text is split. */
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/contracts/app-error';
import { type AnswerPart, readAnswer } from '../../../../src/engines/endpoint/read-answer';
import { createAnswerWriter } from '../../../../src/engines/endpoint/engine';
import { readReply } from '../../../../src/protocol/reader';

interface Outcome {
  parts: AnswerPart[];
  fault?: { code: string; detail: string };
}

async function readIn(pieces: readonly string[]): Promise<Outcome> {
  const parts: AnswerPart[] = [];
  const source = (async function* () {
    for (const piece of pieces) yield piece;
  })();
  try {
    for await (const part of readAnswer(source)) parts.push(part);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { parts, fault: { code: error.code, detail: error.message } };
  }
  return { parts };
}

/** Reads the text at every relevant chunk size. All must give the same outcome. */
async function readText(text: string): Promise<Outcome> {
  const whole = await readIn([text]);
  for (const size of [1, 2, 3, 7, 64]) {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(await readIn(pieces), `in pieces of ${size}`).toEqual(whole);
  }
  return whole;
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (said: object, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: said, finish_reason: finish }] });
const done = 'data: [DONE]\n\n';
const stop = delta({}, 'stop') + done;
const end = { type: 'end', isCut: false };

const textOf = ({ parts }: Outcome) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('the response of a real model server', () => {
  test.for([
    {
      name: 'as OpenAI sends it',
      text: delta({ role: 'assistant', content: '' }) + delta({ content: 'Hi.' }) + stop,
    },
    { name: 'with carriage returns', text: (delta({ content: 'Hi.' }) + stop).replaceAll('\n', '\r\n') },
    { name: 'with bare carriage returns', text: (delta({ content: 'Hi.' }) + stop).replaceAll('\n', '\r') },
    {
      name: 'with comments and event names',
      text: `: ping\n\nevent: message\nid: 7\n${delta({ content: 'Hi.' })}: OPENROUTER PROCESSING\n\n${stop}`,
    },
    {
      name: 'without a space after the colon',
      text: (delta({ content: 'Hi.' }) + stop).replaceAll('data: ', 'data:'),
    },
    { name: 'without [DONE]', text: delta({ content: 'Hi.' }) + delta({}, 'stop') },
    { name: 'without a finish reason', text: delta({ content: 'Hi.' }) + done },
    { name: 'without the last line break', text: (delta({ content: 'Hi.' }) + stop).trimEnd() },
    { name: 'with the finish in the last piece', text: delta({ content: 'Hi.' }, 'stop') + done },
    {
      name: 'with fields that are null',
      text: delta({ content: 'Hi.', tool_calls: null, reasoning_content: null, refusal: null }) + stop,
    },
    { name: 'with its content in parts', text: delta({ content: [{ type: 'text', text: 'Hi.' }] }) + stop },
    {
      name: 'with events without choices',
      text: event({ choices: [], prompt_filter_results: [] }) + delta({ content: 'Hi.' }) + stop,
    },
    {
      name: 'with events of two data lines',
      text: `data: {"choices": [{"delta":\ndata: {"content": "Hi."}}]}\n\n${stop}`,
    },
    { name: 'as a refusal', text: delta({ refusal: 'Hi.' }) + stop },
  ])('its text is read correctly in every variant of the format: $name', async ({ text }) => {
    const outcome = await readText(text);
    expect(outcome.fault).toBeUndefined();
    expect(textOf(outcome)).toBe('Hi.');
    expect(outcome.parts.at(-1)).toEqual(end);
  });

  test('it is also parsed if it arrives whole instead of as a stream', async () => {
    const message = { role: 'assistant', content: 'Hi.', reasoning_content: 'They greet.' };
    const usage = { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } };
    const { parts } = await readText(
      JSON.stringify({ choices: [{ message, finish_reason: 'length' }], usage }),
    );
    expect(parts).toEqual([
      { type: 'whole' },
      { type: 'thought', text: 'They greet.' },
      { type: 'text', text: 'Hi.' },
      { type: 'usage', promptTokens: 9, cachedTokens: 4, outputTokens: 2 },
      { type: 'end', isCut: true },
    ]);
  });

  test.for([
    { name: 'reasoning_content', said: { reasoning_content: 'Hm.' } },
    { name: 'reasoning', said: { reasoning: 'Hm.' } },
    {
      name: 'parts of content',
      said: { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] },
    },
  ])('its thoughts are found in $name', async ({ said }) => {
    const { parts } = await readText(delta(said) + delta({ content: 'Hi.' }) + stop);
    expect(parts).toEqual([{ type: 'thought', text: 'Hm.' }, { type: 'text', text: 'Hi.' }, end]);
  });

  test('it may report the token usage after the finish reason', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 1 };
    const { parts } = await readText(
      delta({ content: 'Hi.' }) + delta({}, 'stop') + event({ choices: [], usage }) + done,
    );
    expect(parts).toContainEqual({ type: 'usage', promptTokens: 5, cachedTokens: 0, outputTokens: 1 });
    expect(parts.at(-1)).toEqual(end);
  });
});

const specs = ['calculator', 'clock'].map((name) => ({
  name,
  title: name,
  description: '',
  inputSchema: { type: 'object', properties: { expression: { type: 'string' } } },
}));

/** Reads calls as the reply reader finds them in the rewritten response. */
async function callsIn(text: string) {
  const { parts, fault } = await readText(text);
  expect(fault).toBeUndefined();
  const writer = createAnswerWriter();
  const written = parts.map((part) => writer.push(part)).join('') + writer.end();
  return readReply(written, specs).flatMap((found) => (found.type === 'tool-call' ? [found.call] : []));
}

const call = (index: number | undefined, fields: object, id?: string) =>
  delta({
    tool_calls: [
      { ...(index !== undefined && { index }), ...(id !== undefined && { id }), function: fields },
    ],
  });
const sum = { type: 'tool-call', name: 'calculator', arguments: { expression: '6*7' } };
const time = { type: 'tool-call', name: 'clock', arguments: {} };

describe('a tool call in a response', () => {
  test.for([
    {
      name: 'in pieces',
      text:
        call(0, { name: 'calculator', arguments: '' }, 'a') +
        call(0, { arguments: '{"expres' }) +
        call(0, { arguments: 'sion": "6*7"}' }),
      calls: [sum],
    },
    {
      name: 'if there are two, one after the other',
      text:
        call(0, { name: 'calculator', arguments: '{"expression": "6*7"}' }, 'a') +
        call(1, { name: 'clock', arguments: '{}' }, 'b'),
      calls: [sum, time],
    },
    {
      name: 'if the pieces of two are mixed',
      text:
        call(0, { name: 'calculator', arguments: '{"expression"' }, 'a') +
        call(1, { name: 'clock', arguments: '{' }, 'b') +
        call(0, { arguments: ': "6*7"}' }) +
        call(1, { arguments: '}' }),
      calls: [sum, time],
    },
    {
      name: 'if one piece contains two',
      text: delta({
        tool_calls: [
          { index: 0, id: 'a', function: { name: 'calculator', arguments: '{"expression": "6*7"}' } },
          { index: 1, id: 'b', function: { name: 'clock', arguments: '{}' } },
        ],
      }),
      calls: [sum, time],
    },
    {
      name: 'without an index',
      text:
        call(undefined, { name: 'calculator', arguments: '{"expression": ' }, 'a') +
        call(undefined, { arguments: '"6*7"}' }) +
        call(undefined, { name: 'clock', arguments: '{}' }, 'b'),
      calls: [sum, time],
    },
    {
      name: 'with arguments that are not a string',
      text: call(0, { name: 'calculator', arguments: { expression: '6*7' } }, 'a'),
      calls: [sum],
    },
    { name: 'without arguments', text: call(0, { name: 'clock', arguments: '' }, 'a'), calls: [time] },
    {
      name: 'with arguments that are null',
      text: call(0, { name: 'clock', arguments: null }, 'a'),
      calls: [time],
    },
    {
      name: 'after a thought and text',
      text:
        delta({ reasoning_content: 'A sum, so <tool_call> it is.' }) +
        delta({ content: 'One moment.' }) +
        call(0, { name: 'calculator', arguments: '{"expression": "6*7"}' }, 'a'),
      calls: [sum],
    },
    {
      name: 'with text that looks like the end of a call',
      text: call(0, { name: 'calculator', arguments: '{"expression": "</tool_call>}"}' }, 'a'),
      calls: [{ ...sum, arguments: { expression: '</tool_call>}' } }],
    },
    {
      name: 'from the text if the server did not parse them',
      text: delta({
        content: '<tool_call>{"name": "calculator", "arguments": {"expression": "6*7"}}</tool_call>',
      }),
      calls: [sum],
    },
  ])('it is read correctly in every form that servers send: $name', async ({ text, calls }) => {
    expect(await callsIn(text + delta({}, 'tool_calls') + done)).toMatchObject(calls);
  });
});

describe('a faulty response of a model server', () => {
  test.for([
    {
      name: 'a stream that breaks off between events',
      text: delta({ content: 'Hi.' }),
      code: 'endpoint-cut',
      says: 'Hi.',
    },
    {
      name: 'a stream that breaks off within an event',
      text: delta({ content: 'Hi.' }) + 'data: {"choices": [{"del',
      code: 'endpoint-cut',
      says: 'Hi.',
    },
    {
      name: 'a web page',
      text: '<!doctype html><html><body>Sign in</body></html>',
      code: 'endpoint-form',
      detail: 'a web page',
    },
    { name: 'an empty response', text: '', code: 'endpoint-form', detail: 'empty' },
    { name: 'other JSON', text: '{"models": []}', code: 'endpoint-form', detail: 'no choices' },
    { name: 'a JSON list', text: '[1, 2]', code: 'endpoint-form' },
    { name: 'incomplete JSON', text: '{"choices": [', code: 'endpoint-form', detail: 'no JSON' },
    { name: 'a stream of other events', text: 'data: hello\n\n', code: 'endpoint-form', detail: 'no JSON' },
    { name: 'a stream that contains only its end', text: done, code: 'endpoint-form' },
    { name: 'an invalid choice', text: event({ choices: ['Hi.'] }), code: 'endpoint-form' },
    {
      name: 'an error in the stream',
      text: delta({ content: 'Hi.' }) + event({ error: { message: 'CUDA out of memory' } }),
      code: 'endpoint-failed',
      detail: 'CUDA out of memory',
      says: 'Hi.',
    },
    {
      name: 'an error that is a string',
      text: event({ error: 'model runner has unexpectedly stopped' }),
      code: 'endpoint-failed',
      detail: 'unexpectedly stopped',
    },
    {
      name: "an error in llama.cpp's format",
      text: delta({ content: 'Hi.' }) + 'error: {"code": 500, "message": "context shift is disabled"}\n\n',
      code: 'endpoint-failed',
      detail: 'context shift',
      says: 'Hi.',
    },
    {
      name: 'a withheld reply',
      text: delta({ content: 'Hi.' }, 'content_filter') + done,
      code: 'endpoint-refused',
      detail: 'content_filter',
      says: 'Hi.',
    },
  ])('it is reported as an error: $name', async ({ text, code, detail = '', says = '' }) => {
    const outcome = await readText(text);
    expect(outcome.fault?.code).toBe(code);
    expect(outcome.fault?.detail).toContain(detail);
    expect(textOf(outcome)).toBe(says);
    expect(outcome.parts.map(({ type }) => type)).not.toContain('end');
  });

  test('a failed connection is passed on as an error', async () => {
    const source = (async function* () {
      yield delta({ content: 'Hi.' });
      throw new TypeError('gone');
    })();
    const reading = (async () => {
      for await (const part of readAnswer(source)) expect(part.type).toBe('text');
    })();
    await expect(reading).rejects.toThrow('gone');
  });
});
