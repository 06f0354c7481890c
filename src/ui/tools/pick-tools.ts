export type ToolFilter = 'all' | 'on' | 'off';

export interface ToolQuery {
  filter: ToolFilter;
  /** Names of the search results, best first. Undefined without a search. */
  found?: readonly string[] | undefined;
}

/** Returns the items that match the search and the filter, in the order of the search results. */
export function pickTools<Item>(
  items: readonly Item[],
  { filter, found }: ToolQuery,
  nameOf: (item: Item) => string,
  isOn: (item: Item) => boolean,
): readonly Item[] {
  const byName = new Map(items.map((item) => [nameOf(item), item]));
  const matching = found ? found.flatMap((name) => byName.get(name) ?? []) : items;
  return filter === 'all' ? matching : matching.filter((item) => isOn(item) === (filter === 'on'));
}
