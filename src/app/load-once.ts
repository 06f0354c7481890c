/** Loads code and services on first use. */

export interface LoadedOnce<Thing> {
  /** Starts the load, or returns the load that has started. After a failure, the next call tries again. */
  load: () => Promise<Thing>;
  /** The load, if it has started. Use it to avoid starting one. */
  readonly begun: Promise<Thing> | undefined;
}

export function loadOnce<Thing>(load: () => Promise<Thing>): LoadedOnce<Thing> {
  let begun: Promise<Thing> | undefined;
  return {
    load() {
      begun ??= load().catch((error: unknown) => {
        begun = undefined;
        throw error;
      });
      return begun;
    },
    get begun() {
      return begun;
    },
  };
}

type Lazy<Service> = {
  [Name in keyof Service]: Service[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : never;
};

/**
 * Returns a service with all methods of another service, which loads on the first call. Each call waits for the load and rejects if it
 * fails; the next call then tries again. The methods in `own` replace those of the same name.
 */
export function lazyService<Service extends object, Own extends object = object>(
  load: () => Promise<Service>,
  own?: Own,
): Omit<Lazy<Service>, keyof Own> & Own {
  const methods: Record<string, unknown> = { ...own };
  return new Proxy(methods, {
    get(_target, name) {
      // A promise that resolves to this object looks for a `then` method, which must not exist.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      // Create each method only once, because components compare the functions that they receive.
      return (methods[name] ??= async (...given: unknown[]) => {
        const service = await load();
        const method = service[name as keyof Service] as (...given: unknown[]) => unknown;
        return Reflect.apply(method, service, given);
      });
    },
  }) as Omit<Lazy<Service>, keyof Own> & Own;
}
