/** PURE: finds arguments that repeat text from elsewhere. The user must approve them first. */
import type { CopiedText } from '../../contracts/permission';
import { isFromServer, type Origin, type Server } from '../../contracts/origin';
import type { JsonSchema } from '../../contracts/schema';
import type { ChatContext } from './context';

/** Shorter arguments never count as copied, because they occur in almost any text. */
const minValueCharacters = 2;
const minCopiedWords = 3;
/** In scripts without spaces, a run of at least this many letters counts as copied. */
const minCopiedCharacters = 6;
const spacelessScripts = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]`;
const spacelessPattern = new RegExp(spacelessScripts, 'u');
const spacelessRunPattern = new RegExp(`${spacelessScripts}{${minCopiedCharacters},}`, 'gu');
const maxShownTexts = 20;
const maxShownCharacters = 500;

/** Maximum characters that we compare for one call. After that, the rest counts as copied, so we ask the user. */
const maxComparedCharacters = 10_000_000;
/** Each comparison takes as long as comparing this many more characters. */
const comparisonCost = 8;
interface Budget {
  left: number;
}

/** Returns argument values that repeat text from anywhere but the server `receiver`, unless the user typed it. */
export function findCopiedArguments(
  input: unknown,
  schema: JsonSchema,
  receiver: Server,
  { outside, questions }: Pick<ChatContext, 'outside' | 'questions'>,
): CopiedText[] {
  const others = finderOfEach(outside, ({ text }) => text).flatMap(({ of: { origins }, find }) => {
    const from = origins.find((origin) => !isFromServer(origin, receiver));
    return from === undefined ? [] : [{ from, find }];
  });
  if (others.length === 0) return [];
  const typed = finderOfEach(questions, (question) => question);
  const budget = { left: maxComparedCharacters };
  const carried: CopiedText[] = [];
  for (const value of listArgumentValues(input, schema)) {
    if (carried.length === maxShownTexts) break;
    const found = findCopiedArgument(value, others, typed, budget);
    if (found) carried.push(found);
  }
  return carried;
}

/** Returns whether a normalised text contains `part` as whole words. */
type FindPart = (part: string, budget: Budget) => boolean;

function findCopiedArgument(
  value: string,
  others: readonly { from: Origin; find: FindPart }[],
  typed: readonly { find: FindPart }[],
  budget: Budget,
): CopiedText | undefined {
  const isTyped = (text: string) => typed.some(({ find }) => find(text, budget));
  const whole = normaliseText(value);
  if (whole.length < minValueCharacters || isTyped(whole)) return undefined;
  for (const run of [whole, ...listWordRuns(whole)]) {
    const source = others.find(({ find }) => find(run, budget));
    const isCopied = (source && !isTyped(run)) || budget.left < 0;
    const from = source?.from ?? others[0]?.from;
    if (isCopied && from !== undefined) return { from, text: value.slice(0, maxShownCharacters) };
  }
  return undefined;
}

const finders = new WeakMap<readonly unknown[], readonly { of: unknown; find: FindPart }[]>();

/** Indexes each text only once for all calls of a turn. */
function finderOfEach<Item>(
  list: readonly Item[],
  textOf: (item: Item) => string,
): readonly { of: Item; find: FindPart }[] {
  const known = finders.get(list) as readonly { of: Item; find: FindPart }[] | undefined;
  const all = known ?? list.map((item) => ({ of: item, find: createFinder(textOf(item)) }));
  finders.set(list, all);
  return all;
}

function createFinder(text: string): FindPart {
  const padded = ` ${normaliseText(text)} `;
  let places: ReadonlyMap<string, readonly number[]> | undefined;
  return (part, budget) => {
    if (spacelessPattern.test(part)) {
      budget.left -= padded.length;
      return budget.left >= 0 && padded.includes(part);
    }
    const [first = ''] = part.split(' ', 1);
    const starts = (places ??= indexWords(padded)).get(first) ?? [];
    budget.left -= starts.length * (part.length + comparisonCost);
    return budget.left >= 0 && starts.some((at) => padded.startsWith(`${part} `, at));
  };
}

/** Returns where each word of a normalised text begins. */
function indexWords(text: string): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const { 0: word, index } of text.matchAll(/[^ ]+/g)) {
    const known = places.get(word);
    if (known) known.push(index);
    else places.set(word, [index]);
  }
  return places;
}

function* listWordRuns(text: string): Generator<string> {
  const words = text.split(' ');
  for (let at = 0; at + minCopiedWords <= words.length; at++) {
    yield words.slice(at, at + minCopiedWords).join(' ');
  }
  for (const [run] of text.matchAll(spacelessRunPattern)) {
    const letters = Array.from(run);
    for (let at = 0; at + minCopiedCharacters <= letters.length; at++) {
      yield letters.slice(at, at + minCopiedCharacters).join('');
    }
  }
}

/** Yields all strings and numbers of the arguments, except enum values: the model chooses and does not copy them. */
function* listArgumentValues(value: unknown, schema: unknown): Generator<string> {
  const { enum: listed, properties, items } = toSchema(schema);
  if (typeof value === 'string' || typeof value === 'number') {
    if (!Array.isArray(listed) || !listed.includes(value)) yield String(value);
  } else if (Array.isArray(value)) {
    for (const item of value) yield* listArgumentValues(item, items);
  } else if (typeof value === 'object' && value !== null) {
    const fields = toSchema(properties);
    for (const [name, item] of Object.entries(value)) {
      if (!Object.hasOwn(fields, name)) yield name;
      yield* listArgumentValues(item, Object.hasOwn(fields, name) ? fields[name] : {});
    }
  }
}

export function toSchema(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {};
}

function normaliseText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}
