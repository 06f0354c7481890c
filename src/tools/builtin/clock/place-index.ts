import { places } from './places';

interface Area {
  name: string;
  /** The place whose time zone represents the whole area. */
  capital: string;
  zone: string;
  zones: ReadonlySet<string>;
}

/** A city, a region, the name of a time zone, or an area. */
export interface Place {
  name: string;
  zone: string;
  area: Area;
  isArea: boolean;
}

const otherLetters: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ß: 'ss', æ: 'ae', ı: 'i' };

export const placeIndex: ReadonlyMap<string, Place> = new Map(readTable());

/** Normalises a name: no case, accents, spaces or punctuation. */
export function toKey(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[øłđßæı]/g, (letter) => otherLetters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function* readTable(): Generator<[string, Place]> {
  for (const line of places.trim().split(/\n(?!;)/)) {
    const [names = '', ...groups] = line.split(/\s*;\s*/);
    const cities = groups.flatMap((group) => {
      const [zone = '', ...rest] = group.split(' ');
      const entries = rest.join(' ').split(', ');
      return entries.map((entry) => ({ zone, names: entry.split('|') }));
    });
    const [first] = cities;
    if (!first) throw new Error(`No place in "${line}"`);

    const area: Area = {
      name: names.split('|')[0] ?? '',
      capital: first.names[0] ?? '',
      zone: first.zone,
      zones: new Set(cities.map(({ zone }) => zone)),
    };
    yield* keysOf(names.split('|'), { name: area.name, zone: area.zone, area, isArea: true });
    for (const city of cities) {
      yield* keysOf(city.names, { name: city.names[0] ?? '', zone: city.zone, area, isArea: false });
    }
  }
}

function* keysOf(names: readonly string[], place: Place): Generator<[string, Place]> {
  for (const name of names) yield [toKey(name), place];
}
