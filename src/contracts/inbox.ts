/** What is pushed, as an iterable: the one way from a callback or a port to a generator. */

export interface Inbox<Item> extends AsyncIterable<Item, undefined> {
  push: (item: Item) => void;
  /** Ends the iteration, after all that was pushed before. */
  end: () => void;
  /** Ends the iteration with this error, after all that was pushed before. The first failure counts. */
  fail: (error: unknown) => void;
  /** Resolves to the next item, for a reader that takes them one by one. Rejects with the failure, and after the end. */
  next: () => Promise<Item>;
}

/** For one reader. */
export function createInbox<Item>(): Inbox<Item> {
  const items: Item[] = [];
  let ending: { error?: Error } | undefined;
  let wake = () => {};
  const endWith = (how: { error?: Error }) => {
    ending ??= how;
    wake();
  };
  const take = async (): Promise<IteratorResult<Item, undefined>> => {
    for (;;) {
      const item = items.shift();
      if (item !== undefined) return { value: item, done: false };
      if (ending?.error) throw ending.error;
      if (ending) return { value: undefined, done: true };
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return {
    push(item) {
      items.push(item);
      wake();
    },
    end: () => endWith({}),
    fail: (error) => endWith({ error: error instanceof Error ? error : new Error(String(error)) }),
    async next() {
      const taken = await take();
      if (taken.done) throw new Error('Nothing more comes.');
      return taken.value;
    },
    [Symbol.asyncIterator]: () => ({ next: take }),
  };
}
