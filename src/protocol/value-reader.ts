/**
 * Reads one value as models write it: JSON, JSON5, Python literals and Gemma's quotes in one grammar.
 *
 * Linear in the length. What it had to overlook is in `repairs`; what it cannot read is `unread`, never a guess.
 */
import { readString, type Role } from './string-reader';

export const unread = Symbol('unread');

/** Deeper than any call; a bound for the stack. */
const maxDepth = 100;

export interface ReadOptions {
  /** A quote inside a string ends it only where a string can end: for strings whose quotes were not escaped. */
  innerQuotes?: boolean;
  /** Words without quotes are strings. */
  barewords?: boolean;
  /** The text was ended by a closing mark: brackets still open are closed there. */
  mayClose?: boolean;
}

const number = /[+-]?(?:0x[\da-f]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?![\p{L}\d_.])/iuy;
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const bareKey = /[\p{L}\p{N}_$](?:[\p{L}\p{N}_$.\- ]|\\_)*/uy;
const bareword = /[^\s,;:=(){}[\]"'`<>][^,;(){}[\]"`<>\n]*/uy;
const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*)+/y;
const literals = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['none', null],
  ['undefined', null],
]);

export class ValueReader {
  readonly text: string;
  readonly repairs = new Set<string>();
  readonly options: ReadOptions;
  at: number;
  #depth = 0;

  constructor(text: string, at = 0, options: ReadOptions = {}) {
    this.text = text;
    this.at = at;
    this.options = options;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** White space and comments. */
  skip(): void {
    const skipped = this.match(blank);
    if (skipped !== undefined && /[^\s]/.test(skipped)) this.repairs.add('a comment was left out');
  }

  take(expected: string): boolean {
    if (!this.text.startsWith(expected, this.at)) return false;
    this.at += expected.length;
    return true;
  }

  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  value(role: Role = 'value'): unknown {
    this.skip();
    if (this.#depth >= maxDepth) return unread;
    this.#depth++;
    const value = this.#value(role);
    this.#depth--;
    return value;
  }

  #value(role: Role): unknown {
    const first = this.text[this.at];
    if (first === '{') return this.#object();
    if (first === '[') return this.#list(']');
    if (first === '(') return this.#list(')');
    const text = this.string(role);
    if (text !== undefined) return text;
    return this.#scalar();
  }

  /** A quoted string here, with any of the quotes models use. */
  string(role: Role): string | undefined {
    const read = readString(this.text, this.at, role, this.options.innerQuotes ?? false);
    if (!read) return undefined;
    this.at = read.end;
    if (read.repair !== undefined) this.repairs.add(read.repair);
    return read.value;
  }

  #scalar(): unknown {
    const digits = this.match(number);
    if (digits !== undefined) return Number(digits.replaceAll('_', ''));
    const start = this.at;
    const name = this.match(word);
    if (name !== undefined && literals.has(name.toLowerCase()) && !/[\w.(]/.test(this.text[this.at] ?? '')) {
      if (!['true', 'false', 'null'].includes(name)) this.repairs.add(`${name} was read as a literal`);
      return literals.get(name.toLowerCase());
    }
    this.at = start;
    if (!this.options.barewords) return unread;
    const bare = this.match(bareword)?.trim();
    if (bare === undefined || bare === '') return unread;
    this.repairs.add('quotes were missing');
    return bare;
  }

  /** The name of a field: quoted, bare, or with only one of its quotes. */
  key(): string | undefined {
    this.skip();
    const quoted = this.string('key');
    if (quoted !== undefined) return quoted;
    const bare = this.match(bareKey)?.trim();
    if (bare === undefined) return undefined;
    if (/["'”]/.test(this.text[this.at] ?? '')) this.at++;
    return bare;
  }

  /** What stands between a field and its value. */
  separator(): boolean {
    this.skip();
    if (this.take(':') || this.take('：')) return true;
    if (!this.take('=')) return false;
    this.take('>');
    return true;
  }

  #object(): unknown {
    const object: [string, unknown][] = [];
    this.at++;
    this.skip();
    const isDoubled = this.take('{');
    if (isDoubled) this.repairs.add('doubled braces were read as one');
    for (;;) {
      this.skip();
      while (this.take(',')) this.skip();
      if (this.take('}')) {
        if (isDoubled) this.take('}');
        return recordOf(object);
      }
      if (this.isAtEnd) return this.#closed(recordOf(object));
      const key = this.key();
      if (key === undefined || !this.separator()) return unread;
      const value = this.value('field');
      if (value === unread) return unread;
      object.push([key, value]);
      if (!this.#hasNext('}')) return unread;
    }
  }

  #list(close: string): unknown {
    const list: unknown[] = [];
    this.at++;
    for (;;) {
      this.skip();
      while (this.take(',')) this.skip();
      if (this.take(close)) return list;
      if (this.isAtEnd) return this.#closed(list);
      const value = this.value('item');
      if (value === unread) return unread;
      list.push(value);
      if (!this.#hasNext(close)) return unread;
    }
  }

  /** After an item: a comma, the end, or a new item whose comma is missing. */
  #hasNext(close: string): boolean {
    const before = this.at;
    this.skip();
    const next = this.text[this.at];
    if (next === undefined || next === close) return true;
    if (next === ',') {
      if (/^,\s*[}\])]/.test(this.text.slice(this.at, this.at + 20)))
        this.repairs.add('a comma was too many');
      return true;
    }
    if (before === this.at || !/["'“{[\w]/.test(next)) return false;
    this.repairs.add('a comma was missing');
    return true;
  }

  #closed(value: unknown): unknown {
    if (!this.options.mayClose) return unread;
    this.repairs.add('a closing bracket was missing');
    return value;
  }
}

/** Own properties only: a field called `__proto__` is a field. */
export function recordOf(entries: readonly [string, unknown][]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    if (key !== '__proto__') record[key] = value;
    else Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return record;
}

export interface ReadValue {
  value: unknown;
  end: number;
  repairs: readonly string[];
}

/** One value at `at`: with plain quotes first, with inner quotes where that fails. */
export function readValue(text: string, at: number, options: ReadOptions = {}): ReadValue | undefined {
  for (const innerQuotes of [false, true]) {
    const reader = new ValueReader(text, at, { ...options, innerQuotes });
    const value = reader.value();
    if (value !== unread) return { value, end: reader.at, repairs: [...reader.repairs] };
  }
  return undefined;
}

/** The whole text as one value: strict JSON wins, tolerance comes after. */
export function readWhole(text: string, options: ReadOptions = {}): ReadValue | undefined {
  const strict = readJson(text);
  if (strict) return { ...strict, end: text.length, repairs: [] };
  for (const innerQuotes of [false, true]) {
    const reader = new ValueReader(text, 0, { ...options, innerQuotes });
    const value = reader.value();
    reader.skip();
    // What closes too often is junk; anything else after the value means that it was not read right.
    const end = reader.at;
    const rest = text.slice(end);
    if (value === unread || !/^[\s}\])>;,.]*$/.test(rest)) continue;
    if (rest.trim() !== '') reader.repairs.add('a closing bracket was too many');
    return { value, end, repairs: [...reader.repairs] };
  }
  return undefined;
}

export function readJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
