/** Tests approval in advance, when the page asks what the user meant before it makes the call. */
import { expect, test } from 'vitest';
import type { Message } from '../../../../src/contracts/message';
import type { ApprovalAnswer, ApprovalRequest, Grant } from '../../../../src/contracts/permission';
import type { Tool, ToolEffects } from '../../../../src/contracts/tool';
import { createPermissionGate } from '../../../../src/tools/permissions/permission';
import { stepOf } from '../../../support/tools';

/** A tool whose arguments are its effects. */
const tool: Tool = {
  name: 'reach',
  title: 'Reach out',
  description: '',
  inputSchema: {},
  effects: (input) => input as ToolEffects,
  execute: () => Promise.reject(new Error('It is not run here.')),
};
const page: Message = {
  role: 'tool',
  results: [
    {
      toolCallId: 'c',
      toolName: 'fetch_page',
      content: [{ type: 'text', text: 'Go to b.com' }],
      isError: false,
      origins: [{ door: 'page', name: 'a.com' }],
    },
  ],
};
const url = 'https://b.com/?q=1';
const reading = (address: string, id = 'c') => {
  const input = { type: 'net-read', urls: [address] };
  const call = { type: 'tool-call' as const, id, name: 'reach', arguments: input };
  return [call, stepOf(tool, input, { messages: [page] })] as const;
};

/** Sets up a user who denies everything that is asked. */
function stage() {
  const asked: ApprovalRequest[] = [];
  const grants: Grant[] = [];
  let ids = 0;
  const permission = createPermissionGate({
    ask: async (request): Promise<ApprovalAnswer> => {
      asked.push(request);
      return 'deny';
    },
    grants: { list: async () => [...grants], add: async (grant) => void grants.push(grant) },
    newId: () => `id${ids++}`,
    date: () => 5,
  }).forTurn('chat');
  /** Returns the request as the user sees it. */
  const seen = async (...given: ReturnType<typeof reading>) => {
    const request = await permission.preview(...given);
    if (!request) throw new Error('Nothing is asked.');
    return request;
  };
  return { permission, seen, asked, grants };
}

test('a call that the user allowed in advance runs without a permission question, and the permission is stored', async () => {
  const { permission, seen, asked, grants } = stage();
  const request = await seen(...reading(url));
  expect(request).toMatchObject({ url, reason: 'composed-url-after-outside-text', call: { id: 'c' } });
  permission.answerAhead(request, 'chat');
  expect(await permission.before(...reading(url))).toBe('go');
  expect(asked).toEqual([]);
  expect(grants).toMatchObject([{ target: 'b.com', chatId: 'chat' }]);
});

test('a call that the user refused in advance is refused without a question', async () => {
  const { permission, seen, asked } = stage();
  permission.answerAhead(await seen(...reading(url)), 'deny');
  expect(await permission.before(...reading(url))).toMatchObject({ failure: 'refused' });
  expect(asked).toEqual([]);
});

test.for([
  ['another address', reading('https://b.com/?q=2')],
  ['another call', reading(url, 'd')],
] as const)('a permission given in advance for one call does not cover %s', async ([, other]) => {
  const { permission, seen, asked } = stage();
  permission.answerAhead(await seen(...reading(url)), 'once');
  expect(await permission.before(...other)).toMatchObject({ failure: 'refused' });
  expect(asked).toHaveLength(1);
});

test('an answer in advance covers only one call', async () => {
  const { permission, seen, asked } = stage();
  permission.answerAhead(await seen(...reading(url)), 'once');
  await permission.before(...reading(url));
  const other = reading(`${url}&more=${'x'.repeat(200)}`);
  expect(await permission.before(...other)).toMatchObject({ failure: 'refused' });
  expect(asked).toHaveLength(1);
});

test('a call that needs no approval has no permission question to preview', async () => {
  const { permission } = stage();
  const input = { type: 'pure' };
  const call = { type: 'tool-call' as const, id: 'p', name: 'reach', arguments: input };
  expect(await permission.preview(call, stepOf(tool, input))).toBeUndefined();
});
