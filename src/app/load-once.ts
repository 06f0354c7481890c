/** Loads things on first use. */

export interface LoadedOnce<Thing> {
  /** Callers share one load. After a failure the next call tries again. */
  load: () => Promise<Thing>;
  /** For callers that do not start the load themselves. */
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

/** A service whose methods all return promises. */
type Lazy<Service> = {
  [Name in keyof Service]: Service[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : never;
};

/**
 * Returns an object with the methods of a service that loads on first use, and with `own`, which come first. Each call waits for `load`,
 * and rejects if that fails; the next call loads again.
 */
export function lazyService<Service extends object, Own extends object = object>(
  load: () => Promise<Service>,
  own?: Own,
): Omit<Lazy<Service>, keyof Own> & Own {
  const methods: Record<string, unknown> = { ...own };
  return new Proxy(methods, {
    get(_target, name) {
      // A promise looks for `then` in its result. This object must not pass for a promise.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      // Each method is created once, because components compare the functions that they receive.
      return (methods[name] ??= async (...given: unknown[]) => {
        const service = await load();
        const method = service[name as keyof Service] as (...given: unknown[]) => unknown;
        return Reflect.apply(method, service, given);
      });
    },
  }) as Omit<Lazy<Service>, keyof Own> & Own;
}
