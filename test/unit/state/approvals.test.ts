import { expect, test } from 'vitest';
import type { ServerQuestion } from '../../../src/contracts/mcp-server';
import type { ApprovalRequest } from '../../../src/contracts/permission';
import { Approvals } from '../../../src/state/approvals.svelte';

const request = (id: string): ApprovalRequest => ({
  id,
  chatId: 'chat',
  toolTitle: id,
  reason: 'remote',
  targets: [],
  origins: [],
  offers: [],
  call: { type: 'tool-call', id, name: 'echo', arguments: {} },
  isLastChance: false,
});
const question = (id: string): ServerQuestion => ({
  id,
  serverName: 'Everything',
  host: 'mcp.example.org',
  message: 'Who are you?',
  ask: { type: 'form', fields: [] },
});
const { signal } = new AbortController();

test('questions from servers and about tool calls are shown one at a time', async () => {
  const approvals = new Approvals();
  const [first, second, third] = [request('1'), question('2'), request('3')];
  const answers = [
    approvals.ask(first, signal),
    approvals.askForServer(second, signal),
    approvals.ask(third, signal),
  ];
  expect(approvals.current).toBe(first);
  approvals.answer(first, 'once');
  expect(approvals.current).toBe(second);
  approvals.answer(second, { action: 'decline' });
  expect(approvals.current).toBe(third);
  approvals.answer(third, 'deny');
  expect(approvals.current).toBeUndefined();
  expect(await Promise.all(answers)).toEqual(['once', { action: 'decline' }, 'deny']);
});

test('an answer to a question that is not on screen is ignored', async () => {
  const approvals = new Approvals();
  const [first, second] = [question('1'), request('2')];
  const asked = approvals.askForServer(first, signal);
  void approvals.ask(second, signal);
  approvals.answer(second, 'always');
  expect(approvals.current).toBe(first);
  approvals.answer(first, { action: 'cancel' });
  approvals.answer(first, { action: 'accept' });
  expect(await asked).toEqual({ action: 'cancel' });
});

test('aborting the current question shows the next one', async () => {
  const approvals = new Approvals();
  const abort = new AbortController();
  const asked = approvals.askForServer(question('1'), abort.signal);
  const next = request('2');
  void approvals.ask(next, signal);
  abort.abort(new Error('stopped'));
  await expect(asked).rejects.toThrow('stopped');
  expect(approvals.current).toBe(next);
  await expect(approvals.askForServer(question('3'), abort.signal)).rejects.toThrow('stopped');
});
