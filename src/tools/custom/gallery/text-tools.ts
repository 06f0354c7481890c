import type { CustomToolContent } from '../../../contracts/custom-tool';
import { createObjectSchema, commonToolFields, createExample } from './number-tools';

export const textStatistics: CustomToolContent = {
  ...commonToolFields,
  name: 'text_statistics',
  title: 'Text statistics',
  description:
    'Counts characters, words, sentences and lines of a text, and how often a word or letter is in it. Use it for any question about how many or how long in a text.',
  keywords: {
    en: ['word count', 'characters', 'letters', 'how long', 'essay'],
    zh: ['字数', '多少字', '统计', '几句', '字符'],
  },
  inputSchema: createObjectSchema(['text'], {
    text: { type: 'string', maxLength: 60_000 },
    find: { type: 'string', maxLength: 200, description: 'Word or letter to count' },
  }),
  code: String.raw`const { text, find } = args;
const words = [...new Intl.Segmenter('en', { granularity: 'word' }).segment(text)].filter((part) => part.isWordLike).map((part) => part.segment);
const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)].filter((part) => /[\p{L}\p{N}]/u.test(part.segment));
const characters = [...new Intl.Segmenter('en').segment(text)].length;
const times = new Map();
for (const word of words) times.set(word.toLowerCase(), (times.get(word.toLowerCase()) ?? 0) + 1);
const result = {
  characters,
  words: words.length,
  sentences: sentences.length,
  lines: text === '' ? 0 : text.split(/\r\n|\r|\n/).length,
  minutes_to_read: Number((words.length / 230).toFixed(1)),
  most_used: [...times].sort((a, b) => b[1] - a[1]).slice(0, 5).map(([word, count]) => word + ': ' + count),
};
if (find) result.found = text.toLowerCase().split(find.toLowerCase()).length - 1;
return result;`,
  examples: [
    createExample(
      'How many r are in strawberry?',
      { text: 'strawberry', find: 'r' },
      '{"characters":10,"words":1,"sentences":1,"lines":1,"minutes_to_read":0,"most_used":["strawberry: 1"],"found":3}',
    ),
    createExample(
      '',
      { text: 'One two. Two!\n👨‍👩‍👧' },
      '{"characters":15,"words":3,"sentences":2,"lines":2,"minutes_to_read":0,"most_used":["two: 2","one: 1"]}',
    ),
  ],
};

export const regexTester: CustomToolContent = {
  ...commonToolFields,
  name: 'regex_test',
  title: 'Regex tester',
  description:
    'Tries a regular expression of JavaScript on a text and lists the matches with their groups. Use it to test or explain a pattern.',
  limits: { ...commonToolFields.limits, timeMs: 2_000 },
  keywords: {
    en: ['regular expression', 'pattern', 'match', 'grep', 'phone number', 'groups'],
    zh: ['正则', '表达式', '匹配', '模式'],
  },
  inputSchema: createObjectSchema(['pattern', 'text'], {
    pattern: { type: 'string', minLength: 1, maxLength: 1000, description: 'Without slashes' },
    text: { type: 'string', maxLength: 20_000 },
    flags: { type: 'string', pattern: '^[imsu]*$', default: '' },
  }),
  code: String.raw`let regex;
try { regex = new RegExp(args.pattern, [...new Set('g' + args.flags)].join('')); } catch (error) { throw new Error('The pattern cannot be read: ' + error.message); }
const all = [];
for (const match of args.text.matchAll(regex)) {
  if (all.length === 100) break;
  all.push({ match: match[0], at: match.index, ...(match.length > 1 && { groups: match.slice(1).map((group) => group ?? null) }), ...(match.groups && { named: { ...match.groups } }) });
}
return { count: all.length, matches: all };`,
  examples: [
    createExample(
      'What does (\\d+)-(\\d+) match in "10-20 and 3-4"?',
      { pattern: '(\\d+)-(\\d+)', text: '10-20 and 3-4' },
      '{"count":2,"matches":[{"match":"10-20","at":0,"groups":["10","20"]},{"match":"3-4","at":10,"groups":["3","4"]}]}',
    ),
    createExample('', { pattern: 'a', text: 'bbb' }, '{"count":0,"matches":[]}'),
  ],
};

