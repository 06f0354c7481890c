/** The subset of JSON Schema for custom tools: only what small models can fill in and a form can show. */
import type { DefinitionProblem } from '../../contracts/custom-tool';
import { isRecord, type JsonSchema } from '../../contracts/schema';

type SchemaProblem = Pick<DefinitionProblem, 'place' | 'detail'> & { code: 'schema' | 'pattern' };

const builtinPropertyPattern = /^(?:__proto__|constructor|prototype|toString|valueOf|hasOwnProperty)$/;
const namePattern = /^[A-Za-z_$][\w$-]{0,63}$/;
const maxFields = 50;
const maxChoices = 200;
const maxPatternCharacters = 1_000;
const maxProblems = 20;
const maxDetailCharacters = 300;

const tooDeepMessage =
  'too deep: an object may hold one level of objects, and a list only texts, numbers, true and false';

type KeywordCheck = (value: unknown) => boolean;
const isText: KeywordCheck = (value) => typeof value === 'string';
const isNumber: KeywordCheck = (value) => typeof value === 'number' && Number.isFinite(value);
const isCount: KeywordCheck = (value) => Number.isInteger(value) && Number(value) >= 0;
const acceptAny: KeywordCheck = () => true;

const commonKeywords = { type: isText, title: isText, description: isText, default: acceptAny };
const keywordChecks: Record<string, Record<string, KeywordCheck>> = {
  string: { ...commonKeywords, enum: Array.isArray, minLength: isCount, maxLength: isCount, pattern: isText },
  number: { ...commonKeywords, enum: Array.isArray, minimum: isNumber, maximum: isNumber },
  integer: { ...commonKeywords, enum: Array.isArray, minimum: isNumber, maximum: isNumber },
  boolean: commonKeywords,
  array: { ...commonKeywords, items: isRecord, minItems: isCount, maxItems: isCount },
  object: {
    ...commonKeywords,
    properties: isRecord,
    required: (value) => Array.isArray(value) && value.every(isText),
    additionalProperties: (value) => value === false,
  },
};

/** Does not check patterns. `canBeAnyType`: the schema may describe any type, as for results. Otherwise, it must describe an object. */
export function checkSchema(schema: JsonSchema, canBeAnyType = false): SchemaProblem[] {
  if (!canBeAnyType && schema['type'] !== 'object')
    return [createProblem(['type'], 'the parameters must be {"type": "object", "properties": {…}}')];
  return takeFirst(maxProblems, findProblems(schema, [], 2));
}

/** Also checks the patterns, if everything else is right. Runs in a worker. */
export function checkSchemaAndPatterns(schema: JsonSchema, canBeAnyType = false): SchemaProblem[] {
  const problems = checkSchema(schema, canBeAnyType);
  return problems.length > 0 ? problems : [...findWrongPatterns(schema, [])];
}

export function takeFirst<Item>(count: number, items: Iterable<Item>): Item[] {
  const taken: Item[] = [];
  for (const item of items) if (taken.push(item) === count) break;
  return taken;
}

const createProblem = (place: readonly string[], detail: string): SchemaProblem => ({
  code: 'schema',
  place: place.join('.').slice(0, maxDetailCharacters),
  detail: detail.slice(0, maxDetailCharacters),
});

/** `depth`: how many more levels of objects are allowed. Below 0, lists are not allowed either. */
function* findProblems(schema: JsonSchema, path: readonly string[], depth: number): Generator<SchemaProblem> {
  const { type, items } = schema;
  const known = typeof type === 'string' && Object.hasOwn(keywordChecks, type) && keywordChecks[type];
  if (typeof type !== 'string' || !known) {
    yield createProblem([...path, 'type'], `must be one of ${Object.keys(keywordChecks).join(', ')}`);
    return;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const isRight = Object.hasOwn(known, keyword) ? known[keyword] : undefined;
    const can = Object.keys(known).join(', ');
    if (!isRight)
      yield createProblem([...path, keyword], `"${keyword}" cannot be used with ${type}; these can: ${can}`);
    else if (!isRight(value))
      yield createProblem([...path, keyword], `"${keyword}" has a value of the wrong kind`);
  }
  yield* findWrongValues(schema, type, path);
  if (type === 'object') yield* findWrongFields(schema, path, depth);
  if (type === 'array') {
    if (!isRecord(items)) yield createProblem([...path, 'items'], 'a list must say what it holds');
    else if (depth < 0) yield createProblem(path, tooDeepMessage);
    else yield* findProblems(items, [...path, 'items'], -1);
  }
}

function* findWrongFields({ properties, required }: JsonSchema, path: readonly string[], depth: number) {
  if (depth <= 0) {
    yield createProblem(path, tooDeepMessage);
    return;
  }
  const fields = isRecord(properties) ? properties : {};
  if (Object.keys(fields).length > maxFields) {
    yield createProblem([...path, 'properties'], `more than ${maxFields} parameters`);
    return;
  }
  for (const [name, field] of Object.entries(fields)) {
    const here = [...path, 'properties', name];
    if (!namePattern.test(name) || builtinPropertyPattern.test(name)) {
      const rule = 'use letters, digits and _, and no word of the language itself';
      yield createProblem(here, `"${name}" cannot be a name: ${rule}`);
    }
    if (isRecord(field)) yield* findProblems(field, here, depth - 1);
    else yield createProblem(here, 'must be a schema, such as {"type": "string"}');
  }
  for (const name of new Set<unknown>(Array.isArray(required) ? required : [])) {
    if (typeof name === 'string' && !Object.hasOwn(fields, name)) {
      yield createProblem([...path, 'required'], `"${name}" is required, but is not among the properties`);
    }
  }
}

function* findWrongValues(schema: JsonSchema, type: string, path: readonly string[]) {
  const choices: unknown = schema['enum'];
  if (Array.isArray(choices)) {
    const isKind = choices.every(type === 'string' ? isText : isNumber);
    if (choices.length === 0 || choices.length > maxChoices)
      yield createProblem([...path, 'enum'], `must have 1 to ${maxChoices} choices`);
    else if (!isKind) yield createProblem([...path, 'enum'], `every choice must be a ${type}`);
  }
  for (const end of ['imum', 'Length', 'Items']) {
    const [low, high] = [`min${end}`, `max${end}`];
    if (Number(schema[low] ?? -Infinity) > Number(schema[high] ?? Infinity))
      yield createProblem([...path, low], `${low} is greater than ${high}`);
  }
}

function* findWrongPatterns(
  { pattern, items, properties }: JsonSchema,
  place: readonly string[],
): Generator<SchemaProblem> {
  if (typeof pattern === 'string') {
    const detail = findPatternError(pattern);
    if (detail !== undefined) yield { code: 'pattern', place: [...place, 'pattern'].join('.'), detail };
  }
  if (isRecord(items)) yield* findWrongPatterns(items, [...place, 'items']);
  for (const [name, field] of Object.entries(isRecord(properties) ? properties : {})) {
    if (isRecord(field)) yield* findWrongPatterns(field, [...place, 'properties', name]);
  }
}

function findPatternError(pattern: string): string | undefined {
  if (pattern.length > maxPatternCharacters) return `longer than ${maxPatternCharacters} characters`;
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
