/** PURE: the arguments of a try, from the fields of a form that its schema made. */
import type { JsonSchema } from '../contracts/schema';
import { parametersOf, typeOf } from './tool-parameters';

/** By parameter; what was not touched is missing. */
export type TypedInput = Readonly<Record<string, string | boolean>>;

/** What cannot be read as its type goes as it was typed: the check of the arguments says what is wrong with it. */
export function readInput(schema: JsonSchema, typed: TypedInput): Record<string, unknown> {
  const entries = parametersOf(schema).flatMap(({ name, schema: field, isRequired }) => {
    const value = typed[name];
    const type = typeOf(field);
    if (typeof value === 'boolean') return [[name, value] as const];
    // An empty text is one only where a text has to be.
    if (value === undefined || value === '') {
      if (type === 'string' && isRequired && !('default' in field)) return [[name, ''] as const];
      return type === 'boolean' && isRequired ? [[name, false] as const] : [];
    }
    return [[name, readValue(field, value)] as const];
  });
  return Object.fromEntries(entries);
}

/** The fields for `input`. */
export function typedOf(schema: JsonSchema, input: Readonly<Record<string, unknown>>): TypedInput {
  const entries = parametersOf(schema).flatMap(({ name }) => {
    const value = input[name];
    if (value === undefined) return [];
    const isPlain = typeof value === 'string' || typeof value === 'boolean';
    return [[name, isPlain ? value : JSON.stringify(value)] as const];
  });
  return Object.fromEntries(entries);
}

function readValue(schema: JsonSchema, text: string): unknown {
  switch (typeOf(schema)) {
    case 'string':
      return text;
    case 'number':
    case 'integer':
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return readList(schema, text);
    case 'object':
      return readJson(text);
  }
}

/** JSON, or one a line. */
function readList({ items }: JsonSchema, text: string): unknown {
  if (text.trim().startsWith('[')) return readJson(text);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isNumbers = typeof items === 'object' && items !== null && 'type' in items && items.type !== 'string';
  return isNumbers ? lines.map(readJson) : lines;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
