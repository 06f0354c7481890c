/** The interceptors of a call, in the order in which the app applies them. */
import { expect, test } from 'vitest';
import { resolveCall, runToolCall } from '../../../src/agent/run-tool-call';
import { createCallRules } from '../../../src/app/turn-tools';
import type { ApprovalAnswer, ApprovalRequest, Grant } from '../../../src/contracts/permission';
import type { Tool, ToolStatistics } from '../../../src/contracts/tool';
import { stepOf, tool } from '../../support/tools';

/** Calls a tool that contacts a host. Records questions, runs and counted calls. */
function stage(answers: ApprovalAnswer[], { isOnline = true } = {}) {
  const log: string[] = [];
  const asked: ApprovalRequest[] = [];
  const counted: ToolStatistics[] = [];
  const grants: Grant[] = [];
  const rules = createCallRules({
    ask: async (request) => {
      log.push('asked');
      asked.push(request);
      return answers.shift() ?? 'deny';
    },
    grants: { list: async () => grants, add: async (grant) => void grants.push(grant) },
    isOnline: () => isOnline,
    refuse: () => undefined,
    recordCall: (added) => {
      log.push('counted');
      counted.push(added);
    },
    newId: () => 'id',
    date: () => 5,
    now: () => 0,
  });
  const reader: Tool = {
    ...tool('reader', async () => (log.push('run'), 'text')),
    annotations: { idempotentHint: true },
    effects: () => ({ type: 'net-hosts', hosts: ['a.org'] }),
  };
  const call = async () => {
    log.length = 0;
    const written = { type: 'tool-call' as const, id: 'c', name: 'reader', arguments: {} };
    const result = await runToolCall(resolveCall(written, { tools: [reader] }), {
      tools: [reader],
      interceptors: rules.inChat('chat').around,
      callMs: 1000,
      longestCallMs: 1000,
      signal: new AbortController().signal,
      emit: () => undefined,
      messages: [],
      promptOrigins: [],
      date: () => 5,
    });
    return { ...result, log: [...log] };
  };
  return { rules, reader, call, asked, counted, grants };
}

test('a tool call asks for permission, runs and is counted', async () => {
  const { call } = stage(['once', 'once', 'once']);
  expect((await call()).log).toEqual(['asked', 'run', 'counted']);
});

test('a tool call that needs the network does not ask for permission while offline', async () => {
  const offline = await stage(['once', 'once', 'once'], { isOnline: false }).call();
  expect(offline).toMatchObject({ isError: true, failure: 'offline', log: [] });
  expect(await stage(['deny']).call()).toMatchObject({ failure: 'refused', log: ['asked'] });
});

test('returning a cached tool result also requires permission', async () => {
  const { rules, call } = stage(['once', 'once', 'once']);
  await call();
  expect(await call()).toMatchObject({ cachedAt: 5, log: ['asked'] });
  rules.forgetCall({ name: 'reader', arguments: {} });
  expect((await call()).log).toEqual(['asked', 'run', 'counted']);
});

test('a tool call that the user refuses is not answered from the cache', async () => {
  const { call } = stage(['once', 'deny']);
  expect(await call()).toMatchObject({ isError: false });
  expect(await call()).toMatchObject({ isError: true, failure: 'refused' });
});

test('a test call in the tool editor asks for permission but cannot be allowed for a chat', async () => {
  const { rules, reader, asked } = stage(['once', 'once', 'once']);
  const call = { type: 'tool-call' as const, id: 'c', name: 'reader', arguments: {} };
  expect(await rules.inEditor().before?.(call, stepOf(reader, {}))).toBe('go');
  expect(asked).toMatchObject([{ chatId: '', offers: ['always'], targets: ['a.org'] }]);
});

test('the permission question in a chat offers to allow the call for that chat', async () => {
  const { call, asked, grants } = stage(['chat']);
  await call();
  expect(asked).toMatchObject([{ chatId: 'chat', offers: ['chat', 'always'] }]);
  expect(grants).toMatchObject([{ chatId: 'chat', target: 'a.org' }]);
});
