/** PURE: which tools of a list a person wants to see. */

export type ToolFilter = 'all' | 'on' | 'off';

export interface ToolWish {
  filter: ToolFilter;
  /** Names of what was searched for, best first; missing while nothing is. */
  found?: readonly string[] | undefined;
}

export function pickTools<Item>(
  items: readonly Item[],
  { filter, found }: ToolWish,
  nameOf: (item: Item) => string,
  isOn: (item: Item) => boolean,
): readonly Item[] {
  const byName = new Map(items.map((item) => [nameOf(item), item]));
  const wanted = found ? found.flatMap((name) => byName.get(name) ?? []) : items;
  return filter === 'all' ? wanted : wanted.filter((item) => isOn(item) === (filter === 'on'));
}
