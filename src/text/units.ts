/**
 * Units of measure: their names in English and Chinese, and their exact factors. Splits a conversion such as `5 ft 10 in to cm` into its
 * parts. Money is not a unit, and neither are months and years, which have no fixed length.
 */
type UnitKind = 'length' | 'mass' | 'volume' | 'area' | 'speed' | 'time' | 'data' | 'temperature';

export interface Unit {
  /** As we write it behind a number. */
  label: string;
  kind: UnitKind;
  /** Size in the base unit of its kind: an exact decimal or fraction. */
  factor: string;
  /** Added before we multiply by `factor`. Only temperatures differ from 0. */
  offset: string;
}

/** Label, exact factor, names. We accept a plural `s` and, if no other unit has that name, any case. */
type UnitRow = readonly [label: string, factor: string, names: string, offset?: string];

const rowsByKind: Readonly<Record<UnitKind, readonly UnitRow[]>> = {
  length: [
    ['mm', '0.001', 'mm|millimeter|millimetre|毫米'],
    ['cm', '0.01', 'cm|centimeter|centimetre|厘米|公分'],
    ['dm', '0.1', 'dm|decimeter|decimetre|分米'],
    ['m', '1', 'm|meter|metre|米|公尺'],
    ['km', '1000', 'km|kilometer|kilometre|公里|千米'],
    ['in', '0.0254', `in|inch|inches|"|''|″|英寸|英吋`],
    ['ft', '0.3048', `ft|foot|feet|'|′|英尺|英呎`],
    ['yd', '0.9144', 'yd|yard|码'],
    ['mi', '1609.344', 'mi|mile|英里'],
    ['nmi', '1852', 'nmi|nautical mile|海里'],
    ['µm', '0.000001', 'µm|um|micrometer|micrometre|micron|微米'],
    ['nm', '0.000000001', 'nm|nanometer|nanometre|纳米'],
    ['里', '500', '里|华里'],
    ['尺', '1/3', '尺|市尺'],
    ['寸', '1/30', '寸|市寸'],
  ],
  mass: [
    ['mg', '0.001', 'mg|milligram|milligramme|毫克'],
    ['g', '1', 'g|gm|gram|gramme|克'],
    ['kg', '1000', 'kg|kilo|kilogram|kilogramme|公斤|千克'],
    ['t', '1000000', 't|tonne|metric ton|ton|吨|公吨'],
    ['oz', '28.349523125', 'oz|ounce|盎司'],
    ['lb', '453.59237', 'lb|pound|磅'],
    ['st', '6350.29318', 'st|stone|英石'],
    ['short tons', '907184.74', 'short ton|us ton|美吨|短吨'],
    ['long tons', '1016046.9088', 'long ton|imperial ton|英吨|长吨'],
    ['斤', '500', '斤|市斤|jin'],
    ['两', '50', '两|市两'],
  ],
  volume: [
    ['ml', '0.001', 'ml|milliliter|millilitre|cm3|cc|cubic centimeter|cubic centimetre|毫升|立方厘米'],
    ['cl', '0.01', 'cl|centiliter|centilitre'],
    ['dl', '0.1', 'dl|deciliter|decilitre'],
    ['l', '1', 'l|liter|litre|dm3|升|公升|立方分米'],
    ['m³', '1000', 'm3|cubic meter|cubic metre|立方米'],
    ['ft³', '28.316846592', 'ft3|cu ft|cubic foot|cubic feet|立方英尺'],
    ['in³', '0.016387064', 'in3|cu in|cubic inch|cubic inches|立方英寸'],
    ['US gal', '3.785411784', 'gal|gallon|us gal|us gallon|加仑|美制加仑'],
    ['US qt', '0.946352946', 'qt|quart|us qt|us quart|夸脱|美制夸脱'],
    ['US pt', '0.473176473', 'pt|pint|us pt|us pint|品脱|美制品脱'],
    ['US cups', '0.2365882365', 'cup|us cup|杯|美制杯'],
    ['US fl oz', '0.0295735295625', 'fl oz|floz|fluid ounce|us fl oz|us fluid ounce|液盎司|美制液盎司'],
    ['US tbsp', '0.01478676478125', 'tbsp|tablespoon|us tbsp|us tablespoon|汤匙|大勺'],
    ['US tsp', '0.00492892159375', 'tsp|teaspoon|us tsp|us teaspoon|茶匙|小勺'],
    ['imp gal', '4.54609', 'imp gal|imperial gallon|uk gallon|英制加仑'],
    ['imp pt', '0.56826125', 'imp pt|imperial pint|uk pint|英制品脱'],
    ['imp fl oz', '0.0284130625', 'imp fl oz|imperial fluid ounce|uk fluid ounce|英制液盎司'],
  ],
  area: [
    ['mm²', '0.000001', 'mm2|square millimeter|square millimetre|平方毫米'],
    ['cm²', '0.0001', 'cm2|sq cm|square centimeter|square centimetre|平方厘米'],
    ['m²', '1', 'm2|sq m|sqm|square meter|square metre|平方米|平米'],
    ['km²', '1000000', 'km2|sq km|square kilometer|square kilometre|平方公里|平方千米'],
    ['ha', '10000', 'ha|hectare|公顷'],
    ['acres', '4046.8564224', 'acre|英亩'],
    ['in²', '0.00064516', 'in2|sq in|square inch|square inches|平方英寸'],
    ['ft²', '0.09290304', 'ft2|sq ft|sqft|square foot|square feet|平方英尺|平方呎'],
    ['yd²', '0.83612736', 'yd2|sq yd|square yard|平方码'],
    ['mi²', '2589988.110336', 'mi2|sq mi|square mile|平方英里'],
    ['亩', '2000/3', '亩|市亩'],
  ],
  speed: [
    [
      'm/s',
      '1',
      'm/s|mps|meter per second|metre per second|meters per second|metres per second|米每秒|米/秒',
    ],
    [
      'km/h',
      '5/18',
      'km/h|kmh|kph|km per hour|kilometer per hour|kilometre per hour|kilometers per hour|kilometres per hour|公里每小时|千米每小时|公里/小时|千米/小时|公里/时',
    ],
    ['mph', '0.44704', 'mph|mi/h|mile per hour|miles per hour|英里每小时|英里/小时'],
    ['ft/s', '0.3048', 'ft/s|fps|foot per second|feet per second|英尺每秒'],
    ['kn', '463/900', 'kn|kt|knot|节'],
  ],
  time: [
    ['ms', '0.001', 'ms|millisecond|毫秒'],
    ['s', '1', 's|sec|second|秒|秒钟'],
    ['min', '60', 'min|minute|分钟'],
    ['h', '3600', 'h|hr|hour|小时|钟头'],
    ['days', '86400', 'd|day|天'],
    ['weeks', '604800', 'wk|week|周|星期|礼拜'],
  ],
  data: [
    ['bytes', '1', 'B|byte|字节'],
    ['kB', '1000', 'kB|kilobyte'],
    ['MB', '1000000', 'MB|megabyte|兆|兆字节'],
    ['GB', '1000000000', 'GB|gigabyte'],
    ['TB', '1000000000000', 'TB|terabyte'],
    ['PB', '1000000000000000', 'PB|petabyte'],
    ['KiB', '1024', 'KiB|kibibyte'],
    ['MiB', '1048576', 'MiB|mebibyte'],
    ['GiB', '1073741824', 'GiB|gibibyte'],
    ['TiB', '1099511627776', 'TiB|tebibyte'],
    ['bits', '0.125', 'bit|比特'],
    ['kbit', '125', 'kbit|Kb|kilobit'],
    ['Mbit', '125000', 'Mbit|Mb|megabit'],
    ['Gbit', '125000000', 'Gbit|Gb|gigabit'],
  ],
  temperature: [
    [
      '°C',
      '1',
      'C|°C|celsius|centigrade|degrees c|degrees celsius|degree celsius|degrees centigrade|deg c|摄氏度|摄氏',
      '273.15',
    ],
    [
      '°F',
      '5/9',
      'F|°F|fahrenheit|degrees f|degrees fahrenheit|degree fahrenheit|deg f|华氏度|华氏',
      '459.67',
    ],
    ['K', '1', 'K|kelvin|开尔文|开氏度'],
  ],
};

