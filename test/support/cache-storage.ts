/** The parts of the Cache API that model files need, because Node has none. */
export function createCacheStorage(
  files: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): CacheStorage {
  const stored = new Map(
    Object.entries(files).map(([name, texts]) => [name, new Map(Object.entries(texts))] as const),
  );
  const open = (name: string) => {
    const texts = stored.get(name) ?? new Map<string, string>();
    stored.set(name, texts);
    return {
      match: async (asked: string | Request) => {
        const url = typeof asked === 'string' ? asked : asked.url;
        return texts.has(url) ? new Response(texts.get(url)) : undefined;
      },
      add: () => Promise.reject(new TypeError("Failed to execute 'add' on 'Cache': Request failed")),
      keys: async () => Array.from(texts.keys(), (url) => ({ url })),
    };
  };
  return { open: async (name: string) => open(name) } as unknown as CacheStorage;
}
