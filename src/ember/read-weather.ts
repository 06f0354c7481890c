/**
 * The calls of `weather` that the newest message means, for a very small model: it does not know the tool. Also a message that goes
 * on from the weather before: `and in Bergen?`, `明天呢`.
 */
import { type Message, pageWriter } from '../contracts/message';
import { textOf } from '../contracts/text-of';
import { type PlainCall, weatherCalls } from './read-request';
import type { IsPlace } from './weather';
import { readPlaceAlone, readWeatherRequest, readWhereabouts } from './weather-request';

/** Undefined where the message is not about the weather; none where it is, and no place is known. */
export function readWeather(history: readonly Message[], isPlace: IsPlace): PlainCall[] | undefined {
  const [message, ...before] = requestsIn(history).toReversed();
  if (message === undefined) return undefined;
  const asked = readWeatherRequest(message, isPlace);
  if (asked && asked.places.length > 0) return weatherCalls(asked);
  const last = lastCall(history);
  if (asked) {
    const place = last?.place ?? before.map(readWhereabouts).find((where) => where !== undefined);
    return weatherCalls({ ...asked, places: place === undefined ? [] : [place] });
  }
  return answerOf(message, history, before[0], isPlace) ?? (last && goOn(message, last, isPlace));
}

function requestsIn(history: readonly Message[]): string[] {
  return history.flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []));
}

/** The page asked for which place, and this says it. */
function answerOf(
  message: string,
  history: readonly Message[],
  before: string | undefined,
  isPlace: IsPlace,
): PlainCall[] | undefined {
  const asking = history.at(-2);
  if (asking?.role !== 'assistant' || asking.writer !== pageWriter || before === undefined) return undefined;
  const open = readWeatherRequest(before, isPlace);
  const place = open?.places.length === 0 ? readPlaceAlone(message) : undefined;
  return open && place !== undefined ? weatherCalls({ places: [place], days: open.days }) : undefined;
}

interface LastCall {
  place: string;
  days: number | undefined;
}

/** Of the turn before, where it asked for the weather and nothing else. */
function lastCall(history: readonly Message[]): LastCall | undefined {
  const turn = history.slice(0, -1);
  const begin = turn.findLastIndex(({ role }) => role === 'user');
  const calls = turn
    .slice(begin + 1)
    .flatMap((message) =>
      message.role === 'assistant' ? message.content.filter((part) => part.type === 'tool-call') : [],
    );
  const { place, days } = calls.length === 1 && calls[0]?.name === 'weather' ? calls[0].arguments : {};
  if (typeof place !== 'string') return undefined;
  return { place, days: typeof days === 'number' ? days : undefined };
}

const otherPlace =
  /^(?:and|what about|how about)(?: in| for)? (.+?)[\s?.!]*$|^那?(\p{Script=Han}{2,8})呢?[？?]*$/iu;
const otherDays: readonly (readonly [RegExp, number])[] = [
  [/^(?:and |what about |how about )*(?:the )?day after(?: tomorrow)?[?.!]*$|^那?后天呢?[？?]*$/i, 3],
  [/^(?:and |what about |how about )*tomorrow[?.!]*$|^那?明天呢?[？?]*$/i, 2],
  [
    /^(?:and |what about |how about )*(?:this|the|next) week(?:end)?[?.!]*$|^那?(?:这周|周末|一周)呢?[？?]*$/i,
    7,
  ],
];

function goOn(message: string, last: LastCall, isPlace: IsPlace): PlainCall[] | undefined {
  const text = message.normalize('NFKC').trim();
  const days = otherDays.find(([pattern]) => pattern.test(text))?.[1];
  if (days !== undefined) return weatherCalls({ places: [last.place], days });
  const [, english, chinese] = otherPlace.exec(text) ?? [];
  const place = readPlaceAlone(english ?? chinese ?? '');
  return place !== undefined && isPlace(place)
    ? weatherCalls({ places: [place], days: last.days })
    : undefined;
}