const unitByName = new Map<string, Unit>();
{
  const named = Object.entries(rowsByKind).flatMap(([kind, rows]) =>
    rows.flatMap(([label, factor, names, offset = '0']) => {
      // Assert the type, because `Object.entries` returns plain strings.
      const unit: Unit = { label, kind: kind as UnitKind, factor, offset };
      return names.split('|').map((name) => [name, unit] as const);
    }),
  );
  for (const [name, unit] of named) unitByName.set(name, unit);
  for (const [name, unit] of named) {
    const small = name.toLowerCase();
    if (!unitByName.has(small)) unitByName.set(small, unit);
  }
}

/** All labels, by kind, for error messages. */
export const listUnits = (): string =>
  Object.values(rowsByKind)
    .map((rows) => rows.map(([label]) => label).join(' '))
    .join(', ');

const maxNameCharacters = 32;

export function findUnit(written: string): Unit | undefined {
  if (written.length > maxNameCharacters) return undefined;
  const name = normaliseUnitName(written);
  const small = name.toLowerCase();
  const single = small.length > 2 ? small.replace(/s$/, '') : small;
  return unitByName.get(name) ?? unitByName.get(small) ?? unitByName.get(single);
}

/** The unit to convert to, or two of one kind for a result in parts: `feet and inches`. Undefined if one is unknown. */
export function findTargets(written: string): readonly [Unit, Unit?] | undefined {
  const whole = findUnit(written);
  if (whole) return [whole];
  const [first, second, ...more] = written
    .split(/\s*(?:\band\b|[&+,，和]|几|多少)\s*/)
    .map((name) => findUnit(name));
  const fits = second?.kind === first?.kind && first?.kind !== 'temperature' && more.length === 0;
  return first && second && fits ? [first, second] : undefined;
}

