/**
 * Reads what the page says and understands from `en.json` and `zh.json`. Both files have the same sections. `says`: templates, in which
 * `{name}` is replaced by a value. `talk` and `beyond`: wordings of requests, by intent. `patterns`: all other wordings, by name. A
 * wording is a regular expression, written `/source/flags`. Several are a list. `lists`: words that wordings share, as `one|two`. In a pattern, `{name}` means
 * the list of that name in all languages; in the `words` of `talk`, where a message may not mix languages, only in the same language.
 */
import type { PageLanguage } from '../contracts/small-model-policy';
import en from './en.json';
import zh from './zh.json';

const languages = { en, zh } as const;
const all = [en, zh] as const;

export type Phrases = (typeof languages)['en' | 'zh']['says'];
type PatternName = keyof typeof en.patterns | keyof typeof zh.patterns;

export function phrasesIn(language: PageLanguage): Phrases {
  return languages[language].says;
}

export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

const compiled = new Map<string, RegExp>();

function once(key: string, compile: () => RegExp): RegExp {
  const known = compiled.get(key) ?? compile();
  compiled.set(key, known);
  return known;
}

/** The wording of this name in one language, or in any. Compiled on first use. */
export function wording(name: PatternName, language?: PageLanguage): RegExp {
  return once(`${name} ${language ?? ''}`, () => {
    const written = language ? writtenIn(languages[language].patterns, name) : writtenAnywhere(name);
    if (written.length === 0) throw new Error(`No wording: ${name}`);
    const parts = written.map(takeApart);
    return compile(parts.map(({ source }) => source).join('|'), parts[0]?.flags);
  });
}

/** All wordings of a name, the English ones first. */
export function wordings(name: PatternName): RegExp[] {
  return writtenAnywhere(name).map(compileWritten);
}

/** Compiles a pattern that contains lists, in all languages: `^(?:{greetings})`. */
export function patternOf(source: string, flags = ''): RegExp {
  return once(`${source}/${flags}`, () => compile(source, flags));
}

/** Matches the whole message: by a pattern, or by words that it must consist of, with at least one of them a key. */
type Wording = RegExp | { words: RegExp; key: RegExp };
type WrittenWording = string | { words: string; key: string };

/** The first intent, in the given order, whose wording matches one of the texts. */
export function intentOf<Intent extends string>(
  section: 'talk' | 'beyond',
  intents: readonly Intent[],
  texts: readonly string[],
): Intent | undefined {
  return intents.find((intent) =>
    intentWordings(section, intent).some((one) => texts.some((text) => isWorded(text, one))),
  );
}

const intentCache = new Map<string, readonly Wording[]>();

function intentWordings(section: 'talk' | 'beyond', intent: string): readonly Wording[] {
  const key = `${section} ${intent}`;
  const known =
    intentCache.get(key) ??
    all.flatMap((phrases) => {
      const written: Readonly<Record<string, WrittenWording | readonly WrittenWording[]>> = phrases[section];
      return [written[intent] ?? []]
        .flat()
        .map((one) => (typeof one === 'string' ? compileWritten(one) : compileWords(one, phrases.lists)));
    });
  intentCache.set(key, known);
  return known;
}

/** Longest word first, so that a text splits into words in only one way, in one pass. */
function compileWords({ words, key }: { words: string; key: string }, lists: Lists): Wording {
  const sorted = words
    .replace(listName, (_, name: string) => lists[name] ?? '')
    .split('|')
    .sort((one, other) => other.length - one.length);
  const source = sorted
    .map((word) => `${word}${/[a-z0-9]$/.test(word) ? String.raw`(?![a-z0-9])` : ''}`)
    .join('|');
  return { words: new RegExp(source, 'y'), key: compileWritten(key) };
}

function isWorded(text: string, one: Wording): boolean {
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

function writtenIn(patterns: Readonly<Record<string, string | readonly string[]>>, name: string): string[] {
  return [patterns[name] ?? []].flat();
}

function writtenAnywhere(name: string): string[] {
  return all.flatMap(({ patterns }) => writtenIn(patterns, name));
}

function takeApart(written: string): { source: string; flags: string } {
  const end = written.lastIndexOf('/');
  return { source: written.slice(1, end), flags: written.slice(end + 1) };
}

function compileWritten(written: string): RegExp {
  const { source, flags } = takeApart(written);
  return compile(source, flags);
}

/** List names begin with a small letter, so `\p{Lu}` and `{1,3}` are none. */
const listName = /\{([a-z][a-z-]+)\}/g;
type Lists = Readonly<Record<string, string>>;

function compile(source: string, flags?: string): RegExp {
  return new RegExp(withLists(source), flags);
}

function withLists(source: string): string {
  return source.replace(listName, (_, name: string) => {
    const found = all.flatMap(({ lists }) => (lists as Lists)[name] ?? []);
    if (found.length === 0) throw new Error(`No list: ${name}`);
    return `(?:${withLists(found.join('|'))})`;
  });
}
