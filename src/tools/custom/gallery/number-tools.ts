import type { CustomToolContent } from '../../../contracts/custom-tool';
import type { JsonSchema } from '../../../contracts/schema';

export const commonToolFields = {
  class: 'pure' as const,
  hosts: [],
  secrets: [],
  limits: { timeMs: 5_000, outputCharacters: 20_000, hostCalls: 0 },
};

export function createExample(request: string, args: Record<string, unknown>, result?: string) {
  return { request, arguments: args, ...(result !== undefined && { result }) };
}

export const createObjectSchema = (required: readonly string[], properties: Record<string, JsonSchema>) => ({
  type: 'object',
  properties,
  required,
});

/** Request, value, unit, target unit, result, and unit of the result. */
const conversionExamples: readonly [string, number, string, string, number, string][] = [
  ['How many km are 26.2 miles?', 26.2, 'miles', 'km', 42.1648128, 'km'],
  ['Convert 10 miles to km', 10, 'miles', 'km', 16.09344, 'km'],
  ['What is 100 F in C?', 100, 'F', 'C', 37.77777778, '°C'],
  ['5 kg to pounds', 5, 'kg', 'pounds', 11.02311311, 'lb'],
  ['How many cups in a litre?', 1, 'litre', 'cups', 4.226752838, 'cups'],
  ['100 F in C', 100, 'F', 'C', 37.77777778, '°C'],
  ['How many km is 26.2 miles?', 26.2, 'miles', 'km', 42.1648128, 'km'],
  ['How much is 5 kg in pounds?', 5, 'kg', 'pounds', 11.02311311, 'lb'],
  ['How far is 10 miles in km?', 10, 'miles', 'km', 16.09344, 'km'],
  ['How tall is 180 cm in feet?', 180, 'cm', 'feet', 5.905511811, 'ft'],
  ['How many cups in 2 litres?', 2, 'litres', 'cups', 8.453505675, 'cups'],
  ['How many cups are in 2 litres?', 2, 'litres', 'cups', 8.453505675, 'cups'],
  ['10英里是多少公里？', 10, '英里', '公里', 16.09344, 'km'],
  ['10英里等于多少公里？', 10, '英里', '公里', 16.09344, 'km'],
  ['把10英里换算成公里', 10, '英里', '公里', 16.09344, 'km'],
  ['一升是多少杯？', 1, '升', '杯', 4.226752838, 'cups'],
  ['How many cups are in a litre?', 1, 'litre', 'cups', 4.226752838, 'cups'],
  ['', 212, 'F', 'celsius', 100, '°C'],
  ['', 1, 'GiB', 'MB', 1073.741824, 'MB'],
];

