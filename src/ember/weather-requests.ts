/** Reads weather requests in English and Chinese, because the small model was not trained on the weather tool. */
import { type Message, type PlainCall, pageWriterId } from '../contracts/message';
import en from './en.json';
import { captureFirstGroup, expandPattern, type PatternName, patternOf } from './phrases';
import { lastTurnOf, requestsIn } from './read-intent';
import zh from './zh.json';

export type IsKnownPlace = (name: string) => boolean;

interface WeatherRequest {
  places: readonly string[];
  /** Number of forecast days, starting today. Undefined if the request is about now or today. */
  days: number | undefined;
}

/** Reads the weather calls of the newest message, which may continue an earlier request: `and in Bergen?`. Empty if a place is missing. */
export function readWeather(history: readonly Message[], isPlace: IsKnownPlace): PlainCall[] | undefined {
  const [message, ...before] = requestsIn(history).toReversed();
  if (message === undefined) return undefined;
  const asked = readWeatherRequest(message, isPlace);
  if (asked && asked.places.length > 0) return toWeatherCalls(asked);
  const last = findLastWeatherCall(history);
  if (asked) {
    const place = last?.place ?? before.map(readWhereabouts).find((where) => where !== undefined);
    return toWeatherCalls({ ...asked, places: place === undefined ? [] : [place] });
  }
  return (
    readPlaceAnswer(message, history, before[0], isPlace) ?? (last && continueRequest(message, last, isPlace))
  );
}

export function toWeatherCalls({ places, days }: WeatherRequest): PlainCall[] {
  return places.map((place) => ({
    name: 'weather',
    arguments: { place, ...(days !== undefined && { days }) },
  }));
}

const maxRequestCharacters = 120;
const maxPlaceAnswerCharacters = 40;

/** Undefined if the request is not about the weather, or if no forecast can answer it. */
export function readWeatherRequest(request: string, isPlace: IsKnownPlace): WeatherRequest | undefined {
  const text = normaliseText(request);
  if (text === '' || text.length > maxRequestCharacters || /https?:|www\.|\n/.test(request)) return undefined;
  return /\p{Script=Han}/u.test(text) ? readChineseRequest(text, isPlace) : readEnglishRequest(text, isPlace);
}

/** Reads the place from an answer to `For which place?`: `Graz`, `in Graz, please`, `兰州吧`. */
export function readPlaceName(message: string): string | undefined {
  const text = normaliseText(message);
  if (text.length > maxPlaceAnswerCharacters) return undefined;
  const name = text
    .replace(expandPattern(String.raw`^(?:{place-openers}(?=[\s,，]|\p{Script=Han})[\s,，]*)+`, 'iu'), '')
    .replace(expandPattern(String.raw`[\s,，]*{place-closers}?[\s.!?。！？]*$`, 'iu'), '');
  return /^\p{Script=Han}{2,8}$|^\p{L}[\p{L}'.-]*(?:,? \p{L}[\p{L}'.-]*){0,3}$/u.test(name)
    ? name
    : undefined;
}

/** Reads the user's current place: `I'm in Lyon for a trade fair.` */
export function readWhereabouts(message: string): string | undefined {
  return captureFirstGroup('weather.whereabouts', normaliseText(message));
}

export function normaliseText(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').replace(/’/g, "'").trim();
}

function readPlaceAnswer(
  message: string,
  history: readonly Message[],
  before: string | undefined,
  isPlace: IsKnownPlace,
): PlainCall[] | undefined {
  const asking = history.at(-2);
  if (asking?.role !== 'assistant' || asking.writer !== pageWriterId || before === undefined)
    return undefined;
  const open = readWeatherRequest(before, isPlace);
  const place = open?.places.length === 0 ? readPlaceName(message) : undefined;
  return open && place !== undefined ? toWeatherCalls({ places: [place], days: open.days }) : undefined;
}

function findLastWeatherCall(history: readonly Message[]) {
  const calls = lastTurnOf(history.slice(0, -1)).written.filter((part) => part.type === 'tool-call');
  const { place, days } = calls.length === 1 && calls[0]?.name === 'weather' ? calls[0].arguments : {};
  if (typeof place !== 'string') return undefined;
  return { place, days: typeof days === 'number' ? days : undefined };
}

function continueRequest(
  message: string,
  last: { place: string; days: number | undefined },
  isPlace: IsKnownPlace,
): PlainCall[] | undefined {
  const text = message.normalize('NFKC').trim();
  const days = ([3, 2, 7] as const).find((count) => patternOf(`weather.next.${count}`).test(text));
  if (days !== undefined) return toWeatherCalls({ places: [last.place], days });
  const place = readPlaceName(captureFirstGroup('weather.other-place', text) ?? '');
  if (place === undefined || !isPlace(place)) return undefined;
  return toWeatherCalls({ places: [place], days: last.days });
}

