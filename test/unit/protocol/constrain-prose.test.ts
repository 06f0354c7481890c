import { describe, expect, test } from 'vitest';
import type { PromptMessage } from '../../../src/contracts/model';
import { createStartPosition } from '../../../src/engines/gguf/gbnf-matcher';
import { writeProseGrammar } from '../../../src/protocol/constraint';
import { writeGrammar } from '../../../src/protocol/schema-grammar';

const asked: PromptMessage = { role: 'user', content: 'How heavy is it?' };
const about = (content: string): PromptMessage[] => [asked, { role: 'tool', content }];

function grammarFor(messages: readonly PromptMessage[]): string {
  const { prose, rules } = writeProseGrammar(messages);
  return writeGrammar(prose, rules);
}

function allows(messages: readonly PromptMessage[], text: string): boolean {
  const reached = createStartPosition(grammarFor(messages)).advance(new TextEncoder().encode(text));
  return reached?.canEnd ?? false;
}

describe('prose about a tool result', () => {
  test.for([
    'It weighs 2.35 kg.',
    'The parcel "A 35" (red) weighs 2.35 kg',
    '**2.35** kg, at most',
    'It is 2 or 35.',
    'Two lines.\n\nAnd “more”.',
    '35',
  ])('the grammar accepts well-formed text without invented numbers: %s', (text) =>
    expect(allows(about('weight: 2.35 kg'), text)).toBe(true),
  );

  test.for([
    'sides, 35}',
    'item: milk"}',
    'Result:',
    'weight,',
    'It is (2.35 kg',
    'It is 2.35 kg)',
    'It is “2.35 kg',
    '[2.35]',
    'weight | 2.35',
    'It weighs 2.35 - ',
    'It is 235 kg',
    'It is 7 kg',
    'It is     heavy',
    '重2.35公斤',
    '<tool_call>',
    '',
  ])('the grammar rejects malformed text, invented numbers and another language: %s', (text) =>
    expect(allows(about('weight: 2.35 kg'), text)).toBe(false),
  );

  test('it may be Chinese if the prompt is, but must close every quote and bracket', () => {
    const messages = about('重量：2.35公斤');
    expect(allows(messages, '包裹“小”重2.35公斤（净重）。')).toBe(true);
    expect(allows(messages, '包裹“小重2.35公斤。')).toBe(false);
    expect(allows(messages, '重量：')).toBe(false);
  });

  test('it may contain any number if the prompt contains none', () => {
    expect(allows(about('heavy'), 'It is 7 kg.')).toBe(true);
    expect(allows(about('heavy'), 'It is 7 {')).toBe(false);
  });
});

test('prose before a tool result may contain anything except tags', () => {
  expect(allows([asked], 'sides, 20}')).toBe(true);
  expect(allows([asked], '<tool_call>')).toBe(false);
});
