import { expect, test, vi } from 'vitest';
import { createTemporaryChats } from '../../../src/app/temporary-chats';
import { gives, handed, says } from '../../support/recorded-chat';

test('invariant: a temporary chat writes nothing to the store', async () => {
  vi.stubGlobal('addEventListener', () => undefined);
  const { functions, writes } = handed(gives(...says('Hello')));
  const { begin, has } = createTemporaryChats({ ...functions, onRunning: () => undefined }, () => true);
  const session = begin();
  session.setDraft('Half a thought');
  await session.send('Hi');
  expect(session.branch.map(({ message }) => message.role)).toEqual(['user', 'assistant']);
  expect(has(session.id)).toBe(true);
  expect(writes).toEqual([]);
  vi.unstubAllGlobals();
});