export const textEncoder: CustomToolContent = {
  ...commonToolFields,
  name: 'encode_text',
  title: 'Encode, decode, hash',
  description:
    'Encodes or decodes a text as base64, hex or for a URL, or gives its SHA-256. Use it for any of these: they cannot be done by heart.',
  keywords: {
    en: ['base64', 'hex', 'url encode', 'sha256', 'checksum', 'decode'],
    zh: ['编码', '解码', '哈希', '校验和'],
  },
  inputSchema: createObjectSchema(['text', 'how'], {
    text: { type: 'string', maxLength: 20_000 },
    how: { type: 'string', enum: ['base64', 'from_base64', 'hex', 'from_hex', 'url', 'from_url', 'sha256'] },
  }),
  code: String.raw`const toBytes = (text) => {
  const escaped = encodeURIComponent(text.toWellFormed());
  return Array.from(escaped.matchAll(/%(..)|(.)/g), ([, hex, plain]) => (hex ? parseInt(hex, 16) : plain.charCodeAt(0)));
};
const toText = (bytes) => {
  try { return decodeURIComponent(bytes.map((byte) => '%' + byte.toString(16).padStart(2, '0')).join('')); }
  catch { throw new Error('What it decodes to is no text.'); }
};
const toHex = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function toBase64(bytes) {
  let out = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (bytes[at] << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const four = [18, 12, 6, 0].map((shift) => letters[(group >> shift) & 63]);
    out += four.slice(0, Math.min(4, bytes.length - at + 1)).join('').padEnd(4, '=');
  }
  return out;
}
function fromBase64(text) {
  const clean = text.replace(/\s|=+$/g, '').replace(/-/g, '+').replace(/_/g, '/');
  if (/[^A-Za-z0-9+/]/.test(clean) || clean.length % 4 === 1) throw new Error('This is no base64.');
  const bytes = [];
  let [bits, held] = [0, 0];
  for (const letter of clean) {
    held = ((held << 6) | letters.indexOf(letter)) & 0xffff;
    bits += 6;
    if (bits >= 8) bytes.push((held >> (bits -= 8)) & 255);
  }
  return bytes;
}
function sha256(message) {
  const root = (n, power) => Math.floor((n ** power % 1) * 2 ** 32);
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const k = primes.map((prime) => root(prime, 1 / 3));
  const state = primes.slice(0, 8).map((prime) => root(prime, 1 / 2));
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  const bytes = [...message, 128];
  while (bytes.length % 64 !== 56) bytes.push(0);
  const length = message.length * 8;
  for (let shift = 56; shift >= 0; shift -= 8) bytes.push(shift > 31 ? 0 : (length >>> shift) & 255);
  for (let at = 0; at < bytes.length; at += 64) {
    const w = Array.from({ length: 16 }, (_, i) => (bytes[at + 4 * i] << 24) | (bytes[at + 4 * i + 1] << 16) | (bytes[at + 4 * i + 2] << 8) | bytes[at + 4 * i + 3]);
    for (let i = 16; i < 64; i++) {
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] = (state[i] + value) | 0; });
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
const { text, how } = args;
switch (how) {
  case 'base64': return toBase64(toBytes(text));
  case 'from_base64': return toText(fromBase64(text));
  case 'hex': return toHex(toBytes(text));
  case 'from_hex': {
    const digits = text.replace(/\s|^0x/g, '');
    if (!/^([\da-f]{2})*$/i.test(digits)) throw new Error('This is no hex: write two digits a byte.');
    return toText((digits.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
  }
  case 'url': return encodeURIComponent(text.toWellFormed());
  case 'from_url':
    try { return decodeURIComponent(text.replace(/\+/g, ' ')); } catch { throw new Error('This is not encoded for a URL.'); }
  default: return sha256(toBytes(text));
}`,
  examples: [
    createExample('base64 of Grüße', { text: 'Grüße', how: 'base64' }, '"R3LDvMOfZQ=="'),
    createExample('', { text: 'R3LDvMOfZQ==', how: 'from_base64' }, '"Grüße"'),
    createExample(
      '',
      { text: 'abc', how: 'sha256' },
      '"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"',
    ),
    createExample('', { text: '时', how: 'hex' }, '"e697b6"'),
    createExample('', { text: 'a%20b%26', how: 'from_url' }, '"a b&"'),
  ],
};

