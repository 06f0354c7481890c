import { expect, test } from 'vitest';
import type { Message, ToolResult } from '../../../src/contracts/message';
import { createReadResultTool } from '../../../src/tools/read-result';

const context = { signal: new AbortController().signal, onProgress: () => undefined };
const result = (toolName: string, more: Partial<ToolResult> = {}): ToolResult => ({
  toolCallId: toolName,
  toolName,
  content: [{ type: 'text', text: `text of ${toolName}` }],
  isError: false,
  origins: [{ door: 'hearth' }],
  ...more,
});
const whole = {
  handle: 'r2',
  id: 'row',
  toolName: 'fetch_page',
  characters: 900,
  given: [[0, 20]] as [number, number][],
};
const messages: Message[] = [
  {
    role: 'tool',
    results: [
      result('clock'),
      result('fetch_page', { whole, origins: [{ door: 'page', name: 'a.org' }] }),
      result('mail', { isError: true }),
      result('find_tools', { foundTools: ['mail'] }),
      result('read_result', { whole }),
    ],
  },
  { role: 'tool', results: [result('fetch_page', { whole: { ...whole, handle: 'r6', id: 'gone' } })] },
];
const read = (handle: string, query = 'keeper') =>
  createReadResultTool({
    messages: () => messages,
    load: async (id) => (id === 'row' ? 'all of the page' : undefined),
  }).execute({ handle, query }, context);

test('the tool read_result returns a cut result in full, with its origins', async () => {
  expect(await read('r2')).toEqual({
    content: [{ type: 'text', text: 'all of the page' }],
    isError: false,
    origins: [{ door: 'page', name: 'a.org' }],
    whole,
  });
  expect(await read(' R2 ')).toMatchObject({ isError: false });
});

test('the tool read_result returns a short result from the conversation itself', async () => {
  expect(await read('r1')).toEqual({
    content: [{ type: 'text', text: 'text of clock' }],
    isError: false,
    origins: [{ door: 'hearth' }],
    whole: { handle: 'r1', toolName: 'clock', characters: 13, given: [] },
  });
});

test('the error of read_result lists all available results if the requested one does not exist', async () => {
  for (const handle of ['r3', 'r4', 'r5', 'r9', 'page']) {
    const { isError, content } = await read(handle);
    expect(isError).toBe(true);
    expect(content).toEqual([
      {
        type: 'text',
        text: `There is no result "${handle}". There are: r1 (clock), r2 (fetch_page), r6 (fetch_page).`,
      },
    ]);
  }
});

test('the error of read_result names the tool to call again if the result was deleted', async () => {
  expect(await read('r6')).toMatchObject({
    isError: true,
    content: [{ text: 'The rest of r6 is not kept. Call fetch_page again, or answer without it.' }],
  });
});

test('the tool read_result requires a query', async () => {
  expect(await read('r2', '')).toMatchObject({ isError: true, failure: 'arguments' });
});

test('the tool read_result contacts no host and changes no data', () => {
  const tool = createReadResultTool({ messages: () => [], load: async () => undefined });
  expect(tool.effects({ handle: 'r1', query: 'x' })).toEqual({ type: 'pure' });
});
