/** PURE: finds arguments that repeat text from another host. The user must approve them first. */
import type { CopiedText } from '../../contracts/permission';
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

/** Returns argument values that repeat text from a host other than `host`, unless the user typed it. */
export function findCopiedArguments(
  input: unknown,
  schema: JsonSchema,
  host: string,
  { outside, questions }: Pick<ChatContext, 'outside' | 'questions'>,
): CopiedText[] {
  const typed = questions.map(normaliseText);
  const others = outside.flatMap(({ hosts, text }) => {
    const from = hosts.find((one) => one !== host);
    return from === undefined ? [] : [{ from, text: normaliseText(text) }];
  });
  if (others.length === 0) return [];
  const carried: CopiedText[] = [];
  for (const value of listArgumentValues(input, schema)) {
    if (carried.length === maxShownTexts) break;
    const found = findCopiedArgument(value, others, typed);
    if (found) carried.push(found);
  }
  return carried;
}

function findCopiedArgument(
  value: string,
  others: readonly { from: string; text: string }[],
  typed: readonly string[],
): CopiedText | undefined {
  const isTyped = (text: string) => typed.some((question) => isPartOf(text, question));
  const whole = normaliseText(value);
  if (whole.length < minValueCharacters || isTyped(whole)) return undefined;
  for (const run of [whole, ...listWordRuns(whole)]) {
    const source = others.find(({ text }) => isPartOf(run, text));
    if (source && !isTyped(run)) return { from: source.from, text: value.slice(0, maxShownCharacters) };
  }
  return undefined;
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

function isPartOf(part: string, text: string): boolean {
  return spacelessPattern.test(part) ? text.includes(part) : ` ${text} `.includes(` ${part} `);
}