export const jsonQuery: CustomToolContent = {
  ...commonToolFields,
  name: 'json_query',
  title: 'JSON query',
  description:
    'Reads a part of a JSON text by a path such as items[0].name or items[*].price. Use it to look something up in JSON.',
  keywords: {
    en: ['path', 'field', 'extract', 'look up in json', 'api answer'],
    zh: ['取字段', '解析', '数据', '路径'],
  },
  inputSchema: createObjectSchema(['json'], {
    json: { type: 'string', minLength: 1, maxLength: 60_000 },
    path: { type: 'string', maxLength: 500, default: '', description: 'Empty for all of it' },
  }),
  code: String.raw`let data;
try { data = JSON.parse(args.json); } catch (error) { throw new Error('The text is no JSON: ' + error.message); }
const steps = [];
const pattern = /\.?([^.[\]]+)|\[(\d+|\*)\]|\["([^"]*)"\]/y;
const path = args.path.replace(/^\$/, '');
for (let at = 0; at < path.length; at = pattern.lastIndex) {
  pattern.lastIndex = at;
  const match = pattern.exec(path);
  if (!match) throw new Error('The path cannot be read from "' + path.slice(at, at + 30) + '". Write it like items[0].name');
  steps.push(match[1] ?? match[2] ?? match[3]);
}
const keysOf = (value) => Array.isArray(value) ? value.length + ' items' : value && typeof value === 'object' ? Object.keys(value).slice(0, 20).join(', ') : String(value);
let found = [data];
let isMany = false;
for (const step of steps) {
  if (step === '*') {
    isMany = true;
    found = found.flatMap((value) => value && typeof value === 'object' ? Object.values(value) : []);
    continue;
  }
  const next = found.filter((value) => value !== null && typeof value === 'object' && Object.hasOwn(value, step)).map((value) => value[step]);
  if (next.length === 0 && !isMany) throw new Error('There is no "' + step + '". There is: ' + keysOf(found[0]));
  found = next;
}
return isMany ? found : found[0];`,
  examples: [
    createExample(
      'Which prices are in {"items":[{"price":3},{"price":5}]}?',
      { json: '{"items":[{"price":3},{"price":5}]}', path: 'items[*].price' },
      '[3,5]',
    ),
    createExample('', { json: '{"a":{"b c":[1,2]}}', path: 'a["b c"][1]' }, '2'),
    createExample('', { json: '[1]' }, '[1]'),
  ],
};