export const unitConverter: CustomToolContent = {
  ...commonToolFields,
  name: 'convert_units',
  title: 'Unit conversion',
  description:
    'Converts a value from one unit to another, such as miles to km or F to C. Use it for any question about units of measure.',
  keywords: {
    en: 'miles kilometres pounds kilograms fahrenheit celsius inches litres measure'.split(' '),
    zh: ['单位', '换算', '公里', '英里', '公斤', '磅', '华氏', '摄氏', '多长', '多重'],
  },
  inputSchema: createObjectSchema(['value', 'from', 'to'], {
    value: { type: 'number' },
    from: { type: 'string', minLength: 1, maxLength: 30, description: 'Unit, such as mile, kg, F' },
    to: { type: 'string', minLength: 1, maxLength: 30, description: 'Unit to convert to' },
  }),
  code: String.raw`const kinds = {
  length: { m: 1, km: 1000, cm: 0.01, mm: 0.001, mi: 1609.344, yd: 0.9144, ft: 0.3048, in: 0.0254, nmi: 1852 },
  mass: { kg: 1, g: 0.001, mg: 1e-6, t: 1000, lb: 0.45359237, oz: 0.028349523125, st: 6.35029318 },
  volume: { l: 1, ml: 0.001, m3: 1000, gal: 3.785411784, qt: 0.946352946, pt: 0.473176473, cup: 0.2365882365, floz: 0.0295735295625 },
  speed: { 'm/s': 1, 'km/h': 1 / 3.6, mph: 0.44704, kn: 1852 / 3600 },
  area: { m2: 1, km2: 1e6, ha: 1e4, acre: 4046.8564224, ft2: 0.09290304, mi2: 2589988.110336 },
  time: { s: 1, ms: 0.001, min: 60, h: 3600, d: 86400, week: 604800 },
  data: { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 1024, MiB: 1048576, GiB: 1073741824, TiB: 1099511627776 },
};
const spoken = {
  meter: 'm', metre: 'm', kilometer: 'km', kilometre: 'km', centimeter: 'cm', millimeter: 'mm', mile: 'mi',
  yard: 'yd', foot: 'ft', feet: 'ft', inch: 'in', inche: 'in', 'nautical mile': 'nmi', kilogram: 'kg', kilo: 'kg', gram: 'g',
  milligram: 'mg', tonne: 't', ton: 't', pound: 'lb', ounce: 'oz', stone: 'st', liter: 'l', litre: 'l',
  milliliter: 'ml', gallon: 'gal', quart: 'qt', pint: 'pt', 'fluid ounce': 'floz', knot: 'kn', kmh: 'km/h', kph: 'km/h',
  hectare: 'ha', second: 's', sec: 's', minute: 'min', hour: 'h', hr: 'h', day: 'd', byte: 'B',
  celsius: 'C', fahrenheit: 'F', kelvin: 'K', '°c': 'C', '°f': 'F', 'degrees celsius': 'C', 'degrees fahrenheit': 'F',
  'square meter': 'm2', 'square metre': 'm2', 'square foot': 'ft2', 'square feet': 'ft2', 'square mile': 'mi2', hectares: 'ha',
  'mile per hour': 'mph', 'miles per hour': 'mph', 'kilometers per hour': 'km/h', 'kilometres per hour': 'km/h',
  米: 'm', 公里: 'km', 千米: 'km', 厘米: 'cm', 毫米: 'mm', 英里: 'mi', 码: 'yd', 英尺: 'ft', 英寸: 'in', 海里: 'nmi',
  公斤: 'kg', 千克: 'kg', 克: 'g', 毫克: 'mg', 吨: 't', 磅: 'lb', 盎司: 'oz', 升: 'l', 毫升: 'ml', 加仑: 'gal', 品脱: 'pt', 杯: 'cup',
  摄氏度: 'C', 华氏度: 'F', 平方米: 'm2', 平方英尺: 'ft2', 公顷: 'ha', 英亩: 'acre',
  秒: 's', 分钟: 'min', 小时: 'h', 天: 'd', 周: 'week',
};
const temperatures = {
  C: { to: (x) => x + 273.15, from: (x) => x - 273.15 },
  F: { to: (x) => (x - 32) / 1.8 + 273.15, from: (x) => (x - 273.15) * 1.8 + 32 },
  K: { to: (x) => x, from: (x) => x },
};
const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);
const exact = (name) =>
  own(temperatures, name) ? { kind: 'temperature', name } :
  Object.entries(kinds).filter(([, units]) => Object.hasOwn(units, name)).map(([kind]) => ({ kind, name }))[0];
function find(written) {
  const name = written.trim();
  const small = name.toLowerCase();
  const single = small.replace(/s$/, '');
  const found = [name, own(spoken, small), own(spoken, single), small, single, small.toUpperCase()]
    .map((candidate) => candidate && exact(candidate)).find(Boolean);
  if (found) return found;
  const known = Object.values(kinds).flatMap((units) => Object.keys(units)).concat(Object.keys(temperatures));
  throw new Error('Unknown unit "' + name + '". Use one of: ' + known.join(', '));
}
const from = find(args.from);
const to = find(args.to);
if (from.kind !== to.kind) throw new Error(from.name + ' is ' + from.kind + ', ' + to.name + ' is ' + to.kind + ': they cannot be converted.');
const result = from.kind === 'temperature'
  ? temperatures[to.name].from(temperatures[from.name].to(args.value))
  : (args.value * kinds[from.kind][from.name]) / kinds[to.kind][to.name];
// As it is written behind the number.
const written = { C: '°C', F: '°F', ...(result === 1 ? {} : { cup: 'cups', acre: 'acres', week: 'weeks' }) };
return { result: Number(result.toPrecision(10)), unit: own(written, to.name) ?? to.name };`,
  examples: conversionExamples.map(([request, value, from, to, result, unit]) =>
    createExample(request, { value, from, to }, JSON.stringify({ result, unit })),
  ),
};

