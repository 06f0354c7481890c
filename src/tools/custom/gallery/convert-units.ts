/** Units of length, mass, volume, speed, area, time, data and temperature. */
import type { CustomToolContent } from '../../../contracts/custom-tool';
import { plain } from './limits';

export const convertUnits: CustomToolContent = {
  ...plain,
  name: 'convert_units',
  title: 'Unit conversion',
  description:
    'Converts a value from one unit to another, such as miles to km or F to C. Use it for any question about units of measure.',
  keywords: {
    en: [
      'miles',
      'kilometres',
      'pounds',
      'kilograms',
      'fahrenheit',
      'celsius',
      'inches',
      'litres',
      'measure',
    ],
    zh: ['单位', '换算', '公里', '英里', '公斤', '磅', '华氏', '摄氏', '多长', '多重'],
  },
  inputSchema: {
    type: 'object',
    properties: {
      value: { type: 'number' },
      from: { type: 'string', minLength: 1, maxLength: 30, description: 'Unit, such as mile, kg, F' },
      to: { type: 'string', minLength: 1, maxLength: 30, description: 'Unit to convert to' },
    },
    required: ['value', 'from', 'to'],
  },
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
  examples: [
    {
      request: 'How many km are 26.2 miles?',
      arguments: { value: 26.2, from: 'miles', to: 'km' },
      result: '{"result":42.1648128,"unit":"km"}',
    },
    {
      request: 'Convert 10 miles to km',
      arguments: { value: 10, from: 'miles', to: 'km' },
      result: '{"result":16.09344,"unit":"km"}',
    },
    {
      request: 'What is 100 F in C?',
      arguments: { value: 100, from: 'F', to: 'C' },
      result: '{"result":37.77777778,"unit":"°C"}',
    },
    {
      request: '5 kg to pounds',
      arguments: { value: 5, from: 'kg', to: 'pounds' },
      result: '{"result":11.02311311,"unit":"lb"}',
    },
    {
      request: 'How many cups in a litre?',
      arguments: { value: 1, from: 'litre', to: 'cups' },
      result: '{"result":4.226752838,"unit":"cups"}',
    },
    {
      request: '100 F in C',
      arguments: { value: 100, from: 'F', to: 'C' },
      result: '{"result":37.77777778,"unit":"°C"}',
    },
    {
      request: 'How many km is 26.2 miles?',
      arguments: { value: 26.2, from: 'miles', to: 'km' },
      result: '{"result":42.1648128,"unit":"km"}',
    },
    {
      request: 'How much is 5 kg in pounds?',
      arguments: { value: 5, from: 'kg', to: 'pounds' },
      result: '{"result":11.02311311,"unit":"lb"}',
    },
    {
      request: 'How far is 10 miles in km?',
      arguments: { value: 10, from: 'miles', to: 'km' },
      result: '{"result":16.09344,"unit":"km"}',
    },
    {
      request: 'How tall is 180 cm in feet?',
      arguments: { value: 180, from: 'cm', to: 'feet' },
      result: '{"result":5.905511811,"unit":"ft"}',
    },
    {
      request: 'How many cups in 2 litres?',
      arguments: { value: 2, from: 'litres', to: 'cups' },
      result: '{"result":8.453505675,"unit":"cups"}',
    },
    {
      request: 'How many cups are in 2 litres?',
      arguments: { value: 2, from: 'litres', to: 'cups' },
      result: '{"result":8.453505675,"unit":"cups"}',
    },
    {
      request: '10英里是多少公里？',
      arguments: { value: 10, from: '英里', to: '公里' },
      result: '{"result":16.09344,"unit":"km"}',
    },
    {
      request: '10英里等于多少公里？',
      arguments: { value: 10, from: '英里', to: '公里' },
      result: '{"result":16.09344,"unit":"km"}',
    },
    {
      request: '把10英里换算成公里',
      arguments: { value: 10, from: '英里', to: '公里' },
      result: '{"result":16.09344,"unit":"km"}',
    },
    {
      request: '一升是多少杯？',
      arguments: { value: 1, from: '升', to: '杯' },
      result: '{"result":4.226752838,"unit":"cups"}',
    },
    {
      request: 'How many cups are in a litre?',
      arguments: { value: 1, from: 'litre', to: 'cups' },
      result: '{"result":4.226752838,"unit":"cups"}',
    },
    {
      request: '',
      arguments: { value: 212, from: 'F', to: 'celsius' },
      result: '{"result":100,"unit":"°C"}',
    },
    {
      request: '',
      arguments: { value: 1, from: 'GiB', to: 'MB' },
      result: '{"result":1073.741824,"unit":"MB"}',
    },
  ],
};
