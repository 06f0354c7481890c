import { expect, test } from 'vitest';
import { createInbox } from '../../../src/contracts/inbox';

async function read<Item>(inbox: AsyncIterable<Item>, items: Item[] = []) {
  for await (const item of inbox) items.push(item);
  return items;
}

test('items of an inbox arrive in order, whether pushed before or during the wait', async () => {
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

test('a failure of an inbox arrives after the items before it, and only the first failure counts', async () => {
  const inbox = createInbox<number>();
  inbox.push(1);
  inbox.fail('no more');
  inbox.fail(new Error('again'));
  inbox.end();
  const items: number[] = [];
  await expect(read(inbox, items)).rejects.toThrow('no more');
  expect(items).toEqual([1]);
});
