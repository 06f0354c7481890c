/** A JSON value as a person reads it: `total: 17, sides: 20`, a list, or lines under their names. Nothing of it is left out but what is empty. */
import type { ReplyLanguage } from '../text/language';

/** A deeper one is no answer. */
const deepest = 6;

/** Its lines; none where nothing is in it, undefined for a text that is no JSON object or list. */
export function sayValue(text: string, language: ReplyLanguage): string[] | undefined {
  // A text of several lines in it is no word of a list.
  if (!/^\s*(?:[{[]|null\s*$)/.test(text) || text.includes(String.raw`\n`)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return depthOf(value) > deepest ? undefined : linesOf(unwrap(withoutEmpty(value)), language);
  } catch {
    return undefined;
  }
}

/** Undefined where nothing is in it. */
function withoutEmpty(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (typeof value !== 'object') return value;
  const fields = Object.entries(value).flatMap(([name, part]) => {
    const kept = withoutEmpty(part);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** `{"data": {…}}` says what is in it. */
function unwrap(value: unknown): unknown {
  if (!isFields(value)) return value;
  const [only, ...others] = Object.values(value);
  return others.length === 0 && typeof only === 'object' ? unwrap(only) : value;
}

function linesOf(value: unknown, language: ReplyLanguage): string[] {
  const line = lineOf(value, language);
  if (line !== undefined) return line === '' ? [] : [line];
  if (Array.isArray(value)) return value.flatMap((item) => itemOf(linesOf(item, language)));
  return Object.entries(isFields(value) ? value : {}).flatMap(([name, part]) => {
    const only = lineOf(part, language);
    const named = `${name}${colonOf(language)}`;
    if (only !== undefined) return [`- ${named}${only}`];
    return [`- ${named.trimEnd()}`, ...linesOf(part, language).map((inner) => `  ${inner}`)];
  });
}

/** The lines as one item of a list. */
function itemOf(lines: readonly string[]): string[] {
  return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line.replace(/^- /, '')}`);
}

/** Undefined where it takes more than one. */
function lineOf(value: unknown, language: ReplyLanguage): string | undefined {
  if (value === undefined) return '';
  const [comma, between] = language === 'zh' ? ['，', '、'] : [', ', ', '];
  if (Array.isArray(value)) {
    const items = value.map(plainOf);
    return items.every((item) => item !== undefined) ? items.join(between) : undefined;
  }
  const plain = plainOf(value);
  if (plain !== undefined) return plain;
  const fields = Object.entries(isFields(value) ? value : {}).map(([name, part]) => {
    const said = plainOf(part) ?? (Array.isArray(part) ? lineOf(part, language) : undefined);
    return said === undefined ? undefined : `${name}${colonOf(language)}${said}`;
  });
  if (!fields.every((field) => field !== undefined)) return undefined;
  const holdsList = fields.some((field) => field.includes(between));
  return fields.join(holdsList ? (language === 'zh' ? '；' : '; ') : comma);
}

/** A text, a number, or a quantity. */
function plainOf(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (!isFields(value)) return undefined;
  const entries = Object.entries(value);
  const unit = value['unit'] ?? value['currency'] ?? value['单位'] ?? value['币种'];
  const amount = value['result'] ?? entries.find(([, part]) => typeof part === 'number')?.[1];
  const isAmount = typeof amount === 'number' || typeof amount === 'string';
  return entries.length === 2 && typeof unit === 'string' && isAmount ? `${amount} ${unit}` : undefined;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function colonOf(language: ReplyLanguage): string {
  return language === 'zh' ? '：' : ': ';
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
