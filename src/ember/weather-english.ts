/** PURE: reads a request for the weather in English: `do I need an umbrella in Glasgow tomorrow?` */
import type { IsPlace, WeatherRequest } from './weather';

/** They mean the weather wherever they stand. */
const strong =
  /\b(?:weather(?:-wise)?|forecasts?|rain(?:s|ing|y|ed)?|drizzl\w*|umbrella|brolly|raincoat|snow(?:s|ing|y)?|sleet|hail|fog(?:gy)?|misty?|sunny|sunshine|sunscreen|sunglasses|cloudy|overcast|windy|storms?|stormy|thunder\w*|frosty?|heatwave|humid(?:ity)?|temperatures?|temp|degrees|below zero)\b/i;
/** They may mean something else: `hot restaurants`, `cold war`. */
const weak =
  /\b(?:hot|cold|warm(?:er)?|chilly|cool(?:er)?|mild|dry|wet|pouring|pour|freez(?:e|ing)|icy|ice|sun|wind|sky|coat|jacket|gloves|t-?shirt|shorts|like outside|it like out|outlook|cool down|warm up|swim|picnic|barbecue)\b/i;
/** What stands behind such a word that means the weather. */
const ofThings =
  /\b(?:hot|cold|warm|cool|dry|wet|mild|ice|sun|wind|sky|coat|jacket|picnic|barbecue) (?!in\b|at\b|on\b|for\b|near\b|this\b|today|tonight|tomorrow|now\b|right|enough|there|outside|out\b|it\b|is\b|or\b|and\b|will\b|does|do\b|the\b|over\b|around|round|by\b|to\b|then|please|up\b|down\b|days?\b|weather|nights?)\p{L}/iu;
const asks =
  /^(?:is|are|am|will|would|do|does|did|should|shall|can|could|has|have|how|how's|what|what's|whats|any|when|which)\b|\?/i;
/** What no forecast of seven days knows, and what is wanted that only speaks of the weather. */
const beyond =
  /\b(?:january|february|march|april|june|july|august|september|october|november|december|months?|years?|yesterday|ago|last|since|usual(?:ly)?|average|records?|history|climate|spring|summer|autumn|winter|season|christmas|easter|\d{4}|why|explain|poem|story|song|write|translate|meaning|mean|define|joke|apps?|website|station|insurance|buy|shops?|price|cheapest|cheap|hotels?|restaurants?|movie|book|sunrise|sunset|oven|fridge|freezer|recipe|roast|tumble|wash|sun (?:up|down|over|set|gone)|times?|clock|o'clock|plus|minus \d|divided|sum)\b|\bin may\b|%|percent/i;
/** It tells of the weather, and asks nothing. */
const tells = /^(?:lovely|what a|i (?:got|was|love|like|hate)|my favou?rite|nice|such|we)\b/i;

const kinds = '(?:weather|forecast|temperature|temp|outlook)';
const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';
/** What stands in a request beside the name of a place. */
const filling = new RegExp(
  `^(?:the|a|an|check|hours?|is|it|its|it's|in|at|for|of|on|to|near|and|or|be|will|what|what's|whats|how|how's|hows|does|do|i|we|need|going|get|gets|looks?|like|right|now|today|tonight|tomorrow|day|days|after|this|next|coming|week|weekend|over|any|there|chance|much|please|me|my|right|morning|afternoon|evening|night|later|few|couple|\\d|two|three|four|five|six|seven|day's|today's|tomorrow's|good|there's|out|outside|${weekday})$`,
  'i',
);
/** Written without a capital letter, they are words and no places. */
const ordinary: ReadonlySet<string> = new Set(
  'bath nice reading mobile split cork sale hull deal turkey china jersey chad male lima mali'.split(' '),
);
const numbers: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7 };
const word = String.raw`\p{L}[\p{L}'.-]*`;

