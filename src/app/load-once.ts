export interface LoadedOnce<Thing> {
  /** Starts the load, or returns the load already started. After a failure, the next call tries again. */
  load: () => Promise<Thing>;
  /** The load, if already started. Reading this never starts a load. */
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

type LazyMethods<Service> = {
  [Name in keyof Service]: Service[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : never;
};

/** Returns a proxy for a service that loads on first use. After a failed load, the next call tries again. Methods in `own` replace the service's methods. */
export function loadLazily<Service extends object, Own extends object = object>(
  load: () => Promise<Service>,
  own?: Own,
): Omit<LazyMethods<Service>, keyof Own> & Own {
  const methods: Record<string, unknown> = { ...own };
  return new Proxy(methods, {
    get(_target, name) {
      // JavaScript looks for a `then` method on a value that a promise resolves to. This proxy must not have one.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      // Create each method only once, because components compare the functions that they receive.
      return (methods[name] ??= async (...given: unknown[]) => {
        const service = await load();
        const method = service[name as keyof Service] as (...given: unknown[]) => unknown;
        return Reflect.apply(method, service, given);
      });
    },
  }) as Omit<LazyMethods<Service>, keyof Own> & Own;
}
