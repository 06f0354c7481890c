export interface Unit {
  kind: 'temperature' | 'length' | 'area' | 'mass' | 'volume' | 'speed' | 'time' | 'data' | 'money' | 'share';
  /** Size of the unit in metres, seconds and so on. For temperature, 1 is °C, 2 is °F, 0 is unknown. For money, a number per currency. */
  factor: number;
  name: string;
}

const metresPerInch = 0.0254;
const unitTable: readonly [Unit['kind'], number, string][] = [
  ['share', 1, '%|percent|per cent|pct'],
  ['temperature', 1, '°\\s?C|℃|degrees? celsius|celsius|摄氏度|c(?=[\\W_]|$)'],
  ['temperature', 2, '°\\s?F|℉|degrees? fahrenheit|fahrenheit|华氏度|f(?=[\\W_]|$)'],
  ['temperature', 0, '°|degrees?|度'],
  ['speed', 1 / 3.6, 'km\\/h|kmh|kph|kilomet(?:er|re)s? (?:per|an) hour|公里每小时'],
  ['speed', 0.44704, 'mph|miles (?:per|an) hour'],
  ['speed', 1, 'm\\/s|met(?:er|re)s? per second|米每秒'],
  ['area', 1e6, 'km²|km2|square kilomet(?:er|re)s?|sq km|平方公里'],
  ['area', 2_589_988, 'square miles?|sq mi'],
  ['area', 1e4, 'hectares?|ha(?![a-z])|公顷'],
  ['area', 1, 'm²|m2|square met(?:er|re)s?|平方米|平米'],
  ['area', 0.09290304, 'ft²|square f(?:oo|ee)t|sq ft'],
  ['length', 1000, 'km|kilomet(?:er|re)s?|公里|千米'],
  ['length', 1609.344, 'miles?|mi(?![a-z])|英里'],
  ['length', 0.01, 'cm|centimet(?:er|re)s?|厘米'],
  ['length', 0.001, 'mm|millimet(?:er|re)s?|毫米'],
  ['length', 1, 'm(?![a-z])|met(?:er|re)s?|米'],
  ['length', 0.3048, 'ft|f(?:oo|ee)t|英尺'],
  ['length', metresPerInch, 'in(?=\\.)|inch(?:es)?|英寸'],
  ['length', 0.9144, 'yd|yards?'],
  ['mass', 1, 'kg|kilos?|kilograms?|公斤|千克'],
  ['mass', 0.5, '斤'],
  ['mass', 0.001, 'g(?![a-z])|grams?|克'],
  ['mass', 1000, 't(?![a-z])|tons?|tonnes?|吨'],
  ['mass', 0.45359237, 'lbs?|pounds? of|磅'],
  ['mass', 0.028349523, 'oz|ounces?'],
  ['volume', 1, 'l(?![a-z])|lit(?:er|re)s?|升'],
  ['volume', 0.001, 'ml|millilit(?:er|re)s?|毫升'],
  ['volume', 3.785411784, 'gal(?:lons?)?'],
  ['data', 1, 'bytes?|字节'],
  ['data', 1e3, 'kb|kilobytes?'],
  ['data', 1e6, 'mb|megabytes?'],
  ['data', 1e9, 'gb|gigabytes?'],
  ['data', 1e12, 'tb|terabytes?'],
  ['data', 1024, 'kib'],
  ['data', 1024 ** 2, 'mib'],
  ['data', 1024 ** 3, 'gib'],
  ['time', 0.001, 'ms|milliseconds?|毫秒'],
  ['time', 60, 'min(?:ute)?s?|分钟'],
  ['time', 3600, 'h(?:ou)?rs?|h(?![a-z])|小时|个小时|个钟头'],
  ['time', 1, 'sec(?:ond)?s?|s(?![a-z])|秒'],
  ['time', 86_400, 'days?|nights?|天|晚(?!上)'],
  ['time', 604_800, 'weeks?|周|星期|个星期'],
  ['time', 2_629_746, 'months?|个月'],
  ['time', 31_556_952, 'years?|yrs?|岁|年'],
  ['money', 1, '\\$|usd|us dollars?|dollars?|美元|美金'],
  ['money', 2, '€|eur(?:os?)?|欧元'],
  ['money', 3, '£|gbp|pounds?|英镑'],
  ['money', 4, '¥|cny|rmb|yuan|元|块钱?|人民币'],
  ['money', 5, 'jpy|yen|日元'],
  ['money', 6, 'kroner|kronor|crowns?|francs?|rupees?|chf|sek|nok|₹|₩'],
];

const units: readonly { unit: Unit; pattern: RegExp }[] = unitTable.map(([kind, factor, written]) => ({
  unit: { kind, factor, name: `${kind} ${factor}` },
  pattern: new RegExp(`^(?:${written})(?![a-z])`, 'i'),
}));

const maxUnitCharacters = 24;

/** Reads the unit at a position, after an optional space or hyphen. `length` includes that character. */
export function findUnitAt(text: string, at: number): { unit: Unit; length: number } | undefined {
  const behind = text.slice(at, at + maxUnitCharacters);
  const gap = /^[ -]?/.exec(behind)?.[0].length ?? 0;
  const written = behind.slice(gap);
  for (const { unit, pattern } of units) {
    const found = pattern.exec(written);
    // A single letter after a space is a word rather than a unit: `3 c`.
    if (found && !(gap > 0 && /^[cfs]$/i.test(found[0]))) return { unit, length: gap + found[0].length };
  }
  return undefined;
}

const currencyPatterns: readonly [RegExp, number][] = [
  [/(?:\$|usd) ?$/i, 1],
  [/(?:€|eur) ?$/i, 2],
  [/(?:£|gbp) ?$/i, 3],
  [/(?:¥|rmb|cny) ?$/i, 4],
];

export function findMoneyBefore(text: string, at: number): Unit | undefined {
  const before = text.slice(Math.max(0, at - 4), at);
  const factor = currencyPatterns.find(([pattern]) => pattern.test(before))?.[1];
  return factor === undefined ? undefined : { kind: 'money', factor, name: `money ${factor}` };
}

export function isConvertible({ kind }: Unit): boolean {
  return kind !== 'money' && kind !== 'share';
}

export function convert(value: number, from: Unit, to: Unit): number | undefined {
  if (from.kind !== to.kind || !isConvertible(from) || from.factor === to.factor) return undefined;
  if (from.kind !== 'temperature') return (value * from.factor) / to.factor;
  if (from.factor === 1) return value * 1.8 + 32;
  return from.factor === 2 ? (value - 32) / 1.8 : undefined;
}

export function unitsOf(kind: Unit['kind']): readonly Unit[] {
  return units.map(({ unit }) => unit).filter((unit) => unit.kind === kind && unit.factor !== 0);
}

/** Whether two units may be the same. An unknown unit matches any unit, and plain degrees match both temperature scales. */
export function canUnitsAgree(one: Unit | undefined, other: Unit | undefined): boolean {
  if (!one || !other || one.name === other.name) return true;
  return one.kind === 'temperature' && other.kind === 'temperature' && one.factor * other.factor === 0;
}