function normaliseUnitName(written: string): string {
  return written
    .normalize('NFKC')
    .replace(/μ/g, 'µ')
    .replace(/′′|”/g, '″')
    .replace(/’/g, "'")
    .replace(/[.^]/g, '')
    .replace(/(?<=°)\s+|\s*(\/)\s*/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The longest unit name at the end of the text. `start`: where the name begins. */
export function findUnitAtEnd(text: string): { unit: Unit; start: number } | undefined {
  const end = text.trimEnd().length;
  for (let start = Math.max(0, end - maxNameCharacters); start < end; start++) {
    const isInWord = /\p{Script=Latin}{2}/u.test(text.slice(start - 1, start + 1));
    if (isInWord || /[\s\d.]/.test(text.charAt(start))) continue;
    const unit = findUnit(text.slice(start, end));
    if (unit) return { unit, start };
  }
  return undefined;
}

interface Quantity {
  /** An expression for the calculator: `26.2`, `(3+4)`. May be empty. */
  value: string;
  /** Index of `value` in the text. */
  at: number;
  /** The unit as written. */
  name: string;
  unit: Unit;
}

/** Reads `26.2 miles` or `5 ft 10 in`, whose sizes add up. Undefined if the text does not end with a unit. */
export function readQuantities(text: string): Quantity[] | undefined {
  const quantities: Quantity[] = [];
  let end = text.length;
  for (;;) {
    const found = findUnitAtEnd(text.slice(0, end));
    if (!found) return quantities.length > 0 ? quantities : undefined;
    const name = text.slice(found.start, end).trim();
    const before = text.slice(0, found.start).trimEnd();
    const number = /(?<![\d.,])(?:\d[\d,]*(?:\.\d+)?|\.\d+)$/.exec(before);
    const rest =
      number &&
      before
        .slice(0, number.index)
        .trimEnd()
        .replace(/(?:[+,，又]|\band)$/i, '');
    const hasMore = rest && findUnitAtEnd(rest) !== undefined;
    const from = hasMore ? number.index : 0;
    const at = from + before.slice(from).search(/\S|$/);
    quantities.unshift({ value: before.slice(at), at, name, unit: found.unit });
    if (!hasMore) return quantities;
    end = rest.length;
  }
}

export interface Conversion {
  from: string;
  /** Index of `from` in the expression. */
  at: number;
  to: string;
}

const conversionWordSource = String.raw`(?<=\s)(?<word>in|to|into|as)(?=\s)`;
const conversionSignSource =
  '→|->|=>|=|(?:转换|换算|换|转|变|折合|折)(?:成|为)|(?:等于|相当于|是|合)(?=多少|几)';
const conversionJointPattern = new RegExp(`${conversionWordSource}|${conversionSignSource}`, 'gi');

/** Splits a conversion: `26.2 mi in km`. Undefined if the expression is none. The units may be unknown or of different kinds. */
export function splitConversion(expression: string): Conversion | undefined {
  const text = expression.replace(/[=?？\s]+$/, '');
  const at = /^\s*(?:convert\s)?\s*/i.exec(text)?.[0].length ?? 0;
  const joint = [...text.matchAll(conversionJointPattern)].at(-1);
  if (!joint) return undefined;
  const from = text.slice(at, joint.index).trimEnd();
  const to = text
    .slice(joint.index + joint[0].length)
    .replace(/^\s*(?:多少|几|[?？])?个?\s*/, '')
    .trim();
  const isConversion = joint.groups?.['word'] !== undefined || findUnitAtEnd(from) !== undefined;
  if (from === '' || to === '' || !isConversion) return undefined;
  return { from, at, to };
}