function readEnglishRequest(text: string, isPlace: IsKnownPlace): WeatherRequest | undefined {
  const request = text
    .replace(patternOf('weather.openers', 'en'), '')
    .replace(patternOf('weather.closers', 'en'), '');
  const has = (name: PatternName) => patternOf(name, 'en').test(request);
  if (has('weather.beyond') || has('weather.tells')) return undefined;
  const { length } = request.split(' ');
  const isAsked =
    has('weather.asks') || (length <= 8 && has('weather.strong')) || (length <= 13 && has('weather.kind'));
  // A weak weather word may describe something else: `hot restaurants`, `cold war`.
  const isWeather = has('weather.strong') || (has('weather.weak') && !has('weather.of-things'));
  if (!isWeather) return undefined;
  const days = readEnglishDays(request);
  if (days === 'too many' || !isAsked) return undefined;
  const place = findEnglishPlace(request, isPlace);
  if (place !== undefined) return { places: readPlaceList(request, place, isPlace), days };
  return hasOnlyWeatherWords(request) ? { places: [], days } : undefined;
}

function readEnglishDays(text: string): number | undefined | 'too many' {
  const has = (name: PatternName) => patternOf(name, 'en').test(text);
  if (has('weather.day-after')) return 3;
  const [, counted] = patternOf('weather.counted', 'en').exec(text) ?? [];
  if (counted !== undefined) return parseDayCount(counted.toLowerCase(), en.numbers);
  if (has('weather.two-days')) return 2;
  if (has('weather.few-days')) return 3;
  if (has('weather.in-week')) return 7;
  return has('weather.next-day') ? 2 : undefined;
}

function parseDayCount(written: string, numbersByName: Readonly<Record<string, number>>) {
  const days = numbersByName[written] ?? Number(written);
  return days >= 1 && days <= 7 ? days : 'too many';
}

/** Reads lists: `Oslo, Bergen and Rome`. Only known places may follow the first one; `Paris, Texas` is one place. */
function readPlaceList(text: string, first: string, isPlace: IsKnownPlace): string[] {
  const places = [first];
  let isList = false;
  let rest = text.slice(text.indexOf(first) + first.length);
  for (;;) {
    const joint = patternOf('weather.joint').exec(rest)?.[0];
    const behind = joint === undefined ? '' : rest.slice(joint.length);
    const name = findKnownEnglishPlace(behind, isPlace);
    if (joint === undefined || name === undefined) break;
    places.push(name);
    isList ||= joint.trim() !== ',';
    rest = behind.slice(name.length);
  }
  return isList ? places : [places.slice(0, 2).join(', ')];
}

/** Prefers a known place. Otherwise returns a likely place name, for example after a preposition. */
function findEnglishPlace(text: string, isPlace: IsKnownPlace): string | undefined {
  const names = [...placesAfterPrepositions(text), ...placesByWeatherWords(text), ...splitIntoPhrases(text)];
  const [known] = names.flatMap((name) => findKnownEnglishPlace(name, isPlace) ?? []);
  if (known !== undefined) return known;
  return names.map(trimPlaceName).find((name) => name !== undefined && isLikelyPlace(name, text));
}

const placeWordPattern = String.raw`\p{L}[\p{L}'.-]*`;

function placesAfterPrepositions(text: string): string[] {
  return en.prepositions.flatMap((preposition) => {
    const source = `\\b(?:${preposition}) (?=((?:the )?${placeWordPattern}(?:,? ${placeWordPattern}){0,4}))`;
    return [...text.matchAll(expandPattern(source, 'giu'))].map(([, given = '']) => given);
  });
}

function placesByWeatherWords(text: string): string[] {
  const place = `(${placeWordPattern}(?: ${placeWordPattern}){0,2})`;
  const patterns = [`^${place} {weather-kinds}\\b`, `\\b{weather-kinds},? ${place}`];
  return patterns.flatMap((pattern) => expandPattern(pattern, 'iu').exec(text)?.[1] ?? []);
}

function splitIntoPhrases(text: string): string[] {
  return text
    .split(/[:,;?!]\s*/)
    .filter((segment) => /^\p{Lu}/u.test(segment) || segment.split(' ').length <= 3);
}

const ambiguousPlaces: ReadonlySet<string> = new Set(en.ordinaryPlaces.split(' '));

function isWeatherWord(text: string): boolean {
  return (['filling', 'weak', 'strong'] as const).some((kind) => patternOf(`weather.${kind}`).test(text));
}

