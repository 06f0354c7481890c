import { expect, test } from 'vitest';
import { createInbox } from '../../../src/contracts/inbox';

async function read<Item>(inbox: AsyncIterable<Item>, items: Item[] = []) {
  for await (const item of inbox) items.push(item);
  return items;
}

test('an async inbox delivers its items in order, even those added while the reader waits', async () => {
  const inbox = createInbox<number>();
  inbox.push(1);
  inbox.push(2);
  const items: number[] = [];
  const reading = read(inbox, items);
  await expect.poll(() => items).toEqual([1, 2]);
  inbox.push(3);
  inbox.end();
  expect(await reading).toEqual([1, 2, 3]);
});

test('after a failure, an async inbox delivers its remaining items and then throws the first error', async () => {
  const inbox = createInbox<number>();
  inbox.push(1);
  inbox.fail('no more');
  inbox.fail(new Error('again'));
  inbox.end();
  const items: number[] = [];
  await expect(read(inbox, items)).rejects.toThrow('no more');
  expect(items).toEqual([1]);
});
