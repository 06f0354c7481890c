import { describe, expect, test } from 'vitest';
import type { PromptMessage } from '../../../src/contracts/model';
import type { ToolSpec } from '../../../src/contracts/tool';
import { dialectOf } from '../../../src/protocol/dialects';
import { constrainReply } from '../../../src/protocol/constraint';
import { readReply } from '../../../src/protocol/reader';
import { createWriter } from '../../support/gbnf';
import { createRandom } from '../../support/random';
import { slow } from '../../support/matrix';

const tool = (
  name: string,
  properties: Record<string, unknown>,
  changed: Partial<ToolSpec> = {},
): ToolSpec => ({
  name,
  title: name,
  description: '',
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
  ...changed,
});
const fetchPage = tool('fetch_page', { url: { type: 'string' } });
const calculator = tool(
  'calculator',
  { expression: { type: 'string' } },
  { composedArguments: ['expression'] },
);
const lamp = tool('lamp', {
  room: { type: 'string' },
  mode: { enum: ['warm', 'cold'] },
  minutes: { type: 'integer' },
});
const user = (content: string): PromptMessage => ({ role: 'user', content });

/** Sample replies that the grammar allows, with the arguments of their calls. */
function sample(
  messages: readonly PromptMessage[],
  tools: readonly ToolSpec[],
  count = 400,
  copied?: Parameters<typeof constrainReply>[3],
) {
  const { grammar } = constrainReply(messages, tools, dialectOf('ember'), copied);
  const replies = Array.from({ length: count }, createWriter(grammar, createRandom()));
  const calls = replies.flatMap((reply) =>
    readReply(reply, tools).flatMap((event) => (event.type === 'tool-call' ? [event.call] : [])),
  );
  return { replies, calls };
}

test('if tools are offered, a call may start only when it is more likely than all other continuations together', () => {
  const { majorityFor, grammar } = constrainReply([user('Hi')], [fetchPage], dialectOf('ember'));
  const replies = Array.from({ length: 50 }, createWriter(grammar, createRandom()));
  for (const reply of replies)
    expect(reply.startsWith(majorityFor ?? '')).toBe(reply.includes('<tool_call>'));
  expect(constrainReply([user('Hi')], [], dialectOf('ember'))).not.toHaveProperty('majorityFor');
});

/** All arguments that a call of `fetch_page` may have. */
function copies(...messages: PromptMessage[]): Set<unknown> {
  const { calls } = sample(messages, [fetchPage], 2000);
  return new Set(calls.map((call) => call.type === 'tool-call' && call.arguments['url']));
}

test('a constrained reply is prose or valid calls of offered tools', () => {
  const { replies, calls } = sample([user('Light the hall for 5 minutes')], [fetchPage, calculator, lamp]);
  expect(new Set(calls.map(({ type }) => type))).toEqual(new Set(['tool-call']));
  expect(new Set(calls.map(({ name }) => name))).toEqual(new Set(['fetch_page', 'calculator', 'lamp']));
  expect(replies.some((reply) => !reply.includes('<'))).toBe(true);
  for (const reply of replies) expect(reply.includes('<') && !reply.startsWith('<tool_call>')).toBe(false);
});

describe('a call argument that must be copied from the chat', () => {
  slow('it may be one word, several consecutive words or all words', () => {
    expect(copies(user('the blue hall'))).toEqual(
      new Set(['the', 'the blue', 'the blue hall', 'blue', 'blue hall', 'hall']),
    );
  });

  slow('it may include or omit surrounding punctuation', () => {
    expect(copies(user('Open (“https://a.org/x?y=1”).'))).toEqual(
      new Set([
        'Open',
        'Open (“https://a.org/x?y=1',
        'Open (“https://a.org/x?y=1”).',
        'https://a.org/x?y=1',
        'https://a.org/x?y=1”).',
      ]),
    );
  });

  slow('it may be any part of a Chinese text, but a web address must be copied whole', () => {
    const found = copies(user('打开https://a.org/看'));
    expect(found).toContain('https://a.org/');
    expect(found).toContain('打');
    expect(found).not.toContain('https://a.org');
  });

  test("it may come from a tool result, but not from the model's own text or the tool list", () => {
    const found = copies(
      { role: 'system', content: 'system' },
      user('first'),
      { role: 'assistant', content: 'made-up' },
      { role: 'tool', content: 'found' },
    );
    expect(found).toEqual(new Set(['first', 'found']));
  });

  slow('it may join words of an earlier request and the newest one', () => {
    const found = copies(user('weather Rome'), { role: 'tool', content: '18 °C' }, user('in Oslo?'));
    expect(found).toContain('weather Rome');
    expect(found).toContain('weather in Oslo');
    expect(found).not.toContain('Oslo weather');
    expect(copies(user('天气'), user('北京'))).toContain('天气北京');
    expect(copies(user('weather in Rome'))).not.toContain('weather Rome');
  });

  test('it may contain any special characters', () => {
    const odd = 'a"b\\c\u0001\fd\u2028e';
    for (const copy of copies(user(odd))) expect(odd).toContain(copy);
  });

  test('an argument that the model composes is not restricted to copies', () => {
    const { calls } = sample([user('seven times eight')], [calculator]);
    const written = calls.map((call) => (call.type === 'tool-call' ? call.arguments['expression'] : ''));
    expect(written.some((text) => !'seven times eight'.includes(String(text)))).toBe(true);
  });

  test('it must equal the value that the app prepared for this tool, while the arguments of other tools may vary', () => {
    const copied = { calculator: { expression: '7*8' } };
    const { calls, replies } = sample([user('seven times eight')], [calculator, fetchPage], 400, copied);
    const sums = calls.filter(({ name }) => name === 'calculator');
    expect(sums.length).toBeGreaterThan(20);
    for (const sum of sums) expect(sum).toMatchObject({ arguments: { expression: '7*8' } });
    const others = calls.flatMap((call) => (call.name === 'fetch_page' ? [call] : []));
    expect(new Set(others.map((call) => call.type === 'tool-call' && call.arguments['url'])).size).toBe(6);
    expect(replies.some((reply) => !reply.includes('<'))).toBe(true);
  });

  test('it is unrestricted if the chat is too long to copy from', () => {
    const { calls } = sample([user('word '.repeat(1000))], [fetchPage], 50);
    expect(calls.some((call) => call.type === 'tool-call' && call.arguments['url'] !== 'word')).toBe(true);
  });
});