export const currencyConverter: CustomToolContent = {
  name: 'convert_currency',
  title: 'Currency',
  description:
    'Converts an amount of money between currencies at the latest daily rate. Use it when the question names two currencies.',
  keywords: {
    en: ['money', 'exchange rate', 'dollars', 'euros', 'yen', 'pounds', 'yuan', 'worth'],
    zh: ['汇率', '换钱', '美元', '欧元', '人民币', '日元', '值多少'],
  },
  inputSchema: createObjectSchema(['amount', 'from', 'to'], {
    amount: { type: 'number', minimum: 0 },
    from: { type: 'string', pattern: '^[A-Za-z]{3}$', description: 'Code, such as USD' },
    to: { type: 'string', pattern: '^[A-Za-z]{3}$', description: 'Code, such as EUR' },
  }),
  class: 'net-read',
  hosts: ['api.frankfurter.dev'],
  secrets: [],
  limits: { timeMs: 10_000, outputCharacters: 2_000, hostCalls: 1 },
  code: String.raw`const from = args.from.toUpperCase();
const to = args.to.toUpperCase();
if (from === to) return { amount: args.amount, currency: to };
const answer = await host.fetch('https://api.frankfurter.dev/v1/latest?base=' + from + '&symbols=' + to);
if (answer.status === 404) throw new Error('No rate for ' + from + ' to ' + to + '. Use codes such as USD, EUR, JPY, CNY.');
if (!answer.ok) throw new Error('The rates did not come: ' + answer.status + '. Try again later.');
const { rates, date } = JSON.parse(answer.text);
const rate = rates && rates[to];
if (typeof rate !== 'number') throw new Error('No rate for ' + from + ' to ' + to + '.');
return { amount: Number((args.amount * rate).toFixed(2)), currency: to, rate, date };`,
  examples: [
    createExample('What are 100 dollars in euros?', { amount: 100, from: 'USD', to: 'EUR' }),
    createExample('', { amount: 5, from: 'eur', to: 'EUR' }, '{"amount":5,"currency":"EUR"}'),
  ],
};

const dayPattern = '^\\d{4}-\\d{2}-\\d{2}$';

