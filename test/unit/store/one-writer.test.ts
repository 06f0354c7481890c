import type { DBCore } from 'dexie';
import { expect, test, vi } from 'vitest';
import { serialiseWrites } from '../../../src/store/database';

test('every write transaction includes one common table, but read transactions do not', () => {
  const transaction = vi.fn();
  const core = serialiseWrites('common').create({ transaction } as unknown as DBCore);
  core.transaction?.(['chats'], 'readwrite');
  core.transaction?.(['notes', 'common'], 'readwrite');
  core.transaction?.(['chats'], 'readonly');
  expect(transaction.mock.calls.map(([tables]: unknown[]) => tables)).toEqual([
    ['chats', 'common'],
    ['notes', 'common'],
    ['chats'],
  ]);
});