export function readEnglish(text: string, isPlace: IsPlace): WeatherRequest | undefined {
  const plain = text
    .replace(
      /^(?:(?:please|hey|hi|hello|ok|okay|so|and|quick question|good (?:morning|evening)|right then|got a minute|can you|could you|would you|i'd like to know(?: if)?|i want to know|do you know(?: if)?|tell me|check|show me|give me)\b[\s,:!?]*)+/i,
      '',
    )
    .replace(/[\s,]*(?:please|thanks|thank you)?[\s.!]*$/i, '');
  if (beyond.test(plain) || tells.test(plain)) return undefined;
  const { length } = plain.split(' ');
  const isNamed = new RegExp(`\\b${kinds}\\b`, 'i').test(plain);
  const isAsked = asks.test(plain) || (length <= 8 && strong.test(plain)) || (length <= 13 && isNamed);
  const isWeather = strong.test(plain) || (weak.test(plain) && !ofThings.test(plain));
  if (!isWeather) return undefined;
  const days = daysIn(plain);
  if (days === 'too many') return undefined;
  if (!isAsked) return undefined;
  const place = placeIn(plain, isPlace);
  if (place !== undefined) return { places: placesFrom(plain, place, isPlace), days };
  return isOnlyOfWeather(plain) ? { places: [], days } : undefined;
}

function daysIn(text: string): number | undefined | 'too many' {
  if (/\bday after tomorrow\b/i.test(text)) return 3;
  const [, counted] =
    /\b(\d+|two|three|four|five|six|seven|eight|nine|ten)(?:[ -]|\s+(?:more|dry)\s+)days?\b/i.exec(text) ??
    [];
  if (counted !== undefined) {
    const days = numbers[counted.toLowerCase()] ?? Number(counted);
    return days >= 1 && days <= 7 ? days : 'too many';
  }
  if (/\bcouple of days\b|\b48 hours\b/i.test(text)) return 2;
  if (/\bfew (?:days|evenings|nights|mornings)\b|\b(?:coming|next) days\b/i.test(text)) return 3;
  const inWeek = new RegExp(
    `\\bweek(?:end|ly)?(?:'s)?\\b|\\b${weekday}\\b|\\b(?:which|what|best) day\\b|^when (?!i\\b|we\\b)`,
    'i',
  );
  if (inWeek.test(text)) return 7;
  return /\btomorrow\b/i.test(text) ? 2 : undefined;
}

/** `Oslo, Bergen and Rome`: of those behind the first only known ones. `Paris, Texas` is one. */
function placesFrom(text: string, first: string, isPlace: IsPlace): string[] {
  const places = [first];
  let isList = false;
  let rest = text.slice(text.indexOf(first) + first.length);
  for (;;) {
    const joint = /^(?:, ?(?:and |or )?| (?:and|or|&) )(?:in |for )?/i.exec(rest)?.[0];
    const behind = joint === undefined ? '' : rest.slice(joint.length);
    const name = knownIn(behind, isPlace);
    if (joint === undefined || name === undefined) break;
    places.push(name);
    isList ||= joint.trim() !== ',';
    rest = behind.slice(name.length);
  }
  return isList ? places : [places.slice(0, 2).join(', ')];
}

/** A known place where there is one; else what stands where a place stands, with a capital letter or in a plain question. */
function placeIn(text: string, isPlace: IsPlace): string | undefined {
  const candidates = [...behindPrepositions(text), ...besideKinds(text), ...segments(text)];
  const known = candidates.map((given) => knownIn(given, isPlace)).find((name) => name !== undefined);
  if (known !== undefined) return known;
  return candidates.map(trimName).find((name) => name !== undefined && isLikely(name, text));
}

function behindPrepositions(text: string): string[] {
  const order = ['in', 'at', 'near|around|round', 'for', 'to|from|over|above|of|outside|has|is|will|does'];
  return order.flatMap((preposition) => {
    const pattern = new RegExp(`\\b(?:${preposition}) (?=((?:the )?${word}(?:,? ${word}){0,4}))`, 'giu');
    return [...text.matchAll(pattern)].map(([, given = '']) => given);
  });
}

/** `Oslo weather`, `weather Oslo`, `4 day outlook Kyoto`. */
function besideKinds(text: string): string[] {
  const before = new RegExp(`^(${word}(?: ${word}){0,2}) ${kinds}\\b`, 'iu').exec(text)?.[1];
  const after = new RegExp(`\\b${kinds},? (${word}(?: ${word}){0,2})`, 'iu').exec(text)?.[1];
  return [before, after].filter((name) => name !== undefined);
}

/** `Helsinki: minus degrees today?`, `the forecast for tomorrow, Graz`. */
function segments(text: string): string[] {
  return text
    .split(/[:,;?!]\s*/)
    .filter((segment) => /^\p{Lu}/u.test(segment) || segment.split(' ').length <= 3);
}

/** The longest known name that a text begins with. */
function knownIn(given: string, isPlace: IsPlace): string | undefined {
  const words = given.replace(/^the (?=\p{Ll})/u, '').split(' ');
  for (let count = Math.min(words.length, 4); count > 0; count--) {
    const name = words
      .slice(0, count)
      .join(' ')
      .replace(/[,.?!;:]+$/, '')
      .replace(/'s$/, '');
    const isWord = count === 1 && (filling.test(name) || weak.test(name) || ordinary.has(name));
    if (!isWord && isPlace(name)) return name;
  }
  return undefined;
}

/** Up to the first word that is none of its name: `Santiago de Chile over the next six days`. */
function trimName(given: string): string | undefined {
  const name: string[] = [];
  for (const one of given.replace(/^the (?=\p{Ll})/u, '').split(' ')) {
    const bare = one.replace(/[,.]+$/, '').replace(/'s$/, '');
    if (filling.test(bare) || strong.test(bare) || weak.test(bare)) break;
    name.push(bare);
    if (one !== bare) break;
  }
  return name.length === 0 || name.length > 4 ? undefined : name.join(' ');
}

/** A name that no table knows: with capital letters, or in a request that has no other words. */
function isLikely(name: string, text: string): boolean {
  const words = name.split(' ');
  if (name.length < 3 || new RegExp(`^${weekday}$`, 'i').test(name)) return false;
  const isCapital = /^\p{Lu}/u.test(name) && !text.startsWith(name);
  if (isCapital)
    return words.length <= 3 && words.every((one) => /^\p{Lu}|^(?:de|of|upon|am|la|le|di|el)$/u.test(one));
  return words.length <= 2 && strong.test(text) && isOnlyOfWeather(text.replace(name, ''));
}

function isOnlyOfWeather(text: string): boolean {
  return text
    .split(/[\s,.:;?!-]+/)
    .every((one) => one === '' || filling.test(one) || strong.test(one) || weak.test(one));
}