export const businessDays: CustomToolContent = {
  ...commonToolFields,
  name: 'business_days',
  title: 'Business days',
  description:
    'Counts the days and the business days between two dates, or finds the date so many business days later. Use it for deadlines and spans of time.',
  keywords: {
    en: ['workdays', 'working days', 'deadline', 'holidays', 'days between'],
    zh: ['工作日', '上班天数', '截止日期', '节假日', '相隔几天'],
  },
  inputSchema: createObjectSchema(['from'], {
    from: { type: 'string', pattern: dayPattern, description: 'YYYY-MM-DD' },
    to: { type: 'string', pattern: dayPattern, description: 'YYYY-MM-DD' },
    add: { type: 'integer', minimum: -5000, maximum: 5000, description: 'Business days to add' },
    holidays: {
      type: 'array',
      items: { type: 'string', pattern: dayPattern },
      maxItems: 200,
      description: 'Days off, YYYY-MM-DD',
    },
  }),
  code: String.raw`const day = 86_400_000;
function read(text) {
  const time = Date.parse(text + 'T00:00:00Z');
  if (Number.isNaN(time) || write(time) !== text) throw new Error(text + ' is no date. Write it as YYYY-MM-DD.');
  return time;
}
function write(time) { return new Date(time).toISOString().slice(0, 10); }
const off = new Set(args.holidays ?? []);
const isWorked = (time) => ![0, 6].includes(new Date(time).getUTCDay()) && !off.has(write(time));
const from = read(args.from);
if (args.add !== undefined) {
  let [time, left] = [from, Math.abs(args.add)];
  while (left > 0) {
    time += day * Math.sign(args.add);
    if (isWorked(time)) left--;
  }
  return { date: write(time), weekday: new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(time) };
}
if (args.to === undefined) throw new Error('Give "to", the other date, or "add", the business days to add.');
const to = read(args.to);
const [first, last] = from < to ? [from, to] : [to, from];
if ((last - first) / day > 200_000) throw new Error('The dates are too far apart.');
let worked = 0;
for (let time = first + day; time <= last; time += day) if (isWorked(time)) worked++;
const sign = from <= to ? 1 : -1;
return { days: sign * Math.round((last - first) / day), business_days: worked === 0 ? 0 : sign * worked };`,
  examples: [
    createExample(
      'How many business days from 2026-12-21 to 2027-01-04?',
      { from: '2026-12-21', to: '2027-01-04' },
      '{"days":14,"business_days":10}',
    ),
    createExample(
      '',
      { from: '2026-12-23', add: 2, holidays: ['2026-12-25'] },
      '{"date":"2026-12-28","weekday":"Monday"}',
    ),
    createExample('', { from: '2026-11-21', to: '2026-11-20' }, '{"days":-1,"business_days":0}'),
  ],
};

export const colorTool: CustomToolContent = {
  ...commonToolFields,
  name: 'color',
  title: 'Colour',
  description:
    'Converts a colour between hex, RGB and HSL, and tells the contrast to another colour by WCAG. Use it for questions about colours and contrast.',
  keywords: {
    en: ['color', 'hex', 'rgb', 'hsl', 'contrast', 'readable', 'shade'],
    zh: ['颜色', '色值', '配色', '对比度', '看得清'],
  },
  inputSchema: createObjectSchema(['color'], {
    color: {
      type: 'string',
      maxLength: 40,
      description: 'Such as #ff8800, rgb(255, 136, 0), hsl(32, 100%, 50%)',
    },
    against: { type: 'string', maxLength: 40, description: 'Another colour, for the contrast' },
  }),
  code: String.raw`const named = { black: '#000000', white: '#ffffff', red: '#ff0000', green: '#008000', blue: '#0000ff', yellow: '#ffff00', orange: '#ffa500', purple: '#800080', gray: '#808080', grey: '#808080', cyan: '#00ffff', magenta: '#ff00ff', pink: '#ffc0cb', brown: '#a52a2a' };
function read(written) {
  const lower = written.trim().toLowerCase();
  const text = Object.hasOwn(named, lower) ? named[lower] : lower;
  const hex = /^#?([\da-f]{3}|[\da-f]{6})$/.exec(text);
  if (hex) {
    const whole = hex[1].length === 3 ? [...hex[1]].map((digit) => digit + digit).join('') : hex[1];
    return [0, 2, 4].map((at) => parseInt(whole.slice(at, at + 2), 16));
  }
  const numbers = (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  if (/^rgb/.test(text) && numbers.length >= 3) return numbers.slice(0, 3).map((value) => Math.min(255, Math.max(0, Math.round(value))));
  if (/^hsl/.test(text) && numbers.length >= 3) {
    const [h, s, l] = [((numbers[0] % 360) + 360) % 360, Math.min(100, Math.max(0, numbers[1])) / 100, Math.min(100, Math.max(0, numbers[2])) / 100];
    const f = (n) => { const k = (n + h / 30) % 12; return l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)); };
    return [0, 8, 4].map((n) => Math.round(f(n) * 255));
  }
  throw new Error('"' + written + '" is no colour. Write #ff8800, rgb(255, 136, 0), hsl(32, 100%, 50%) or a plain name.');
}
function toHsl([r, g, b]) {
  const [x, y, z] = [r / 255, g / 255, b / 255];
  const [max, min] = [Math.max(x, y, z), Math.min(x, y, z)];
  const [l, d] = [(max + min) / 2, max - min];
  const s = d === 0 ? 0 : d / (1 - Math.abs(2 * l - 1));
  const h = d === 0 ? 0 : max === x ? ((y - z) / d + 6) % 6 : max === y ? (z - x) / d + 2 : (x - y) / d + 4;
  return 'hsl(' + Math.round(h * 60) + ', ' + Math.round(s * 100) + '%, ' + Math.round(l * 100) + '%)';
}
const light = (rgb) => rgb.map((value) => value / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, index) => sum + c * [0.2126, 0.7152, 0.0722][index], 0);
const rgb = read(args.color);
const result = { hex: '#' + rgb.map((value) => value.toString(16).padStart(2, '0')).join(''), rgb: 'rgb(' + rgb.join(', ') + ')', hsl: toHsl(rgb) };
if (args.against === undefined) return result;
const [a, b] = [light(rgb), light(read(args.against))];
const contrast = Number(((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)).toFixed(2));
return { ...result, contrast, readable: contrast >= 4.5 ? 'yes, for any text (AA)' : contrast >= 3 ? 'only for large text' : 'no' };`,
  examples: [
    createExample(
      'Can I read #777 on white?',
      { color: '#777', against: 'white' },
      '{"hex":"#777777","rgb":"rgb(119, 119, 119)","hsl":"hsl(0, 0%, 47%)","contrast":4.48,"readable":"only for large text"}',
    ),
    createExample(
      '',
      { color: 'hsl(32, 100%, 50%)' },
      '{"hex":"#ff8800","rgb":"rgb(255, 136, 0)","hsl":"hsl(32, 100%, 50%)"}',
    ),
  ],
};

