/** Loads a thing when it is first wanted, and hands its functions on before it is there. */

export interface LoadedOnce<Thing> {
  /** One load for all who ask. A load that failed is forgotten: whoever asks next tries anew. */
  load: () => Promise<Thing>;
  /** For those who want something of it only where somebody has asked for it already. */
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

/** The named functions of what `load` resolves to: each waits for it first. Nobody else of its functions is handed on. */
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
