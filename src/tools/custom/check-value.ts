/** Validates a value against an untrusted schema. Runs in a worker: matching a pattern may never end. */
import { cut, isDeeperThan, isRecord, type JsonSchema, type ReadResult } from '../../contracts/schema';

const maxShownDepth = 8;
const maxProblems = 5;
const maxCheckedValues = 250_000;

/**
 * Returns a copy of `value` with defaults, or up to five reasons why `value` is invalid. Each reason names the field, the rule and the value,
 * so a model can correct itself. `schema` must have passed `checkSchema`, and `value` must come from JSON. `isClosed`: unknown keys are errors.
 */
export function checkValue(
  schema: JsonSchema,
  value: unknown,
  { isClosed }: { isClosed: boolean },
): ReadResult<unknown> {
  if (isDeeperThan(maxShownDepth, value)) {
    return { ok: false, reason: `input: nested deeper than ${maxShownDepth}, got ${toShortJson(value)}` };
  }
  const filled = fillDefaults(schema, value);
  const reasons: string[] = [];
  for (const reason of new ValueChecker(isClosed).findProblems(schema, filled, [])) {
    if (reasons.length === maxProblems) return { ok: false, reason: [...reasons, '… and more'].join('\n') };
    reasons.push(reason);
  }
  return reasons.length > 0 ? { ok: false, reason: reasons.join('\n') } : { ok: true, value: filled };
}

type ValuePath = readonly (string | number)[];

class ValueChecker {
  readonly #isClosed: boolean;
  readonly #patterns = new Map<string, RegExp>();
  #valuesLeft = maxCheckedValues;

  constructor(isClosed: boolean) {
    this.#isClosed = isClosed;
  }

  *findProblems(schema: JsonSchema, value: unknown, path: ValuePath): Generator<string> {
    if (--this.#valuesLeft < 0) {
      if (this.#valuesLeft === -1) yield `input: Holds more than ${maxCheckedValues} values`;
      return;
    }
    const expected = typeof schema['type'] === 'string' ? schema['type'] : 'nothing';
    const received = jsonTypeOf(value);
    if (received !== expected && !(expected === 'number' && received === 'integer')) {
      yield writeProblem(path, `Invalid input: expected ${expected}, received ${received}`, value);
      return;
    }
    const choices: unknown = schema['enum'];
    if (Array.isArray(choices) && !choices.includes(value)) {
      const known = choices.map((choice) => JSON.stringify(choice)).join('|');
      yield writeProblem(path, `Invalid option: expected one of ${cut(known, 160)}`, value);
    }
    if (typeof value === 'string') yield* this.#findInText(schema, value, path);
    if (typeof value === 'number') yield* findBoundProblems(schema, 'imum', value, path, value);
    if (Array.isArray(value)) yield* this.#findInList(schema, value, path);
    else if (isRecord(value)) yield* this.#findInObject(schema, value, path);
  }

  *#findInText(schema: JsonSchema, text: string, path: ValuePath): Generator<string> {
    // Count code points, so a simple emoji is one character.
    yield* findBoundProblems(schema, 'Length', Array.from(text).length, path, text);
    const source = schema['pattern'];
    if (typeof source !== 'string') return;
    const pattern = this.#patterns.get(source) ?? new RegExp(source, 'u');
    this.#patterns.set(source, pattern);
    if (!pattern.test(text)) yield writeProblem(path, `Must match pattern ${cut(source, 100)}`, text);
  }

  *#findInList(schema: JsonSchema, list: readonly unknown[], path: ValuePath): Generator<string> {
    yield* findBoundProblems(schema, 'Items', list.length, path, list);
    const { items } = schema;
    if (!isRecord(items)) return;
    for (const [index, item] of list.entries()) yield* this.findProblems(items, item, [...path, index]);
  }

  *#findInObject(schema: JsonSchema, value: Record<string, unknown>, path: ValuePath): Generator<string> {
    const fields = propertiesOf(schema);
    const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
    for (const name of required) {
      if (typeof name !== 'string' || Object.hasOwn(value, name)) continue;
      const field = fields[name];
      const expected = isRecord(field) ? String(field['type']) : 'a value';
      yield writeProblem([...path, name], `Invalid input: expected ${expected}, received undefined`);
    }
    const isClosed = this.#isClosed || schema['additionalProperties'] === false;
    for (const [key, item] of Object.entries(value)) {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (isRecord(field)) yield* this.findProblems(field, item, [...path, key]);
      else if (isClosed) yield writeProblem([...path, key], 'Unrecognized key', item);
    }
  }
}

/** Error texts for limits. Each key is the end of two schema keywords: `Length` stands for `minLength` and `maxLength`. */
const boundMessages = {
  imum: (bound: string) => `number to be ${bound}`,
  Length: (bound: string) => `string to have ${bound} characters`,
  Items: (bound: string) => `array to have ${bound} items`,
};

function* findBoundProblems(
  schema: JsonSchema,
  ending: keyof typeof boundMessages,
  size: number,
  path: ValuePath,
  value: unknown,
): Generator<string> {
  const [least, most] = [schema[`min${ending}`], schema[`max${ending}`]];
  if (typeof least === 'number' && size < least) {
    yield writeProblem(path, `Too small: expected ${boundMessages[ending](`>=${least}`)}`, value);
  }
  if (typeof most === 'number' && size > most) {
    yield writeProblem(path, `Too big: expected ${boundMessages[ending](`<=${most}`)}`, value);
  }
}

function fillDefaults(schema: JsonSchema, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const fields = propertiesOf(schema);
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

function propertiesOf(schema: JsonSchema): JsonSchema {
  return isRecord(schema['properties']) ? schema['properties'] : {};
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function writeProblem(path: ValuePath, rule: string, value?: unknown): string {
  return `${cut(path.join('.'), 80) || 'input'}: ${rule}, got ${toShortJson(value)}`;
}

function toShortJson(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (isDeeperThan(maxShownDepth, value)) return Array.isArray(value) ? '[…]' : '{…}';
  return cut(JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value), 80);
}
