import { expect, test } from 'vitest';
import { createCalculatorTool } from '../../../../src/tools/builtin/calculator';

const context = { signal: new AbortController().signal, onProgress: () => undefined };

test('the number is a text of its own, for a small model to copy; how exact it is follows', async () => {
  const tool = createCalculatorTool(async () => '53.3333333333 (exactly 160/3)');
  const output = await tool.execute({ expression: '1840/34.5' }, context);
  expect(output.content).toEqual([
    { type: 'text', text: '53.3333333333' },
    { type: 'text', text: '(exactly 160/3)' },
  ]);
});