export const tableQuery: CustomToolContent = {
  ...commonToolFields,
  name: 'query_csv',
  title: 'CSV table query',
  description:
    'Filters, sorts and sums the rows of a CSV table with a header line. Use it for questions about a table that is given as CSV.',
  keywords: {
    en: ['spreadsheet', 'rows', 'columns', 'filter', 'sort', 'sum', 'average', 'csv'],
    zh: ['表格', '筛选', '排序', '求和', '行', '列'],
  },
  inputSchema: createObjectSchema(['csv'], {
    csv: { type: 'string', minLength: 1, maxLength: 60_000 },
    where: { type: 'string', maxLength: 200, description: 'Such as age > 30 or city = Oslo' },
    sort: { type: 'string', maxLength: 100, description: 'Column; -column for the greatest first' },
    sum: { type: 'string', maxLength: 100, description: 'Column of numbers' },
    limit: { type: 'integer', minimum: 1, maximum: 200, default: 20 },
  }),
  code: String.raw`function parse(text) {
  const rows = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",;\t\r\n]*))([,;\t]|\r\n|\r|\n|$)/y;
  const header = text.split(/\r|\n/, 1)[0];
  const divider = [',', ';', '\t'].sort((a, b) => header.split(b).length - header.split(a).length)[0];
  let row = [];
  let cell = '';
  let at = 0;
  while (at < text.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match || match[0] === '') throw new Error('Line ' + (rows.length + 1) + ' cannot be read: are its quotes closed?');
    at = pattern.lastIndex;
    cell += match[1] !== undefined ? match[1].replaceAll('""', '"') : match[2];
    if (/[,;\t]/.test(match[3]) && match[3] !== divider) { cell += match[3]; continue; }
    row.push(cell.trim());
    cell = '';
    if (match[3] !== divider) { rows.push(row); row = []; }
  }
  if (row.length > 0 || cell !== '') rows.push([...row, cell.trim()]);
  return rows.filter((cells) => cells.some((value) => value !== ''));
}
const [header = [], ...body] = parse(args.csv);
const column = (name) => {
  const at = header.findIndex((title) => title.toLowerCase() === name.trim().toLowerCase());
  if (at < 0) throw new Error('There is no column "' + name.trim() + '". There is: ' + header.join(', '));
  return at;
};
const isNumber = (text) => text !== undefined && text !== '' && Number.isFinite(Number(text));
const compare = (a = '', b = '') => (isNumber(a) && isNumber(b) ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0);
let rows = body;
if (args.where !== undefined) {
  const match = /^(.+?)\s*(>=|<=|!=|=|>|<|contains)\s*(.*)$/.exec(args.where.trim());
  if (!match) throw new Error('Write the condition like age > 30, city = Oslo or name contains an.');
  const at = column(match[1]);
  const wanted = match[3].replace(/^(["'])(.*)\1$/, '$2');
  const fits = {
    '=': (order) => order === 0, '!=': (order) => order !== 0, '>': (order) => order > 0,
    '<': (order) => order < 0, '>=': (order) => order >= 0, '<=': (order) => order <= 0,
  };
  rows = rows.filter((cells) => match[2] === 'contains'
    ? (cells[at] ?? '').toLowerCase().includes(wanted.toLowerCase())
    : fits[match[2]](compare((cells[at] ?? '').toLowerCase(), wanted.toLowerCase())));
}
if (args.sort !== undefined) {
  const isDown = args.sort.startsWith('-');
  const at = column(isDown ? args.sort.slice(1) : args.sort);
  rows = [...rows].sort((a, b) => compare(a[at], b[at]) * (isDown ? -1 : 1));
}
const result = { rows: rows.length };
if (args.sum !== undefined) {
  const at = column(args.sum);
  const numbers = rows.map((cells) => cells[at]).filter(isNumber).map(Number);
  const sum = numbers.reduce((total, value) => total + value, 0);
  Object.assign(result, { sum: Number(sum.toPrecision(12)), average: numbers.length ? Number((sum / numbers.length).toPrecision(6)) : null });
}
result.first = rows.slice(0, args.limit).map((cells) => Object.fromEntries(header.map((title, at) => [title, cells[at] ?? ''])));
return result;`,
  examples: [
    createExample(
      'Who is over 30 in this table? name,age Ada,36 Bo,29',
      { csv: 'name,age\nAda,36\nBo,29', where: 'age > 30' },
      '{"rows":1,"first":[{"name":"Ada","age":"36"}]}',
    ),
    createExample(
      '',
      { csv: 'what;price\n"a; b";2.5\nc;1.5\n', sort: '-price', sum: 'price', limit: 1 },
      '{"rows":2,"sum":4,"average":2,"first":[{"what":"a; b","price":"2.5"}]}',
    ),
  ],
};
