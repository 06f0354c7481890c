/**
 * Parses one value as models write it: JSON, JSON5, Python literals and Gemma's quotes in one grammar, in linear time. `repairs` lists the
 * errors it corrected. An unreadable value becomes `unreadableValue`, never a guess.
 */
import { type AnyRecord, isRecord } from './tool-index';

export const unreadableValue = Symbol('unread');

/** Maximum nesting depth, to avoid a call stack overflow. */
const maxDepth = 100;

interface ValueReadOptions {
  /** Allows unescaped quotes in strings: a quote only ends the string if, for example, a comma or bracket follows. */
  innerQuotes?: boolean;
  barewords?: boolean;
  /** A closing marker ended the text, so we may close open brackets. */
  mayClose?: boolean;
}

const numberPattern = /[+-]?(?:0x[\da-f]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?![\p{L}\d_.])/iuy;
const wordPattern = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const bareKeyPattern = /[\p{L}\p{N}_$](?:[\p{L}\p{N}_$.\- ]|\\_)*/uy;
const barewordPattern = /[^\s,;:=(){}[\]"'`<>][^,;(){}[\]"`<>\n]*/uy;
const blankPattern = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*)+/y;
const literalValues = new Map<string, unknown>(
  Object.entries({ true: true, false: false, null: null, none: null, undefined: null }),
);

export class ValueReader {
  readonly text: string;
  readonly repairs = new Set<string>();
  readonly options: ValueReadOptions;
  position: number;
  #depth = 0;

  constructor(text: string, at = 0, options: ValueReadOptions = {}) {
    this.text = text;
    this.position = at;
    this.options = options;
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  skipBlanks(): void {
    const skipped = this.consumeMatch(blankPattern);
    if (skipped !== undefined && /[^\s]/.test(skipped)) this.repairs.add('a comment was left out');
  }

  consume(expected: string): boolean {
    if (!this.text.startsWith(expected, this.position)) return false;
    this.position += expected.length;
    return true;
  }

  consumeMatch(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.position += found.length;
    return found;
  }

  readValue(role: StringRole = 'value'): unknown {
    this.skipBlanks();
    if (this.#depth >= maxDepth) return unreadableValue;
    this.#depth++;
    const value = this.#value(role);
    this.#depth--;
    return value;
  }

  #value(role: StringRole): unknown {
    const first = this.text[this.position];
    if (first === '{') return this.#object();
    if (first === '[') return this.#list(']');
    if (first === '(') return this.#list(')');
    const text = this.readString(role);
    if (text !== undefined) return text;
    return this.#scalar();
  }

  readString(role: StringRole): string | undefined {
    const read = readString(this.text, this.position, role, this.options.innerQuotes ?? false);
    if (!read) return undefined;
    this.position = read.end;
    if (read.repair !== undefined) this.repairs.add(read.repair);
    return read.value;
  }

  #scalar(): unknown {
    const digits = this.consumeMatch(numberPattern);
    if (digits !== undefined) return Number(digits.replaceAll('_', ''));
    const start = this.position;
    const name = this.consumeMatch(wordPattern);
    if (
      name !== undefined &&
      literalValues.has(name.toLowerCase()) &&
      !/[\w.(]/.test(this.text[this.position] ?? '')
    ) {
      if (!['true', 'false', 'null'].includes(name)) this.repairs.add(`${name} was read as a literal`);
      return literalValues.get(name.toLowerCase());
    }
    this.position = start;
    if (!this.options.barewords) return unreadableValue;
    const bare = this.consumeMatch(barewordPattern)?.trim();
    if (bare === undefined || bare === '') return unreadableValue;
    this.repairs.add('quotes were missing');
    return bare;
  }

  readKey(): string | undefined {
    this.skipBlanks();
    const quoted = this.readString('key');
    if (quoted !== undefined) return quoted;
    const bare = this.consumeMatch(bareKeyPattern)?.trim();
    if (bare === undefined) return undefined;
    if (/["'”]/.test(this.text[this.position] ?? '')) this.position++;
    return bare;
  }

  consumeSeparator(): boolean {
    this.skipBlanks();
    if (this.consume(':') || this.consume('：')) return true;
    if (!this.consume('=')) return false;
    this.consume('>');
    return true;
  }

  #object(): unknown {
    const object: [string, unknown][] = [];
    this.position++;
    this.skipBlanks();
    const isDoubled = this.consume('{');
    if (isDoubled) this.repairs.add('doubled braces were read as one');
    for (;;) {
      this.skipBlanks();
      while (this.consume(',')) this.skipBlanks();
      if (this.consume('}')) {
        if (isDoubled) this.consume('}');
        return createRecord(object);
      }
      if (this.isAtEnd) return this.#closed(createRecord(object));
      const key = this.readKey();
      if (key === undefined || !this.consumeSeparator()) return unreadableValue;
      const value = this.readValue('field');
      if (value === unreadableValue) return unreadableValue;
      object.push([key, value]);
      if (!this.#hasNext('}')) return unreadableValue;
    }
  }

  #list(close: string): unknown {
    const list: unknown[] = [];
    this.position++;
    for (;;) {
      this.skipBlanks();
      while (this.consume(',')) this.skipBlanks();
      if (this.consume(close)) return list;
      if (this.isAtEnd) return this.#closed(list);
      const value = this.readValue('item');
      if (value === unreadableValue) return unreadableValue;
      list.push(value);
      if (!this.#hasNext(close)) return unreadableValue;
    }
  }

  #hasNext(close: string): boolean {
    const before = this.position;
    this.skipBlanks();
    const next = this.text[this.position];
    if (next === undefined || next === close) return true;
    if (next === ',') {
      if (/^,\s*[}\])]/.test(this.text.slice(this.position, this.position + 20)))
        this.repairs.add('a comma was too many');
      return true;
    }
    if (before === this.position || !/["'“{[\w]/.test(next)) return false;
    this.repairs.add('a comma was missing');
    return true;
  }

  #closed(value: unknown): unknown {
    if (!this.options.mayClose) return unreadableValue;
    this.repairs.add('a closing bracket was missing');
    return value;
  }
}

/** Creates an object in which `__proto__` is an ordinary field. */
export function createRecord(entries: readonly (readonly [string, unknown])[]): AnyRecord {
  const record: AnyRecord = {};
  for (const [key, value] of entries) {
    if (key !== '__proto__') record[key] = value;
    else Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return record;
}

/** Calls `read` for a text with escaped quotes inside strings. If it fails, calls it again for unescaped quotes. */
export function readWithEitherQuotes<Value>(
  text: string,
  options: Omit<ValueReadOptions, 'innerQuotes'>,
  read: (reader: ValueReader) => Value | undefined,
): Value | undefined {
  return (
    read(new ValueReader(text, 0, options)) ??
    read(new ValueReader(text, 0, { ...options, innerQuotes: true }))
  );
}

export function readValue(text: string): { value: unknown; end: number } | undefined {
  return readWithEitherQuotes(text, {}, (reader) => {
    const value = reader.readValue();
    return value === unreadableValue ? undefined : { value, end: reader.position };
  });
}

export function readWholeValue(text: string, options: ValueReadOptions = {}) {
  const strict = readJson(text);
  if (strict) return { ...strict, repairs: [] };
  return readWithEitherQuotes(text, options, (reader) => {
    const value = reader.readValue();
    reader.skipBlanks();
    // Ignore extra closing brackets. Any other text after the value means that we parsed it wrongly.
    const rest = text.slice(reader.position);
    if (value === unreadableValue || !/^[\s}\])>;,.]*$/.test(rest)) return undefined;
    if (rest.trim() !== '') reader.repairs.add('a closing bracket was too many');
    return { value, repairs: [...reader.repairs] };
  });
}

export function readObject(text: string, options: ValueReadOptions = {}) {
  const read = readWholeValue(text, options);
  return read && isRecord(read.value) ? { named: read.value, repairs: read.repairs } : undefined;
}

export function readJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Position of a string: alone (`value`), or in an object or list. It determines where the string can end. */
type StringRole = 'key' | 'field' | 'item' | 'value';

interface ParsedString {
  value: string;
  end: number;
  repair?: string;
}

const closingQuotes = new Map(Object.entries({ '"': '"', "'": "'", '“': '”', '”': '”', '‘': '’', '`': '`' }));
const stringMarkers = ['<|"|>', '<escape>'];
const escapedCharacters = new Map([
  ...Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', 0: '\0', '\n': '' }),
  ...['"', "'", '\\', '/'].map((character) => [character, character] as const),
]);
const nextFieldPattern =
  /\s*(?:["'“][^"'”\n]{1,80}["'”]|[\p{L}\p{N}_$](?:[\p{L}\p{N}_$.\- ]|\\_){0,60})["']?\s*[:=：]/uy;
const nextItemPattern = /\s*(?:["'“‘{[(]|[-+]?\.?\d|(?:true|false|null|none)\b|[}\])]|$)/iuy;

/** Reads a string at `at`: with escapes of JSON and Python, smart quotes, Gemma's markers or unescaped quotes. */
function readString(text: string, at: number, role: StringRole, hasInnerQuotes: boolean) {
  const mark = stringMarkers.find((candidate) => text.startsWith(candidate, at));
  if (mark !== undefined) return readMarkedString(text, at, mark, hasInnerQuotes);
  // Python's string prefixes, and a quote that is escaped as if it were inside a string.
  const prefix = /(?:[rbfu]{1,2}(?=["'])|\\(?=["']))/iy;
  prefix.lastIndex = at;
  const lead = prefix.exec(text)?.[0] ?? '';
  const open = text[at + lead.length] ?? '';
  const close = closingQuotes.get(open);
  if (close === undefined) return undefined;
  const start = at + lead.length + 1;
  if (open === close && text.startsWith(open + open, start)) return readUpTo(text, start + 2, open.repeat(3));
  if (lead === '\\') {
    const read = readUpTo(text, start, lead + open);
    return read && { ...read, repair: 'escaped quotes were read as quotes' };
  }
  const isRaw = lead.toLowerCase().includes('r');
  return readQuotedString(text, start, close, role, { hasInnerQuotes, isRaw });
}

function readMarkedString(text: string, at: number, mark: string, mayEnd: boolean): ParsedString | undefined {
  const start = at + mark.length;
  const end = text.indexOf(mark, start);
  if (end >= 0) return { value: text.slice(start, end), end: end + mark.length };
  const bare = mayEnd ? /^[^,{}[\]]+/.exec(text.slice(start, start + 200))?.[0] : undefined;
  if (bare === undefined) return undefined;
  return { value: bare.trim(), end: start + bare.length, repair: 'quotes were missing' };
}

function readUpTo(text: string, start: number, close: string): ParsedString | undefined {
  const end = text.indexOf(close, start);
  return end < 0 ? undefined : { value: decodeEscapes(text.slice(start, end)), end: end + close.length };
}

function readQuotedString(
  text: string,
  start: number,
  close: string,
  role: StringRole,
  { hasInnerQuotes, isRaw }: { hasInnerQuotes: boolean; isRaw: boolean },
): ParsedString | undefined {
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
      // Two adjacent strings are an expression, not one string with quotes.
      if (isInner && /["']\s*\+|\+\s*["']|["']\s+["']/.test(raw)) return undefined;
      const read: ParsedString = { value: isRaw ? raw : decodeEscapes(raw), end: at + 1 };
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
  const follows = role === 'field' ? nextFieldPattern : nextItemPattern;
  if (character === ',') {
    follows.lastIndex = next + 1;
    return follows.test(text) || /^,\s*[}\])]/.test(text.slice(next, next + 20));
  }
  if (next === at) return false;
  nextFieldPattern.lastIndex = next;
  return role === 'field' && /["'“]/.test(character) && nextFieldPattern.test(text);
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
      text += code[2] === undefined ? String.fromCharCode(point) : decodeCodePoint(point);
      at += code[0].length;
      continue;
    }
    // Keep `\_`: it may be a Markdown escape or part of a path. `resolve.ts` removes the backslash if a name in the call contains `\_` too.
    const escaped =
      raw[at + 1] === '_' && !/^[a-z]:\\/i.test(raw) ? '\\_' : escapedCharacters.get(raw[at + 1] ?? '');
    if (escaped === undefined) return raw.replace(/\\(["'\\])/g, '$1');
    text += escaped;
    at++;
  }
  return text;
}

function decodeCodePoint(point: number): string {
  return point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point);
}
