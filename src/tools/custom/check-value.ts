/** Validates a value against an untrusted schema. Runs in a worker, because matching a pattern may never end. */
import { cut, isDeeperThan, isRecord, type JsonSchema, type Read } from '../../contracts/schema';

const maxDepth = 8;
const maxReasons = 5;
/** Maximum number of values, including all nested ones. */
const maxValues = 250_000;

interface CheckOptions {
  /** Whether unknown keys are errors. False for results. */
  isClosed: boolean;
}

/**
 * Returns a copy with defaults filled in, or up to five reasons that name field, rule and value, so a model can correct itself. `schema`
 * must have passed `checkSchema`; `value` must come from JSON.
 */
export function checkValue(schema: JsonSchema, value: unknown, { isClosed }: CheckOptions): Read<unknown> {
  if (isDeeperThan(maxDepth, value)) {
    return { ok: false, reason: `input: nested deeper than ${maxDepth}, got ${showValue(value)}` };
  }
  const filled = fillDefaults(schema, value);
  const reasons: string[] = [];
  for (const reason of findProblems(schema, filled, [], { isClosed, patterns: new Map(), left: maxValues })) {
    if (reasons.length === maxReasons) return { ok: false, reason: [...reasons, '… and more'].join('\n') };
    reasons.push(reason);
  }
  return reasons.length > 0 ? { ok: false, reason: reasons.join('\n') } : { ok: true, value: filled };
}

interface CheckState extends CheckOptions {
  patterns: Map<string, RegExp>;
  left: number;
}

type Path = readonly (string | number)[];

/** Yields reasons one at a time, so the caller can stop early. */
function* findProblems(schema: JsonSchema, value: unknown, path: Path, visit: CheckState): Generator<string> {
  if (--visit.left < 0) {
    if (visit.left === -1) yield `input: Holds more than ${maxValues} values`;
    return;
  }
  const expected = typeof schema['type'] === 'string' ? schema['type'] : 'nothing';
  const received = typeOf(value);
  if (received !== expected && !(expected === 'number' && received === 'integer')) {
    yield writeProblem(path, `Invalid input: expected ${expected}, received ${received}`, value);
    return;
  }
  const choices: unknown = schema['enum'];
  if (Array.isArray(choices) && !choices.includes(value)) {
    const known = choices.map((choice) => JSON.stringify(choice)).join('|');
    yield writeProblem(path, `Invalid option: expected one of ${cut(known, 160)}`, value);
  }
  if (typeof value === 'string') yield* findInText(schema, value, path, visit);
  if (typeof value === 'number') yield* findInBounds(schema, 'imum', value, path, value);
  if (Array.isArray(value)) yield* findInList(schema, value, path, visit);
  else if (isRecord(value)) yield* findInObject(schema, value, path, visit);
}

function* findInText(
  schema: JsonSchema,
  text: string,
  path: Path,
  { patterns }: CheckState,
): Generator<string> {
  yield* findInBounds(schema, 'Length', lengthOf(text), path, text);
  const source = schema['pattern'];
  if (typeof source !== 'string') return;
  const pattern = patterns.get(source) ?? new RegExp(source, 'u');
  patterns.set(source, pattern);
  if (!pattern.test(text)) yield writeProblem(path, `Must match pattern ${cut(source, 100)}`, text);
}

function* findInList(
  schema: JsonSchema,
  list: readonly unknown[],
  path: Path,
  visit: CheckState,
): Generator<string> {
  yield* findInBounds(schema, 'Items', list.length, path, list);
  if (!isRecord(schema['items'])) return;
  for (const [index, item] of list.entries())
    yield* findProblems(schema['items'], item, [...path, index], visit);
}

function* findInObject(
  schema: JsonSchema,
  value: Record<string, unknown>,
  path: Path,
  visit: CheckState,
): Generator<string> {
  const fields = fieldsOf(schema);
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const name of required) {
    if (typeof name !== 'string' || Object.hasOwn(value, name)) continue;
    const field = fields[name];
    const expected = isRecord(field) ? String(field['type']) : 'a value';
    yield writeProblem([...path, name], `Invalid input: expected ${expected}, received undefined`, undefined);
  }
  const isClosed = visit.isClosed || schema['additionalProperties'] === false;
  for (const [key, item] of Object.entries(value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (isRecord(field)) yield* findProblems(field, item, [...path, key], visit);
    else if (isClosed) yield writeProblem([...path, key], 'Unrecognized key', item);
  }
}

/** Keyed by the suffix of the keywords that set bounds, such as `Length` in `minLength`: the wording of their errors. */
const boundSuffixes = {
  imum: (bound: string) => `number to be ${bound}`,
  Length: (bound: string) => `string to have ${bound} characters`,
  Items: (bound: string) => `array to have ${bound} items`,
};

function* findInBounds(
  schema: JsonSchema,
  ending: keyof typeof boundSuffixes,
  size: number,
  path: Path,
  value: unknown,
): Generator<string> {
  const [least, most] = [schema[`min${ending}`], schema[`max${ending}`]];
  if (typeof least === 'number' && size < least) {
    yield writeProblem(path, `Too small: expected ${boundSuffixes[ending](`>=${least}`)}`, value);
  }
  if (typeof most === 'number' && size > most) {
    yield writeProblem(path, `Too big: expected ${boundSuffixes[ending](`<=${most}`)}`, value);
  }
}

function fillDefaults(schema: JsonSchema, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const fields = fieldsOf(schema);
  const defaults = Object.entries(fields).flatMap(([name, field]) =>
    isRecord(field) && 'default' in field && !Object.hasOwn(value, name) ? [[name, field['default']]] : [],
  );
  const filled = Object.entries(value).map(([name, item]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, isRecord(field) ? fillDefaults(field, item) : item];
  });
  // `Object.fromEntries` treats `__proto__` as an ordinary key.
  return Object.fromEntries([...filled, ...defaults]) as unknown;
}

function fieldsOf(schema: JsonSchema): JsonSchema {
  return isRecord(schema['properties']) ? schema['properties'] : {};
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Counts code points, so a simple emoji is one character. */
function lengthOf(text: string): number {
  let length = 0;
  for (const character of text) length += character === '' ? 0 : 1;
  return length;
}

function writeProblem(path: Path, rule: string, value: unknown): string {
  return `${cut(path.join('.'), 80) || 'input'}: ${rule}, got ${showValue(value)}`;
}

function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (isDeeperThan(maxDepth, value)) return Array.isArray(value) ? '[…]' : '{…}';
  return cut(JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value), 80);
}
