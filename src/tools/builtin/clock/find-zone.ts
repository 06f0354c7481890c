/** Finds the time zone of a place as people and models write it: an offset, an IANA zone, a city, a region, a country. */
import { nearest } from './nearest';
import { type Place, placeIndex, toKey } from './place-index';
import { readOffset } from './read-offset';
import { offsetAt, type Zone } from './write-time';

/** What may stand around a name and says nothing of where it is. */
const around = /^(the|cityof)|(localtime|time|city|当地时间|时间|时区|市|省|州|县|都|府|那边|那里)$/g;

/** Throws an error for the model, with the nearest names, if there is no such place. */
export function findZone(place: string, now: Date): Zone {
  const offset = readOffset(place);
  if (offset !== undefined) return { offset };
  const iana = place.includes('/') ? findIana(place) : undefined;
  if (iana !== undefined) return { name: iana, offset: offsetAt(now, iana) };

  const found = findByName(place) ?? findInParts(place);
  if (found) return toZone(found.place, now, found.note);
  const city = ianaCities().get(toKey(place));
  if (city !== undefined) return { name: city, offset: offsetAt(now, city) };
  throw new Error(
    `There is no place "${place}".${suggest(place)} A large city, a country or an IANA zone will do.`,
  );
}

interface Found {
  place: Place;
  note?: string;
}

function toZone({ zone, area, isArea }: Place, now: Date, note?: string): Zone {
  const offset = offsetAt(now, zone);
  const isOneTime = !isArea || [...area.zones].every((other) => offsetAt(now, other) === offset);
  const several = `${area.name} has several time zones; this is the time of ${area.capital}.`;
  const notes = [note, isOneTime ? undefined : several].filter((text) => text !== undefined);
  return { name: zone, offset, ...(notes.length > 0 && { note: notes.join(' ') }) };
}

/** As the table or else the browser spells it; nothing if there is no such zone. */
function findIana(place: string): string | undefined {
  const name = place.trim().replace(/\s+/g, '_').toLowerCase();
  const inTable = [...placeIndex.values()].map(({ zone }) => zone);
  const spelled = [...inTable, ...Intl.supportedValuesOf('timeZone')].find(
    (zone) => zone.toLowerCase() === name,
  );
  if (spelled !== undefined) return spelled;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The cities in the names of IANA zones: some hundred more than the table has. */
function ianaCities(): ReadonlyMap<string, string> {
  return new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [toKey(zone.split('/').at(-1) ?? ''), zone]),
  );
}

function findByName(name: string): Found | undefined {
  const key = toKey(name);
  const bare = key.replace(around, '');
  const place = placeIndex.get(key) ?? placeIndex.get(bare) ?? findWithinArea(bare);
  return place && { place };
}

/** `日本东京`, `Tokyo Japan`. */
function findWithinArea(key: string): Place | undefined {
  for (const [areaKey, { area, isArea }] of placeIndex) {
    if (!isArea) continue;
    const rests = [
      key.startsWith(areaKey) && key.slice(areaKey.length),
      key.endsWith(areaKey) && key.slice(0, -areaKey.length),
    ];
    for (const rest of rests) {
      const place = rest === false ? undefined : placeIndex.get(rest);
      if (place?.area === area) return place;
    }
  }
  return undefined;
}

/** `Paris, France`: the first names the place, the others where it is. `Asia/Beijing`: the last names the place. */
function findInParts(place: string): Found | undefined {
  const parts = place.split(/[,，、/()（）]/).filter((part) => toKey(part) !== '');
  if (parts.length < 2) return undefined;
  const [name = '', ...wheres] = place.includes('/') ? parts.toReversed() : parts;
  const found = findByName(name)?.place;
  const where = wheres.map((part) => findByName(part)?.place).find((known) => known !== undefined);
  if (!where) {
    const isZone = place.includes('/');
    return (
      found && { place: found, ...(!isZone && { note: `This is ${found.name} in ${found.area.name}.` }) }
    );
  }
  if (found?.area === where.area) return { place: found };
  return { place: where, note: `"${name.trim()}" there is not known; this is the time of ${where.name}.` };
}

function suggest(place: string): string {
  const key = toKey(place);
  if (key === '') return '';
  const near = nearest(key, new Set([...placeIndex.keys(), ...ianaCities().keys()]), 6);
  // A Chinese key is the name itself, and whoever asked in Chinese reads it more easily.
  const names = near.map((found) =>
    /\p{Script=Han}/u.test(found) ? found : (placeIndex.get(found)?.name ?? ianaCities().get(found)),
  );
  const different = [...new Set(names)].slice(0, 3);
  return different.length > 0 ? ` Nearest: ${different.join(', ')}.` : '';
}
