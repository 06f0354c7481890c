import { expect, test } from 'vitest';
import { ChatRecord } from '../../../src/contracts/chat';
import { read } from '../../../src/contracts/schema';
import { isPlainChat } from '../../../src/store/first-chats';
import { chatRecord } from '../../support/stored-chat';

const fields = [...Object.keys(ChatRecord.shape), 'unknown', '__proto__'];
const values = [
  ...[undefined, null, true, 0, 1.5, NaN, Infinity, '', 'text', [], ['tool'], [7], {}, { id: 'a' }],
  ...[new Date(0), 7n, new Map(), { chatId: 'a', callId: 'b' }, 'always', Array(2)],
];

test('a row that passes the fast check also passes the schema unchanged', () => {
  let passed = 0;
  for (const field of fields)
    for (const value of values) {
      const row: object = { ...chatRecord('chat') };
      Object.defineProperty(row, field, { value, enumerable: true, configurable: true });
      if (!isPlainChat(row)) continue;
      passed++;
      expect(read(ChatRecord, row)).toEqual({ ok: true, value: row });
    }
  expect(passed).toBeGreaterThan(30);
});

test('nearly all rows pass the fast check', () => {
  const arranged = { pinnedAt: 5, archivedAt: 6, folderId: 'folder', persona: 'persona', deletedAt: 7 };
  for (const row of [
    chatRecord('chat'),
    chatRecord('chat', { leafId: 'leaf', toolsOff: ['web'], ...arranged }),
  ])
    expect(isPlainChat(row)).toBe(true);
});