function findKnownEnglishPlace(given: string, isPlace: IsKnownPlace): string | undefined {
  const words = given.replace(/^the (?=\p{Ll})/u, '').split(' ');
  for (let count = Math.min(words.length, 4); count > 0; count--) {
    const name = words
      .slice(0, count)
      .join(' ')
      .replace(/[,.?!;:]+$/, '')
      .replace(/'s$/, '');
    const isFilling = patternOf('weather.filling').test(name) || patternOf('weather.weak').test(name);
    const isWord = count === 1 && (isFilling || ambiguousPlaces.has(name));
    if (!isWord && isPlace(name)) return name;
  }
  return undefined;
}

/** Ends a place name before the first word that is not part of it: `Santiago de Chile over the next six days`. */
function trimPlaceName(given: string): string | undefined {
  const name: string[] = [];
  for (const one of given.replace(/^the (?=\p{Ll})/u, '').split(' ')) {
    const bare = one.replace(/[,.]+$/, '').replace(/'s$/, '');
    if (isWeatherWord(bare)) break;
    name.push(bare);
    if (one !== bare) break;
  }
  return name.length === 0 || name.length > 4 ? undefined : name.join(' ');
}

/** True if an unknown name is likely a place: it is capitalised, or all other words are about the weather. */
function isLikelyPlace(name: string, text: string): boolean {
  const words = name.split(' ');
  if (name.length < 3 || patternOf('weather.weekday').test(name)) return false;
  const isCapital = /^\p{Lu}/u.test(name) && !text.startsWith(name);
  if (isCapital) return words.length <= 3 && words.every((one) => patternOf('weather.name-word').test(one));
  return (
    words.length <= 2 && patternOf('weather.strong').test(text) && hasOnlyWeatherWords(text.replace(name, ''))
  );
}

function hasOnlyWeatherWords(text: string): boolean {
  return text.split(/[\s,.:;?!-]+/).every((one) => one === '' || isWeatherWord(one));
}

function readChineseRequest(text: string, isPlace: IsKnownPlace): WeatherRequest | undefined {
  const has = (name: PatternName) => patternOf(name, 'zh').test(text);
  if (has('weather.beyond') || has('weather.tells')) return undefined;
  if (!has('weather.names') || !has('weather.asks')) return undefined;
  const days = readChineseDays(text);
  if (days === 'too many') return undefined;
  const place = findKnownChinesePlace(text, isPlace) ?? readUnknownChinesePlace(text);
  if (place !== undefined) return { places: [place, ...findOtherPlaces(text, place, isPlace)], days };
  const isOnly = patternOf('weather.only').test(removeTimeWords(text) || '天气');
  return isOnly ? { places: [], days } : undefined;
}

function readChineseDays(text: string): number | undefined | 'too many' {
  const has = (name: PatternName) => patternOf(name, 'zh').test(text);
  if (has('weather.in-3-days')) return 4;
  if (has('weather.day-after')) return 3;
  const numbers: Readonly<Record<string, number>> = zh.numbers;
  const after = patternOf('weather.days-later').exec(text)?.[1];
  if (after !== undefined) return (numbers[after] ?? 1) + 1;
  const [, counted] = patternOf('weather.counted', 'zh').exec(text) ?? [];
  if (counted !== undefined && (counted !== '一' || !has('weather.one-day')))
    return parseDayCount(counted, numbers);
  if (has('weather.in-week')) return 7;
  if (has('weather.few-days')) return 3;
  return has('weather.next-day') ? 2 : undefined;
}

function findKnownChinesePlace(text: string, isPlace: IsKnownPlace): string | undefined {
  const letters = Array.from(text);
  for (let length = Math.min(letters.length, 8); length >= 2; length--) {
    for (let from = 0; from + length <= letters.length; from++) {
      const name = letters.slice(from, from + length).join('');
      if (/^\p{Script=Han}+$/u.test(name) && isPlace(name)) return name;
    }
  }
  return undefined;
}

function findOtherPlaces(text: string, first: string, isPlace: IsKnownPlace): string[] {
  const at = text.indexOf(first);
  const before = patternOf('weather.other-before').exec(text.slice(0, at))?.[1];
  const behind = patternOf('weather.other-behind').exec(text.slice(at + first.length))?.[1];
  return [before, behind].flatMap((part = '') => findKnownChinesePlace(part, isPlace) ?? []);
}

/** Reads an unknown place from a request that consists of a place and a weather question: `寿光天气`, `明天去舟山要带伞吗`. */
function readUnknownChinesePlace(text: string): string | undefined {
  const [, name] = patternOf('weather.place-asked').exec(removeTimeWords(text)) ?? [];
  return name === undefined || patternOf('weather.no-name').test(name) ? undefined : name;
}

function removeTimeWords(text: string): string {
  const opener = patternOf('weather.openers', 'zh');
  return text.replace(opener, '').replace(patternOf('weather.times'), '').replace(opener, '');
}
