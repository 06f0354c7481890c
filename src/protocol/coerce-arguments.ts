/** Coerces arguments to the types that a tool declares, and says which are unknown or missing. */
import type { JsonSchema } from '../contracts/schema';
import { fieldsOf, isRecord } from './tool-index';
import { readJson, readValue, recordOf } from './value-reader';

export interface CoercedArguments {
  arguments: Record<string, unknown>;
  /** Each change, as a phrase for the model. */
  repairs: string[];
  /** Fields the tool does not have. */
  unknown: string[];
  missing: string[];
}

/** By declared type only: what is declared as text stays text. */
export function coerceArguments(written: Record<string, unknown>, schema: JsonSchema): CoercedArguments {
  const repairs: string[] = [];
  const fields = fieldsOf(schema);
  const isOpen = Object.keys(fields).length === 0 && !('properties' in schema);
  const entries = Object.entries(written).map(([key, value]): [string, unknown] => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return [key, field ? coerce(value, field, key, repairs) : value];
  });
  const unknown = isOpen ? [] : Object.keys(written).filter((key) => !Object.hasOwn(fields, key));
  const { required } = schema;
  const missing = Array.isArray(required)
    ? required.filter((key): key is string => typeof key === 'string' && !Object.hasOwn(written, key))
    : [];
  return { arguments: recordOf(entries), repairs, unknown, missing };
}

function coerce(value: unknown, schema: JsonSchema, path: string, repairs: string[]): unknown {
  const types = typesOf(schema);
  if (types.length === 0 || types.some((type) => isOfType(value, type))) {
    return coerceInside(value, schema, path, repairs);
  }
  for (const type of types) {
    const changed = convert(value, type);
    if (changed === undefined) continue;
    repairs.push(`${path} was read as ${type}`);
    return coerceInside(changed, schema, path, repairs);
  }
  return value;
}

function coerceInside(value: unknown, schema: JsonSchema, path: string, repairs: string[]): unknown {
  if (isRecord(value)) {
    const fields = fieldsOf(schema);
    return recordOf(
      Object.entries(value).map(([key, inner]) => {
        const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
        return [key, field ? coerce(inner, field, `${path}.${key}`, repairs) : inner];
      }),
    );
  }
  const { items } = schema;
  if (Array.isArray(value) && isRecord(items)) {
    return value.map((item: unknown, index) => coerce(item, items, `${path}.${index}`, repairs));
  }
  return value;
}

/** Undefined: no value of that type was written. */
function convert(value: unknown, type: string): unknown {
  switch (type) {
    case 'number':
    case 'integer': {
      if (typeof value !== 'string' || !/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value))
        return undefined;
      const number = Number(value);
      return type === 'number' || Number.isInteger(number) ? number : undefined;
    }
    case 'boolean':
      return typeof value === 'string'
        ? new Map([
            ['true', true],
            ['false', false],
          ]).get(value.trim().toLowerCase())
        : undefined;
    case 'null':
      return typeof value === 'string' && /^\s*(?:null|none)\s*$/i.test(value) ? null : undefined;
    case 'object':
    case 'array': {
      const parsed = typeof value === 'string' ? parse(value) : undefined;
      if (parsed !== undefined && isOfType(parsed, type)) return parsed;
      const isScalar = typeof value === 'string' || typeof value === 'number';
      return type === 'array' && isScalar && value !== '' ? [value] : undefined;
    }
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
    default:
      return undefined;
  }
}

function parse(text: string): unknown {
  const json = readJson(text);
  if (json) return json.value;
  const trimmed = text.trim();
  const read = /^[{[(]/.test(trimmed) ? readValue(trimmed, 0) : undefined;
  return read?.end === trimmed.length ? read.value : undefined;
}

/** Declared types, those of its alternatives included. */
function typesOf(schema: JsonSchema): string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((name) => typeof name === 'string');
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(alternatives)
    ? alternatives.flatMap((one) => (isRecord(one) ? typesOf(one) : []))
    : [];
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
    case 'number':
      return typeof value === 'number';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'null':
      return value === null;
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      // Not a type of JSON Schema: nothing is known of it.
      return true;
  }
}
