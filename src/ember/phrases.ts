/**
 * Reads the page's replies and the patterns that recognise requests. `en.json` and `zh.json` have the same sections. `says` contains reply
 * templates. `talk` and `beyond` contain patterns for each intent: if several intents match, we use the first one in `en.json`. `patterns`
 * contains all other patterns. `lists` contains word lists such as `one|two`, which patterns insert with `{name}`.
 */
import type { PageLanguage } from '../contracts/small-model-policy';
import en from './en.json';
import zh from './zh.json';

type ByName<Value> = Readonly<Record<string, Value>>;
type IntentWording = string | { words: string; key: string };

interface Wordings {
  talk: ByName<IntentWording | readonly IntentWording[]>;
  beyond: ByName<IntentWording | readonly IntentWording[]>;
  patterns: ByName<string | readonly string[]>;
  lists: ByName<string>;
}

const phrasesByLanguage = { en: en.says, zh: zh.says };
const wordingsByLanguage: Readonly<Record<PageLanguage, Wordings>> = { en, zh };

export type Phrases = (typeof phrasesByLanguage)[PageLanguage];
export type PatternName = keyof typeof en.patterns | keyof typeof zh.patterns;

export function phrasesIn(language: PageLanguage): Phrases {
  return phrasesByLanguage[language];
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

/** The pattern with this name in `language`. Without `language`, it matches the wordings of all languages. Compiled on first use. */
export function patternOf(name: PatternName, language?: PageLanguage): RegExp {
  return compileOnce(`${name} ${language ?? ''}`, () => {
    const parts = findPatternSources(name, language).map(splitLiteral);
    if (parts.length === 0) throw new Error(`No wording: ${name}`);
    return compilePattern(parts.map(({ source }) => source).join('|'), parts[0]?.flags);
  });
}

export function captureFirstGroup(name: PatternName, text: string): string | undefined {
  return findPatternSources(name).flatMap((written) => compileLiteral(written).exec(text)?.[1] ?? [])[0];
}

function findPatternSources(name: string, language?: PageLanguage): string[] {
  const languages = language ? [wordingsByLanguage[language]] : Object.values(wordingsByLanguage);
  return languages.flatMap(({ patterns }) => patterns[name] ?? []);
}

/** Compiles a pattern. Replaces placeholders such as `{greetings}` with the word lists of all languages. */
export function expandPattern(source: string, flags = ''): RegExp {
  return compileOnce(`${source}/${flags}`, () => compilePattern(source, flags));
}

export function findIntent<Section extends 'talk' | 'beyond'>(section: Section, texts: readonly string[]) {
  // Assert the type, because `Object.keys` returns plain strings.
  const intents = Object.keys(en[section]) as (string & keyof (typeof en)[Section])[];
  return intents.find((intent) =>
    Object.values(wordingsByLanguage).some((wordings) =>
      [wordings[section][intent] ?? []]
        .flat()
        .some((one) => texts.some((text) => matchesWording(text, one, wordings.lists))),
    ),
  );
}

/** True if the text matches the wording's pattern. If the wording lists `words`, the text must also contain no other words. */
function matchesWording(text: string, wording: IntentWording, lists: Wordings['lists']): boolean {
  const pattern = typeof wording === 'string' ? wording : wording.key;
  if (!compileLiteral(pattern).test(text)) return false;
  if (typeof wording === 'string') return true;
  const listed = wording.words.replace(listPlaceholder, (_, name: string) => lists[name] ?? '');
  const words = compileOnce(listed, () => compileWordList(listed));
  const gap = /[\s,，.。!！~、'-]*/y;
  for (let at = 0; at < text.length;) {
    words.lastIndex = at;
    const [word] = words.exec(text) ?? [''];
    if (word === '') return false;
    gap.lastIndex = at + word.length;
    at = gap.lastIndex + (gap.exec(text)?.[0].length ?? 0);
  }
  return true;
}

/** Puts longer words first, so the pattern matches the longest word that fits. */
function compileWordList(listed: string): RegExp {
  const sorted = listed.split('|').sort((one, other) => other.length - one.length);
  const ended = sorted.map((word) => (/[a-z0-9]$/.test(word) ? String.raw`${word}(?![a-z0-9])` : word));
  return new RegExp(ended.join('|'), 'y');
}

function splitLiteral(written: string): { source: string; flags: string } {
  const end = written.lastIndexOf('/');
  return { source: written.slice(1, end), flags: written.slice(end + 1) };
}

function compileLiteral(written: string): RegExp {
  const { source, flags } = splitLiteral(written);
  return compileOnce(written, () => compilePattern(source, flags));
}

/** Matches the placeholder of a word list. Such names begin with a lower-case letter, unlike `\p{Lu}` and `{1,3}`. */
const listPlaceholder = /\{([a-z][a-z-]+)\}/g;

function compilePattern(source: string, flags?: string): RegExp {
  return new RegExp(expandLists(source), flags);
}

function expandLists(source: string): string {
  return source.replace(listPlaceholder, (_, name: string) => {
    const found = Object.values(wordingsByLanguage).flatMap(({ lists }) => lists[name] ?? []);
    if (found.length === 0) throw new Error(`No list: ${name}`);
    return `(?:${expandLists(found.join('|'))})`;
  });
}

/** Returns a pattern that matches `text` itself, with any white space where it has a blank. Works with the flag `u`. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`);
}
