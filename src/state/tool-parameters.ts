/** PURE: the parameters of a tool as a form shows them, on the JSON Schema that they are. What the form does not know stays. */
import type { JsonSchema } from '../contracts/schema';
import { isObject } from './tool-form';

export interface Parameter {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
}

export const parameterTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;
export type ParameterType = (typeof parameterTypes)[number];

export function parametersOf(schema: JsonSchema): Parameter[] {
  const { properties, required } = schema;
  const needed: unknown[] = Array.isArray(required) ? required : [];
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, field]) => ({
    name,
    schema: isObject(field) ? field : {},
    isRequired: needed.includes(name),
  }));
}

/** `schema` with other parameters; the rest of it stays. */
export function withParameters(schema: JsonSchema, parameters: readonly Parameter[]): JsonSchema {
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema: field }) => [name, field])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

/** A name that none of them has. */
export function newName(parameters: readonly Parameter[]): string {
  const taken = new Set(parameters.map(({ name }) => name));
  let count = parameters.length + 1;
  while (taken.has(`parameter_${count}`)) count++;
  return `parameter_${count}`;
}

export function typeOf(schema: JsonSchema): ParameterType {
  return parameterTypes.find((type) => type === schema['type']) ?? 'string';
}

/** Of another type only what any type has is kept. */
export function withType({ title, description }: JsonSchema, type: ParameterType): JsonSchema {
  return {
    type,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(type === 'array' && { items: { type: 'string' } }),
    ...(type === 'object' && { properties: {}, required: [] }),
  };
}

/** With one keyword as a person wrote it; '' takes it away. */
export function withKeyword(schema: JsonSchema, keyword: string, text: string): JsonSchema {
  const { [keyword]: before, ...rest } = schema;
  if (text.trim() === '' || (before === undefined && text === '')) return rest;
  return { ...schema, [keyword]: valueOf(keyword, typeOf(schema), text) };
}

/** A keyword's value as text, as a person edits it. */
export function keywordText(schema: JsonSchema, keyword: string): string {
  const value = schema[keyword];
  if (value === undefined) return '';
  if (keyword === 'enum' && Array.isArray(value)) return value.map(valueText).join(', ');
  return valueText(value);
}

/** Not `String`: what a stranger wrote may have a `toString` that is no function. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function valueOf(keyword: string, type: ParameterType, text: string): unknown {
  if (keyword === 'enum') {
    const choices = text.split(',').map((choice) => choice.trim());
    const whole = choices.filter((choice) => choice !== '');
    return type === 'string' ? whole : whole.map(numberOr);
  }
  if (keyword === 'description' || keyword === 'pattern') return text;
  if (keyword !== 'default') return numberOr(text);
  if (type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    // Not a value of its type yet; the check on saving says so.
    return text;
  }
}

function numberOr(text: string): number | string {
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
