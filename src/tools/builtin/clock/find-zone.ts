/** Finds the time zone of a place: an offset, an IANA zone, a city, a region or a country. */
import { type Place, placeIndex, toPlaceKey } from './places';
import { offsetMinutesAt, type Zone } from './write-time';

const affixPattern = /^(the|cityof)|(localtime|time|city|当地时间|时间|时区|市|省|州|县|都|府|那边|那里)$/g;

/** If the place is unknown, throws an error that suggests similar names to the model. */
export function findZone(place: string, now: Date): Zone {
  const offset = readOffsetMinutes(place);
  if (offset !== undefined) return { offset };
  const iana = place.includes('/') ? findIanaZone(place) : undefined;
  if (iana !== undefined) return { name: iana, offset: offsetMinutesAt(now, iana) };

  const named = findPlaceByName(place);
  const found = named ? { place: named } : findPlaceByPart(place);
  if (found) return toZone(found.place, now, found.note);
  const city = indexZonesByCity().get(toPlaceKey(place));
  if (city !== undefined) return { name: city, offset: offsetMinutesAt(now, city) };
  throw new Error(
    `There is no place "${place}".${suggestNames(place)} A large city, a country or an IANA zone will do.`,
  );
}

function toZone({ zone, area, isArea }: Place, now: Date, note?: string): Zone {
  const offset = offsetMinutesAt(now, zone);
  const isOneTime = !isArea || [...area.zones].every((other) => offsetMinutesAt(now, other) === offset);
  const several = `${area.name} has several time zones; this is the time of ${area.capital}.`;
  const notes = [note, isOneTime ? undefined : several].filter((text) => text !== undefined);
  return { name: zone, offset, ...(notes.length > 0 && { note: notes.join(' ') }) };
}

function findIanaZone(place: string): string | undefined {
  const name = place.trim().replace(/\s+/g, '_').toLowerCase();
  const inTable = [...placeIndex.values()].map(({ zone }) => zone);
  const zones = [...inTable, ...Intl.supportedValuesOf('timeZone')];
  const spelled = zones.find((zone) => zone.toLowerCase() === name);
  if (spelled !== undefined) return spelled;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function indexZonesByCity(): ReadonlyMap<string, string> {
  return new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [toPlaceKey(zone.split('/').at(-1) ?? ''), zone]),
  );
}

function findPlaceByName(name: string): Place | undefined {
  const key = toPlaceKey(name);
  const bare = key.replace(affixPattern, '');
  return placeIndex.get(key) ?? placeIndex.get(bare) ?? findPlaceInArea(bare);
}

function findPlaceInArea(key: string): Place | undefined {
  for (const [areaKey, { area, isArea }] of placeIndex) {
    if (!isArea) continue;
    const rests = [
      key.startsWith(areaKey) ? key.slice(areaKey.length) : '',
      key.endsWith(areaKey) ? key.slice(0, -areaKey.length) : '',
    ];
    const place = rests.map((rest) => placeIndex.get(rest)).find((known) => known?.area === area);
    if (place) return place;
  }
  return undefined;
}

/** In `Paris, France`, the first part is the place. In a name with slashes, such as `Asia/Beijing`, it is the last part. */
function findPlaceByPart(place: string): { place: Place; note?: string } | undefined {
  const parts = place.split(/[,，、/()（）]/).filter((part) => toPlaceKey(part) !== '');
  if (parts.length < 2) return undefined;
  const isZone = place.includes('/');
  const [name = '', ...wheres] = isZone ? parts.toReversed() : parts;
  const found = findPlaceByName(name);
  const where = wheres.map(findPlaceByName).find((known) => known !== undefined);
  if (found && found.area === where?.area) return { place: found };
  if (where)
    return { place: where, note: `"${name.trim()}" there is not known; this is the time of ${where.name}.` };
  return found && { place: found, ...(!isZone && { note: `This is ${found.name} in ${found.area.name}.` }) };
}

function suggestNames(place: string): string {
  const key = toPlaceKey(place);
  if (key === '') return '';
  const near = findNearestKeys(key, new Set([...placeIndex.keys(), ...indexZonesByCity().keys()]), 6);
  // A Chinese key is itself a name, and the user probably asked in Chinese. Do not replace it with the English name.
  const names = near.map((found) =>
    /\p{Script=Han}/u.test(found) ? found : (placeIndex.get(found)?.name ?? indexZonesByCity().get(found)),
  );
  const different = [...new Set(names)].slice(0, 3);
  return different.length > 0 ? ` Nearest: ${different.join(', ')}.` : '';
}

/** Nearest first. Keys contain only letters and digits. */
function findNearestKeys(key: string, known: Iterable<string>, count: number): string[] {
  const limit = Math.max(1, Math.floor(key.length / 3));
  const distanceOf = (other: string) => {
    if (containsName(key, other) || containsName(other, key)) return 1;
    return Math.abs(key.length - other.length) > limit ? Infinity : editDistance(key, other);
  };
  return [...known]
    .map((other) => ({ other, distance: distanceOf(other) }))
    .filter(({ distance }) => distance <= limit)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, count)
    .map(({ other }) => other);
}

/** True if `whole` contains `part`, as `frankfurtammain` contains `frankfurt`. False if `part` is very short. */
function containsName(whole: string, part: string): boolean {
  const isLongEnough = part.length >= 4 || (part.length >= 2 && /\p{Script=Han}/u.test(part));
  return isLongEnough && whole.includes(part);
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

const utcOffsetPattern = /^(?:utc|gmt|z)?(?:([+-])(\d{1,2})(?::?(\d{2}))?)?$/;
const chineseOffsetPattern = /^([东西])([一二三四五六七八九十]{1,2})区$/;
const chineseNumerals = ['', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];
const greenwichPattern = /^(?:greenwich(?:meantime)?|格林[威尼]治|(?:协调)?世界时)$/;

/** Parses `UTC+8`, `GMT-3:30`, `+05:30` or `东八区` into minutes east of UTC. Throws if the offset is out of range. */
function readOffsetMinutes(place: string): number | undefined {
  const text = place
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[−–]/g, '-')
    .replace(/\s|时间$/g, '');
  if (text === '') return undefined;
  if (greenwichPattern.test(text)) return 0;

  const zone = chineseOffsetPattern.exec(text);
  if (zone) {
    const hours = chineseNumerals.indexOf(zone[2] ?? '');
    return hours < 0 ? undefined : hours * (zone[1] === '西' ? -60 : 60);
  }

  const offset = utcOffsetPattern.exec(text);
  if (!offset) return undefined;
  const [, sign, hours = 0, minutes = 0] = offset;
  const size = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  if (Number(minutes) > 59 || size < -12 * 60 || size > 14 * 60) {
    throw new RangeError(`"${place}" is no offset; they go from UTC-12:00 to UTC+14:00`);
  }
  return size;
}
