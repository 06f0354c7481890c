/**
 * PURE: reads a request for the weather, in English and Chinese. For a very small model, which does not know of the tool: what
 * cannot be read here is left to it.
 */
import { readChinese } from './weather-chinese';
import { readEnglish } from './weather-english';
import type { IsPlace, WeatherRequest } from './weather';

/** Characters. A longer message is about something else too. */
const longestRequest = 120;
const longestAnswer = 40;

/** Undefined where it is no request for the weather, or for one that no forecast knows. */
export function readWeatherRequest(request: string, isPlace: IsPlace): WeatherRequest | undefined {
  const text = plain(request);
  if (text === '' || text.length > longestRequest || /https?:|www\.|\n/.test(request)) return undefined;
  return /\p{Script=Han}/u.test(text) ? readChinese(text, isPlace) : readEnglish(text, isPlace);
}

/** The place in an answer to `For which place?`: `Graz`, `in Graz, please`, `兰州吧`. */
export function readPlaceAlone(message: string): string | undefined {
  const text = plain(message);
  if (text.length > longestAnswer) return undefined;
  const name = text
    .replace(
      /^(?:(?:oh|well|um|ok|okay|in|for|at|near|i'?m in|we'?re in|it'?s|哦|嗯|在|我在|问的是)(?=[\s,，]|\p{Script=Han})[\s,，]*)+/iu,
      '',
    )
    .replace(/[\s,，]*(?:please|of course|thanks|吧|的|呢|啊)?[\s.!?。！？]*$/iu, '');
  return /^\p{Script=Han}{2,8}$|^\p{L}[\p{L}'.-]*(?:,? \p{L}[\p{L}'.-]*){0,3}$/u.test(name)
    ? name
    : undefined;
}

/** Where somebody says to be: `I'm in Lyon for a trade fair.` */
export function readWhereabouts(message: string): string | undefined {
  const text = plain(message);
  const english =
    /\b(?:[Ii]'?m|[Ii] am|[Ww]e'?re|[Ww]e are|[Ii] live|[Ww]e live|staying|[Hh]ere) in (\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*){0,3})/u;
  const chinese =
    /我们?(?:这几天|现在|今天|最近)?(?:正|住|人)?(?:在|到了)(\p{Script=Han}{2,4}?)(?=出差|旅[游行]|玩|上[学班]|工作|开会|度假|[，。！,.!]|$)/u;
  return (english.exec(text) ?? chinese.exec(text))?.[1];
}

function plain(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').replace(/’/g, "'").trim();
}
