import { expect, test } from 'vitest';
import { createPrefillCheck } from '../../../../src/engines/web-llm/engine';

const system = { role: 'system', content: 'SYSTEM' };
const user = (content: string) => ({ role: 'user', content });
const reply = (content: string) => ({ role: 'assistant', content });
/** A question after a reply, as our template renders it. */
const next = (content: string) => user(`<end>${content}`);

function judge(...asked: { role: string; content: string }[]) {
  const check = createPrefillCheck();
  check.hold([system, user('one'), reply('1'), next('two'), reply('2'), next('three')], '3', 'stop');
  return check.judge(asked).reason;
}

test('no reason for reading the prompt again is reported if the chat only continues the cached prompt', () => {
  const before = [system, user('one'), reply('1'), next('two'), reply('2'), next('three'), reply('3')];
  expect(judge(...before, next('four'))).toBeUndefined();
});

test('a chat with its oldest messages dropped is recognised as the same chat', () => {
  const code = 'start-dropped';
  expect(judge(system, user('three'), reply('3'), next('four'))).toEqual({ code });
  expect(judge(system, user('two'), reply('2'), next('three'), reply('3'), next('four'))).toEqual({ code });
});

test('another chat is recognised as different, even if it begins with a question of the cached chat', () => {
  const code = 'other-chat';
  expect(judge(system, user('three'))).toEqual({ code });
  expect(judge(system, user('three'), reply('other'), next('four'))).toEqual({ code });
  expect(judge(system, user('new'))).toEqual({ code });
});
