/** Loads a thing on first use, and offers its functions before it is loaded. */

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

type Deferred<Thing, Name extends keyof Thing> = {
  [Key in Name]: Thing[Key] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : never;
};

/** Returns the named functions of the loaded thing. Each call waits for the load. */
export function deferred<Thing extends object, Name extends keyof Thing>(
  load: () => Promise<Thing>,
  names: readonly Name[],
): Deferred<Thing, Name> {
  const functions = names.map((name) => [
    name,
    async (...given: unknown[]) => {
      const thing = await load();
      return Reflect.apply(thing[name] as (...given: unknown[]) => unknown, thing, given);
    },
  ]);
  return Object.fromEntries(functions) as Deferred<Thing, Name>;
}