export const randomPicker: CustomToolContent = {
  ...commonToolFields,
  name: 'random',
  title: 'Random and dice',
  description:
    'Rolls dice such as 2d6+1, draws a whole number from a range, or picks from a list. Use it whenever something is to be left to chance.',
  keywords: {
    en: ['dice', 'coin', 'chance', 'draw lots', 'pick one', 'choose', 'lottery'],
    zh: ['骰子', '硬币', '随机', '抽签', '抽奖', '选一个'],
  },
  inputSchema: createObjectSchema([], {
    dice: { type: 'string', maxLength: 20, description: 'Such as d20 or 2d6+1' },
    min: { type: 'integer' },
    max: { type: 'integer' },
    from: { type: 'array', items: { type: 'string' }, maxItems: 500, description: 'To pick from' },
    count: { type: 'integer', minimum: 1, maximum: 100, default: 1 },
  }),
  code: String.raw`const below = (limit) => Math.floor(Math.random() * limit);
if (args.dice !== undefined) {
  const match = /^(\d{0,3})d(\d{1,4})([+-]\d{1,4})?$/i.exec(args.dice.replace(/\s/g, ''));
  const [times, sides, plus] = match ? [Number(match[1] || 1), Number(match[2]), Number(match[3] ?? 0)] : [0, 0, 0];
  if (times < 1 || times > 100 || sides < 2) throw new Error('Write dice like d20 or 2d6+1, at most 100 of them.');
  const rolls = Array.from({ length: times }, () => below(sides) + 1);
  return { total: rolls.reduce((sum, roll) => sum + roll, plus), rolls };
}
if (args.from !== undefined) {
  if (args.from.length === 0) throw new Error('The list is empty: give at least one to pick from.');
  const rest = [...args.from];
  const picked = [];
  while (picked.length < args.count && rest.length > 0) picked.push(...rest.splice(below(rest.length), 1));
  return { picked };
}
const [min, max] = [args.min ?? 1, args.max ?? 100];
if (min > max) throw new Error('min is greater than max.');
return { numbers: Array.from({ length: args.count }, () => min + below(max - min + 1)) };`,
  examples: [
    createExample('Roll two dice', { dice: '2d6' }),
    createExample('', { min: 7, max: 7, count: 2 }, '{"numbers":[7,7]}'),
    createExample('', { from: ['only'] }, '{"picked":["only"]}'),
  ],
};
