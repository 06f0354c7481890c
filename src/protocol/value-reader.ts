/**
 * Parses one value as models write it: JSON, JSON5, Python literals and Gemma's quotes in one grammar, in linear time. `repairs` lists the
 * errors it corrected. An unreadable value becomes `unread`, never a guess.
 */
import { type AnyRecord, isRecord } from './tool-index';

export const unread = Symbol('unread');

/** Maximum nesting, to protect the call stack. */
const maxDepth = 100;

interface ReadOptions {
  /** For strings with unescaped quotes: a quote only ends a string where a string can end. */
  innerQuotes?: boolean;
  barewords?: boolean;
  /** A closing marker ended the text, so brackets that are still open may be closed. */
  mayClose?: boolean;
}

const numberPattern = /[+-]?(?:0x[\da-f]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?![\p{L}\d_.])/iuy;
const wordPattern = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const bareKey = /[\p{L}\p{N}_$](?:[\p{L}\p{N}_$.\- ]|\\_)*/uy;
const bareword = /[^\s,;:=(){}[\]"'`<>][^,;(){}[\]"`<>\n]*/uy;
const blankPattern = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*)+/y;
const literalValues = new Map<string, unknown>(
  Object.entries({ true: true, false: false, null: null, none: null, undefined: null }),
);

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

  skip(): void {
    const skipped = this.match(blankPattern);
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

  value(role: StringRole = 'value'): unknown {
    this.skip();
    if (this.#depth >= maxDepth) return unread;
    this.#depth++;
    const value = this.#value(role);
    this.#depth--;
    return value;
  }

  #value(role: StringRole): unknown {
    const first = this.text[this.at];
    if (first === '{') return this.#object();
    if (first === '[') return this.#list(']');
    if (first === '(') return this.#list(')');
    const text = this.string(role);
    if (text !== undefined) return text;
    return this.#scalar();
  }

  string(role: StringRole): string | undefined {
    const read = readString(this.text, this.at, role, this.options.innerQuotes ?? false);
    if (!read) return undefined;
    this.at = read.end;
    if (read.repair !== undefined) this.repairs.add(read.repair);
    return read.value;
  }

  #scalar(): unknown {
    const digits = this.match(numberPattern);
    if (digits !== undefined) return Number(digits.replaceAll('_', ''));
    const start = this.at;
    const name = this.match(wordPattern);
    if (
      name !== undefined &&
      literalValues.has(name.toLowerCase()) &&
      !/[\w.(]/.test(this.text[this.at] ?? '')
    ) {
      if (!['true', 'false', 'null'].includes(name)) this.repairs.add(`${name} was read as a literal`);
      return literalValues.get(name.toLowerCase());
    }
    this.at = start;
    if (!this.options.barewords) return unread;
    const bare = this.match(bareword)?.trim();
    if (bare === undefined || bare === '') return unread;
    this.repairs.add('quotes were missing');
    return bare;
  }

  key(): string | undefined {
    this.skip();
    const quoted = this.string('key');
    if (quoted !== undefined) return quoted;
    const bare = this.match(bareKey)?.trim();
    if (bare === undefined) return undefined;
    if (/["'”]/.test(this.text[this.at] ?? '')) this.at++;
    return bare;
  }

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

/** Creates an object with only own properties, in which `__proto__` is an ordinary field. */
export function recordOf(entries: readonly (readonly [string, unknown])[]): AnyRecord {
  const record: AnyRecord = {};
  for (const [key, value] of entries) {
    if (key !== '__proto__') record[key] = value;
    else Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return record;
}

/** Calls `read` for a text in which quotes inside strings are escaped. If it fails, calls it again for unescaped ones. */
export function readWithQuotes<Value>(
  text: string,
  options: Omit<ReadOptions, 'innerQuotes'>,
  read: (reader: ValueReader) => Value | undefined,
): Value | undefined {
  return (
    read(new ValueReader(text, 0, options)) ??
    read(new ValueReader(text, 0, { ...options, innerQuotes: true }))
  );
}

/** Parses the value at the start of a text. */
export function readValue(text: string): { value: unknown; end: number } | undefined {
  return readWithQuotes(text, {}, (reader) => {
    const value = reader.value();
    return value === unread ? undefined : { value, end: reader.at };
  });
}

/** Parses the whole text as one value: first as strict JSON, then tolerantly. */
export function readWhole(
  text: string,
  options: ReadOptions = {},
): { value: unknown; repairs: readonly string[] } | undefined {
  const strict = readJson(text);
  if (strict) return { ...strict, repairs: [] };
  return readWithQuotes(text, options, (reader) => {
    const value = reader.value();
    reader.skip();
    // Ignore extra closing brackets. Any other text after the value means that we parsed it wrongly.
    const rest = text.slice(reader.at);
    if (value === unread || !/^[\s}\])>;,.]*$/.test(rest)) return undefined;
    if (rest.trim() !== '') reader.repairs.add('a closing bracket was too many');
    return { value, repairs: [...reader.repairs] };
  });
}

/** Parses the whole text as one object. Undefined for any other value. */
export function readObject(text: string, options: ReadOptions = {}) {
  const read = readWhole(text, options);
  return read && isRecord(read.value) ? { named: read.value, repairs: read.repairs } : undefined;
}

export function readJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Where a string is: alone (`value`), or in an object or list. This determines where it can end. */
type StringRole = 'key' | 'field' | 'item' | 'value';

interface ReadString {
  value: string;
  end: number;
  repair?: string;
}

const closingQuotes = new Map(Object.entries({ '"': '"', "'": "'", '“': '”', '”': '”', '‘': '’', '`': '`' }));
const stringMarks = ['<|"|>', '<escape>'];
const escapeCharacters = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['0', '\0'],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['/', '/'],
  ['\n', ''],
]);
const nextField =
  /\s*(?:["'“][^"'”\n]{1,80}["'”]|[\p{L}\p{N}_$](?:[\p{L}\p{N}_$.\- ]|\\_){0,60})["']?\s*[:=：]/uy;
const nextItem = /\s*(?:["'“‘{[(]|[-+]?\.?\d|(?:true|false|null|none)\b|[}\])]|$)/iuy;

/** Reads a string at `at`: with escapes of JSON and Python, smart quotes, Gemma's markers or unescaped quotes. */
function readString(text: string, at: number, role: StringRole, hasInnerQuotes: boolean) {
  const mark = stringMarks.find((candidate) => text.startsWith(candidate, at));
  if (mark !== undefined) return readMarked(text, at, mark, hasInnerQuotes);
  // Python's string prefixes, and a quote that is escaped as if it were inside a string.
  const prefix = /(?:[rbfu]{1,2}(?=["'])|\\(?=["']))/iy;
  prefix.lastIndex = at;
  const lead = prefix.exec(text)?.[0] ?? '';
  const open = text[at + lead.length] ?? '';
  const close = closingQuotes.get(open);
  if (close === undefined) return undefined;
  const start = at + lead.length + 1;
  if (open === close && text.startsWith(open + open, start)) return readTriple(text, start + 2, open);
  if (lead === '\\') return readEscaped(text, start, open);
  const isRaw = lead.toLowerCase().includes('r');
  return readQuoted(text, start, close, role, { hasInnerQuotes, isRaw });
}

function readMarked(text: string, at: number, mark: string, mayEnd: boolean): ReadString | undefined {
  const start = at + mark.length;
  const end = text.indexOf(mark, start);
  if (end >= 0) return { value: text.slice(start, end), end: end + mark.length };
  const bare = mayEnd ? /^[^,{}[\]]+/.exec(text.slice(start, start + 200))?.[0] : undefined;
  if (bare === undefined) return undefined;
  return { value: bare.trim(), end: start + bare.length, repair: 'quotes were missing' };
}

function readTriple(text: string, start: number, quote: string): ReadString | undefined {
  const end = text.indexOf(quote.repeat(3), start);
  return end < 0 ? undefined : { value: decodeEscapes(text.slice(start, end)), end: end + 3 };
}

function readEscaped(text: string, start: number, quote: string): ReadString | undefined {
  const end = text.indexOf(`\\${quote}`, start);
  if (end < 0) return undefined;
  return {
    value: decodeEscapes(text.slice(start, end)),
    end: end + 2,
    repair: 'escaped quotes were read as quotes',
  };
}

function readQuoted(
  text: string,
  start: number,
  close: string,
  role: StringRole,
  { hasInnerQuotes, isRaw }: { hasInnerQuotes: boolean; isRaw: boolean },
): ReadString | undefined {
  let isInner = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === close || (close === '”' && character === '"')) {
      if (hasInnerQuotes && !canEndAt(text, at + 1, role)) {
        isInner = true;
        continue;
      }
      const raw = text.slice(start, at);
      // Two adjacent strings are an expression, not one string that contains quotes.
      if (isInner && /["']\s*\+|\+\s*["']|["']\s+["']/.test(raw)) return undefined;
      const read: ReadString = { value: isRaw ? raw : decodeEscapes(raw), end: at + 1 };
      if (isInner) read.repair = 'quotes inside a string were not escaped';
      else if (close === '”') read.repair = 'typographic quotes were read as quotes';
      return read;
    }
  }
  return undefined;
}

function canEndAt(text: string, at: number, role: StringRole): boolean {
  let next = at;
  while (/\s/.test(text[next] ?? '')) next++;
  const character = text[next];
  if (character === undefined) return true;
  if (role === 'key') return /[:=：]/.test(character);
  if (role === 'value') return /[}\]),;]/.test(character);
  if (/[}\])]/.test(character)) return true;
  const follows = role === 'field' ? nextField : nextItem;
  if (character === ',') {
    follows.lastIndex = next + 1;
    return follows.test(text) || /^,\s*[}\])]/.test(text.slice(next, next + 20));
  }
  if (next === at) return false;
  nextField.lastIndex = next;
  return role === 'field' && /["'“]/.test(character) && nextField.test(text);
}

/** Resolves escapes. Leaves text with an invalid escape unchanged, such as a Windows path. */
function decodeEscapes(raw: string): string {
  if (!raw.includes('\\')) return raw;
  let text = '';
  for (let at = 0; at < raw.length; at++) {
    const character = raw[at] ?? '';
    if (character !== '\\') {
      text += character;
      continue;
    }
    const code = /^(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2}))/i.exec(raw.slice(at + 1, at + 11));
    if (code) {
      const point = parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16);
      text += code[2] === undefined ? String.fromCharCode(point) : codePoint(point);
      at += code[0].length;
      continue;
    }
    // Keep Markdown's `\_`: only the tool's name shows whether it is an escape or part of a path.
    const escaped =
      raw[at + 1] === '_' && !/^[a-z]:\\/i.test(raw) ? '\\_' : escapeCharacters.get(raw[at + 1] ?? '');
    if (escaped === undefined) return raw.replace(/\\(["'\\])/g, '$1');
    text += escaped;
    at++;
  }
  return text;
}

function codePoint(point: number): string {
  return point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point);
}
