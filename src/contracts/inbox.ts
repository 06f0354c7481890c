/** Turns items from a callback or a port into an async iterable for one reader. */
export function createInbox<Item>() {
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
    push(item: Item): void {
      items.push(item);
      wake();
    },
    /** Ends the iteration once all pushed items are read. */
    end: () => endWith({}),
    /** Ends the iteration with an error once all pushed items are read. Only the first call of `end` or `fail` counts. */
    fail: (error: unknown) => endWith({ error: error instanceof Error ? error : new Error(String(error)) }),
    /** Resolves to the next item. Rejects if the inbox has ended or failed. */
    async next(): Promise<Item> {
      const result = await take();
      if (result.done) throw new Error('Nothing more comes.');
      return result.value;
    },
    [Symbol.asyncIterator]: () => ({ next: take }),
  };
}
