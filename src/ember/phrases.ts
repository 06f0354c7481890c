/**
 * Reads the page's replies and patterns from `en.json` and `zh.json`, which have the same sections. `says`: templates with `{name}`
 * placeholders. `talk` and `beyond`: wordings of requests, by intent. `patterns`: all other wordings, by name. A wording is a regular
 * expression, written `/source/flags`, or a list of them. `lists`: words that wordings share, as `one|two`. In a pattern, `{name}` inserts
 * the list of that name in all languages; in the `words` of `talk`, which must not mix languages, only in the same language.
 */
import type { PageLanguage } from '../contracts/small-model-policy';
import en from './en.json';
import zh from './zh.json';

const phrasesByLanguage = { en, zh } as const;
const allPhrases = [en, zh] as const;

export type Phrases = (typeof phrasesByLanguage)['en' | 'zh']['says'];
type PatternName = keyof typeof en.patterns | keyof typeof zh.patterns;

export function phrasesIn(language: PageLanguage): Phrases {
  return phrasesByLanguage[language].says;
}

export function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

const compiledPatterns = new Map<string, RegExp>();

function compileOnce(key: string, compile: () => RegExp): RegExp {
  const known = compiledPatterns.get(key) ?? compile();
  compiledPatterns.set(key, known);
  return known;
}

/** The pattern with this name in `language`, or in any language by default. Compiled on first use. */
export function wording(name: PatternName, language?: PageLanguage): RegExp {
  return compileOnce(`${name} ${language ?? ''}`, () => {
    const written = language
      ? sourcesNamed(phrasesByLanguage[language].patterns, name)
      : sourcesInAllLanguages(name);
    if (written.length === 0) throw new Error(`No wording: ${name}`);
    const parts = written.map(splitLiteral);
    return compile(parts.map(({ source }) => source).join('|'), parts[0]?.flags);
  });
}

/** All patterns with this name, English first. */
export function wordings(name: PatternName): RegExp[] {
  return sourcesInAllLanguages(name).map(compileLiteral);
}

/** Compiles a pattern that refers to word lists, in all languages: `^(?:{greetings})`. */
export function patternOf(source: string, flags = ''): RegExp {
  return compileOnce(`${source}/${flags}`, () => compile(source, flags));
}

/** Matches a message by a pattern, or by the words it may consist of, at least one of which is a `key`. */
type Wording = RegExp | { words: RegExp; key: RegExp };
type WordingSource = string | { words: string; key: string };

/** The first intent, in the given order, whose wording matches one of the texts. */
export function intentOf<Intent extends string>(
  section: 'talk' | 'beyond',
  intents: readonly Intent[],
  texts: readonly string[],
): Intent | undefined {
  return intents.find((intent) =>
    intentWordings(section, intent).some((one) => texts.some((text) => matchesWording(text, one))),
  );
}

const intentCache = new Map<string, readonly Wording[]>();

function intentWordings(section: 'talk' | 'beyond', intent: string): readonly Wording[] {
  const key = `${section} ${intent}`;
  const known =
    intentCache.get(key) ??
    allPhrases.flatMap((phrases) => {
      const written: Readonly<Record<string, WordingSource | readonly WordingSource[]>> = phrases[section];
      return [written[intent] ?? []]
        .flat()
        .map((one) => (typeof one === 'string' ? compileLiteral(one) : compileWords(one, phrases.lists)));
    });
  intentCache.set(key, known);
  return known;
}

/** Sorts the longest word first, so that text splits into words in only one way, in a single pass. */
function compileWords({ words, key }: { words: string; key: string }, lists: WordLists): Wording {
  const sorted = words
    .replace(listPlaceholder, (_, name: string) => lists[name] ?? '')
    .split('|')
    .sort((one, other) => other.length - one.length);
  const source = sorted
    .map((word) => `${word}${/[a-z0-9]$/.test(word) ? String.raw`(?![a-z0-9])` : ''}`)
    .join('|');
  return { words: new RegExp(source, 'y'), key: compileLiteral(key) };
}

function matchesWording(text: string, one: Wording): boolean {
  if (one instanceof RegExp) return one.test(text);
  if (!one.key.test(text)) return false;
  const gap = /[\s,，.。!！~、'-]*/y;
  for (let at = 0; at < text.length;) {
    one.words.lastIndex = at;
    const [word] = one.words.exec(text) ?? [''];
    if (word === '') return false;
    gap.lastIndex = at + word.length;
    at = gap.lastIndex + (gap.exec(text)?.[0].length ?? 0);
  }
  return true;
}

function sourcesNamed(
  patterns: Readonly<Record<string, string | readonly string[]>>,
  name: string,
): string[] {
  return [patterns[name] ?? []].flat();
}

function sourcesInAllLanguages(name: string): string[] {
  return allPhrases.flatMap(({ patterns }) => sourcesNamed(patterns, name));
}

function splitLiteral(written: string): { source: string; flags: string } {
  const end = written.lastIndexOf('/');
  return { source: written.slice(1, end), flags: written.slice(end + 1) };
}

function compileLiteral(written: string): RegExp {
  const { source, flags } = splitLiteral(written);
  return compile(source, flags);
}

/** List names begin with a lower-case letter, so `\p{Lu}` and `{1,3}` do not match. */
const listPlaceholder = /\{([a-z][a-z-]+)\}/g;
type WordLists = Readonly<Record<string, string>>;

function compile(source: string, flags?: string): RegExp {
  return new RegExp(expandLists(source), flags);
}

function expandLists(source: string): string {
  return source.replace(listPlaceholder, (_, name: string) => {
    const found = allPhrases.flatMap(({ lists }) => (lists as WordLists)[name] ?? []);
    if (found.length === 0) throw new Error(`No list: ${name}`);
    return `(?:${expandLists(found.join('|'))})`;
  });
}
