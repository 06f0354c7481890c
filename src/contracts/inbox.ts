/** What is pushed, as an iterable: the one way from a callback or a port to a generator. */

export interface Inbox<Item> extends AsyncIterable<Item> {
  push: (item: Item) => void;
  /** Ends the iteration, after all that was pushed before. */
  end: () => void;
  /** Ends the iteration with this error, after all that was pushed before. The first failure counts. */
  fail: (error: unknown) => void;
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
  return {
    push(item) {
      items.push(item);
      wake();
    },
    end: () => endWith({}),
    fail: (error) => endWith({ error: error instanceof Error ? error : new Error(String(error)) }),
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const item = items.shift();
        if (item !== undefined) yield item;
        else if (ending?.error) throw ending.error;
        else if (ending) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
