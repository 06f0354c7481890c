/** Reads a quoted string: JSON's and Python's escapes, smart quotes, Gemma's marks, quotes that were not escaped. */

/** Where the string stands decides where it can end: `value` alone, `field` of an object, `item` of a list. */
export type Role = 'key' | 'field' | 'item' | 'value';

export interface ReadString {
  value: string;
  end: number;
  repair?: string;
}

const closers = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['”', '”'],
  ['‘', '’'],
  ['`', '`'],
]);
/** Marks that hold a string without escapes. */
const marks = ['<|"|>', '<escape>'];
const escapes = new Map([
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
/** After a comma in an object or a list of named arguments: the next field. */
const nextField =
  /\s*(?:["'“][^"'”\n]{1,80}["'”]|[\p{L}\p{N}_$](?:[\p{L}\p{N}_$.\- ]|\\_){0,60})["']?\s*[:=：]/uy;
const nextItem = /\s*(?:["'“‘{[(]|[-+]?\.?\d|(?:true|false|null|none)\b|[}\])]|$)/iuy;

/** The string that begins at `at`, if one does. */
export function readString(
  text: string,
  at: number,
  role: Role,
  hasInnerQuotes: boolean,
): ReadString | undefined {
  const mark = marks.find((candidate) => text.startsWith(candidate, at));
  if (mark !== undefined) return readMarked(text, at, mark, hasInnerQuotes);
  // Python's prefixes, and a quote escaped as if the text stood in a string already.
  const prefix = /(?:[rbfu]{1,2}(?=["'])|\\(?=["']))/iy;
  prefix.lastIndex = at;
  const lead = prefix.exec(text)?.[0] ?? '';
  const open = text[at + lead.length] ?? '';
  const close = closers.get(open);
  if (close === undefined) return undefined;
  const start = at + lead.length + 1;
  if (open === close && text.startsWith(open + open, start)) return readTriple(text, start + 2, open);
  if (lead === '\\') return readEscaped(text, start, open);
  const isRaw = lead.toLowerCase().includes('r');
  return readQuoted(text, start, close, role, { hasInnerQuotes, isRaw });
}

/** Where the second mark is missing, the string ends where an unquoted one would. */
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
  return end < 0 ? undefined : { value: decode(text.slice(start, end)), end: end + 3 };
}

/** `\"so\"`: both quotes escaped. */
function readEscaped(text: string, start: number, quote: string): ReadString | undefined {
  const end = text.indexOf(`\\${quote}`, start);
  if (end < 0) return undefined;
  return {
    value: decode(text.slice(start, end)),
    end: end + 2,
    repair: 'escaped quotes were read as quotes',
  };
}

function readQuoted(
  text: string,
  start: number,
  close: string,
  role: Role,
  { hasInnerQuotes, isRaw }: { hasInnerQuotes: boolean; isRaw: boolean },
): ReadString | undefined {
  let isInner = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === close || (close === '”' && character === '"')) {
      if (hasInnerQuotes && !endsAt(text, at + 1, role)) {
        isInner = true;
        continue;
      }
      const raw = text.slice(start, at);
      // Two strings put together are an expression, not a string with quotes in it.
      if (isInner && /["']\s*\+|\+\s*["']|["']\s+["']/.test(raw)) return undefined;
      const read: ReadString = { value: isRaw ? raw : decode(raw), end: at + 1 };
      if (isInner) read.repair = 'quotes inside a string were not escaped';
      else if (close === '”') read.repair = 'typographic quotes were read as quotes';
      return read;
    }
  }
  return undefined;
}

/** Whether a quote just before `at` can be the end of a string in this place. */
function endsAt(text: string, at: number, role: Role): boolean {
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
  // A missing comma.
  if (next === at) return false;
  nextField.lastIndex = next;
  return role === 'field' && /["'“]/.test(character) && nextField.test(text);
}

/** A text with an escape that does not exist, a Windows path say, is taken as it stands. */
function decode(raw: string): string {
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
    // Markdown's escape stands for itself here: only whoever knows the tool can tell it from a path.
    const escaped = raw[at + 1] === '_' && !/^[a-z]:\\/i.test(raw) ? '\\_' : escapes.get(raw[at + 1] ?? '');
    if (escaped === undefined) return raw.replace(/\\(["'\\])/g, '$1');
    text += escaped;
    at++;
  }
  return text;
}

function codePoint(point: number): string {
  return point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point);
}
