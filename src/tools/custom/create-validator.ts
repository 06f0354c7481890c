/** Checks values against a schema that a stranger wrote: nothing it says can hang the page or let an unknown key by. */
import { Validator } from '@cfworker/json-schema';
import { isDeeperThan } from '../../contracts/json-depth';
import type { JsonSchema, Read } from '../../contracts/schema';
import { isSchema } from './check-schema';
import { readPattern } from './pattern';

export type Validate = (value: unknown) => Read<unknown>;

const maxDepth = 8;
const maxReasons = 5;
/** Characters that patterns are tried on in one check, of all texts together: a list may hold many. */
const maxMatched = 8_000;
/** Said of what lies deeper already. */
const outer = new Set(['properties', 'items', 'additionalProperties']);

interface Options {
  /** False for results: what a server adds does no harm. */
  isClosed: boolean;
}

/**
 * A value that fits comes back as a copy, with defaults in the place of what is missing. A refusal names field, rule
 * and value, so that a model can correct itself. `schema` must have passed `checkSchema`; throws for one that has not.
 */
export function createValidator(schema: JsonSchema, { isClosed }: Options): Validate {
  // The validator marks what it reads, and matches patterns in a way that can be made to take for ever.
  const plain = structuredClone(schema);
  const validator = new Validator(withoutPatterns(plain), '2020-12', false);

  return (value) => {
    if (isDeeperThan(maxDepth, value)) {
      return { ok: false, reason: `input: nested deeper than ${maxDepth}, got ${show(value)}` };
    }
    const given = copyOf(value);
    if (given === undefined) return { ok: false, reason: `input: must be JSON, got ${typeof value}` };
    const filled = fill(schema, given);
    const reasons = [...findOdd(schema, filled, [], { left: maxMatched })];
    for (const { keyword, instanceLocation, error } of validator.validate(filled).errors) {
      if (outer.has(keyword)) continue;
      const path = pathOf(instanceLocation);
      reasons.push(`${write(path)}: ${error.replace(/\.$/, '')}, got ${show(at(filled, path))}`);
    }
    const unlike = isClosed ? reasons : reasons.filter((reason) => !reason.includes(unknownKey));
    if (unlike.length === 0) return { ok: true, value: filled };
    const more = unlike.length > maxReasons ? [`… and ${unlike.length - maxReasons} more`] : [];
    return { ok: false, reason: [...unlike.slice(0, maxReasons), ...more].join('\n') };
  };
}

const unknownKey = ': Unrecognized key';

/** Keys that the schema does not know, and texts that do not match their pattern. */
function* findOdd(
  schema: JsonSchema,
  value: unknown,
  path: readonly string[],
  toMatch: { left: number },
): Generator<string> {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!isSchema(items)) return;
    for (const [index, item] of value.entries())
      yield* findOdd(items, item, [...path, String(index)], toMatch);
  } else if (typeof value === 'object' && value !== null) {
    const fields = isSchema(schema['properties']) ? schema['properties'] : {};
    for (const [key, item] of Object.entries(value)) {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (isSchema(field)) yield* findOdd(field, item, [...path, key], toMatch);
      else if (schema['type'] === 'object') yield `${write([...path, key])}${unknownKey}, got ${show(item)}`;
    }
  } else if (typeof value === 'string' && typeof schema['pattern'] === 'string') {
    toMatch.left -= value.length;
    const pattern = readPattern(schema['pattern']);
    if (toMatch.left < 0) yield `${write(path)}: Too much text to match with patterns`;
    else if (!pattern.ok || !pattern.matches(value)) {
      yield `${write(path)}: Must match pattern ${schema['pattern'].slice(0, 100)}, got ${show(value)}`;
    }
  }
}

function withoutPatterns(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      if (keyword === 'pattern' || keyword === 'default') return [];
      if (keyword === 'items' && isSchema(value)) return [[keyword, withoutPatterns(value)]];
      if (keyword !== 'properties' || !isSchema(value)) return [[keyword, value]];
      const fields = Object.entries(value).map(([name, field]) => [
        name,
        isSchema(field) ? withoutPatterns(field) : field,
      ]);
      return [[keyword, Object.fromEntries(fields) as JsonSchema]];
    }),
  );
}

/** As JSON carries it: without what is undefined. Undefined for what it cannot carry. */
function copyOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

/** With the defaults of what is missing. */
function fill(schema: JsonSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = isSchema(schema['properties']) ? schema['properties'] : {};
  const defaults = Object.entries(fields).flatMap(([name, field]) =>
    isSchema(field) && 'default' in field && !Object.hasOwn(value, name) ? [[name, field['default']]] : [],
  );
  const own = Object.entries(value).map(([name, item]: [string, unknown]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, isSchema(field) ? fill(field, item) : item];
  });
  // From entries: a key such as __proto__ stays a key.
  return Object.fromEntries([...own, ...defaults]) as unknown;
}

function pathOf(location: string): string[] {
  const names = location.split('/').slice(1);
  return names.map((name) => decodeURI(name).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null
        ? Object.entries(inner).find(([key]) => key === name)?.[1]
        : undefined,
    value,
  );
}

function write(path: readonly string[]): string {
  return path.join('.').slice(0, 80) || 'input';
}

/** No further than anyone reads. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (isDeeperThan(maxDepth, value)) return Array.isArray(value) ? '[…]' : '{…}';
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
