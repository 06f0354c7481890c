/** The subset of JSON Schema for custom tools: only what small models can fill in and a form can show. */
import type { DefinitionProblem } from '../../contracts/custom-tool';
import { isRecord, type JsonSchema } from '../../contracts/schema';

export type SchemaProblem = Pick<DefinitionProblem, 'code' | 'place' | 'detail'>;

/** Names that collide with built-in properties of JavaScript objects. */
const builtinPropertyNames = new Set([
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
]);
const namePattern = /^[A-Za-z_$][\w$-]{0,63}$/;
const maxFields = 50;
const maxChoices = 200;
const maxPatternCharacters = 1_000;
/** Limits for error messages: how many are reported, and the characters of each. */
const maxProblems = 20;
const maxDetailCharacters = 300;

const tooDeep =
  'too deep: an object may hold one level of objects, and a list only texts, numbers, true and false';

type KeywordCheck = (value: unknown) => boolean;
const isText: KeywordCheck = (value) => typeof value === 'string';
const isNumber: KeywordCheck = (value) => typeof value === 'number' && Number.isFinite(value);
const isCount: KeywordCheck = (value) => Number.isInteger(value) && Number(value) >= 0;
const anyValue: KeywordCheck = () => true;

const commonKeywords = { type: isText, title: isText, description: isText, default: anyValue };
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

/** `schema` must describe an object, unless `isAny` is set, as it is for results. Patterns are left to `checkPatterns`. */
export function checkSchema(schema: JsonSchema, isAny = false): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const say = (place: readonly string[], detail: string) => {
    if (problems.length === maxProblems) return;
    problems.push({
      code: 'schema',
      place: place.join('.').slice(0, maxDetailCharacters),
      detail: detail.slice(0, maxDetailCharacters),
    });
  };

  if (!isAny && schema['type'] !== 'object') {
    say(['type'], 'the parameters must be {"type": "object", "properties": {…}}');
    return problems;
  }
  walk(schema, [], 2);
  return problems;

  /** `room` is how many more levels of objects are allowed. Below 0, lists are not allowed either. */
  function walk(schema: JsonSchema, place: readonly string[], room: number): void {
    const type = typeof schema['type'] === 'string' ? schema['type'] : '';
    const known = Object.hasOwn(keywordChecks, type) ? keywordChecks[type] : undefined;
    if (!known) {
      say([...place, 'type'], `must be one of ${Object.keys(keywordChecks).join(', ')}`);
      return;
    }
    for (const [keyword, value] of Object.entries(schema)) {
      const isRight = Object.hasOwn(known, keyword) ? known[keyword] : undefined;
      const can = Object.keys(known).join(', ');
      if (!isRight) say([...place, keyword], `"${keyword}" cannot be used with ${type}; these can: ${can}`);
      else if (!isRight(value)) say([...place, keyword], `"${keyword}" has a value of the wrong kind`);
    }
    checkValues(schema, type, place);
    if (type === 'object') walkFields(schema, place, room);
    if (type === 'array') {
      if (!isRecord(schema['items'])) say([...place, 'items'], 'a list must say what it holds');
      else if (room < 0) say(place, tooDeep);
      else walk(schema['items'], [...place, 'items'], -1);
    }
  }

  function walkFields(schema: JsonSchema, place: readonly string[], room: number): void {
    if (room <= 0) {
      say(place, tooDeep);
      return;
    }
    const fields = isRecord(schema['properties']) ? schema['properties'] : {};
    const names = Object.keys(fields);
    if (names.length > maxFields) {
      say([...place, 'properties'], `more than ${maxFields} parameters`);
      return;
    }
    for (const name of names) {
      const here = [...place, 'properties', name];
      if (!namePattern.test(name) || builtinPropertyNames.has(name)) {
        say(
          here,
          `"${name}" cannot be a name: use letters, digits and _, and no word of the language itself`,
        );
      }
      const field = fields[name];
      if (isRecord(field)) walk(field, here, room - 1);
      else say(here, 'must be a schema, such as {"type": "string"}');
    }
    const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
    for (const name of required) {
      if (typeof name === 'string' && !Object.hasOwn(fields, name)) {
        say([...place, 'required'], `"${name}" is required, but is not among the properties`);
      }
    }
  }

  function checkValues(schema: JsonSchema, type: string, place: readonly string[]): void {
    const choices: unknown = schema['enum'];
    if (Array.isArray(choices)) {
      const isKind = choices.every((choice) => (type === 'string' ? isText(choice) : isNumber(choice)));
      if (choices.length === 0 || choices.length > maxChoices) {
        say([...place, 'enum'], `must have 1 to ${maxChoices} choices`);
      } else if (!isKind) say([...place, 'enum'], `every choice must be a ${type}`);
    }
    for (const [low, high] of [
      ['minimum', 'maximum'],
      ['minLength', 'maxLength'],
      ['minItems', 'maxItems'],
    ] as const) {
      if (Number(schema[low] ?? -Infinity) > Number(schema[high] ?? Infinity)) {
        say([...place, low], `${low} is greater than ${high}`);
      }
    }
  }
}

/** Finds invalid patterns in a schema that has passed `checkSchema`. Runs in a worker. */
export function* checkPatterns(schema: JsonSchema, place: readonly string[] = []): Generator<SchemaProblem> {
  const { pattern, items, properties } = schema;
  if (typeof pattern === 'string') {
    const detail = whyUnreadable(pattern);
    if (detail !== undefined) yield { code: 'pattern', place: [...place, 'pattern'].join('.'), detail };
  }
  if (isRecord(items)) yield* checkPatterns(items, [...place, 'items']);
  for (const [name, field] of Object.entries(isRecord(properties) ? properties : {})) {
    if (isRecord(field)) yield* checkPatterns(field, [...place, 'properties', name]);
  }
}

function whyUnreadable(pattern: string): string | undefined {
  if (pattern.length > maxPatternCharacters) return `longer than ${maxPatternCharacters} characters`;
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
