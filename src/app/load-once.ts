/** Loads a module when it is first needed, and offers its functions before it is loaded. */

export interface LoadedOnce<Thing> {
  /** Shares one load between all callers. A failed load is forgotten, so that the next caller tries again. */
  load: () => Promise<Thing>;
  /** The running or finished load, for callers that must not start one. */
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

type Late<Thing, Name extends keyof Thing> = {
  [Key in Name]: Thing[Key] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : never;
};

/** Returns the named functions of the module that `load` resolves to. Each call waits for the load. Other functions are not exposed. */
export function late<Thing extends object, Name extends keyof Thing>(
  load: () => Promise<Thing>,
  names: readonly Name[],
): Late<Thing, Name> {
  const functions = names.map((name) => [
    name,
    async (...given: unknown[]) => {
      const thing = await load();
      return Reflect.apply(thing[name] as (...given: unknown[]) => unknown, thing, given);
    },
  ]);
  return Object.fromEntries(functions) as Late<Thing, Name>;
}
