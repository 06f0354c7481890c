/** Checks a written call against the offered tools. Returns a call that can run, or a failure with a reason. */
import type { JsonSchema } from '../contracts/schema';
import type { WrittenCall } from './format';
import { type AnyRecord, fieldsOf, isRecord, type ToolIndex } from './tool-index';
import { readJson, readValue, createRecord } from './value-reader';

export type ResolvedCall =
  | { ok: true; name: string; arguments: AnyRecord; repairs: string[] }
  | { ok: false; name: string; arguments?: AnyRecord; reason: string; isUnknown?: true };

export function resolveCall(call: WrittenCall, tools: ToolIndex, isBare: boolean): ResolvedCall {
  const written = withoutMarkdownEscapes(call);
  const found = tools.find(written.name);
  if (!found) {
    const { name, named, positional, text } = written;
    const isNamed = positional === undefined && text === undefined;
    const reason = describeUnknownTool(name, tools);
    return { ok: false, name, ...(isNamed && { arguments: named }), reason, isUnknown: true };
  }
  const { name, inputSchema } = found.tool;
  const names = Object.keys(fieldsOf(inputSchema));
  const refuse = (reason: string): ResolvedCall => ({ ok: false, name, reason });
  const named = nameArguments(written, inputSchema);
  const needed = names.join(', ') || 'it takes none';
  if (!named) return refuse(`The arguments of ${name} have no names. Name each: ${needed}.`);

  const { unknown, missing, ...coerced } = coerceArguments(named, inputSchema);
  const isDoubtful = hasRiskyRepair(written.repairs);
  if (isBare || isDoubtful || written.isGuess === true) {
    // Accept a call with missing fields, which we report to the model later. Reject it if it has no arguments or if a repair may be wrong.
    const isPartial = Object.keys(named).length > 0 && !isDoubtful;
    if (unknown.length > 0 || (missing.length > 0 && !isPartial))
      return refuse(describeWrongArguments(name, unknown, missing, names));
  }
  const respelled = found.isExact ? [] : [`"${written.name}" was read as ${name}`];
  const repairs = [...written.repairs, ...respelled, ...coerced.repairs];
  return { ok: true, name, arguments: coerced.arguments, repairs };
}

/** True if a repair guessed where a text ends. The guess is only right if the call has no unknown and no missing fields. */
function hasRiskyRepair(repairs: readonly string[]): boolean {
  return repairs.some((repair) => /inside a string|bracket was missing|quotes were missing/.test(repair));
}

/** Removes Markdown's escapes from a call such as `music\_box(root\_note="C")` if its name or a field is escaped. */
function withoutMarkdownEscapes(call: WrittenCall): WrittenCall {
  const isEscaped = [call.name, ...Object.keys(call.named)].some((name) => name.includes('\\_'));
  if (!isEscaped) return call;
  const named = withoutEscapes(call.named);
  const { positional } = call;
  const isWhole = positional?.length === 1 && positional[0] === call.named;
  return {
    ...call,
    name: call.name.replaceAll('\\', ''),
    named: isRecord(named) ? named : {},
    ...(positional && { positional: isWhole ? [named] : positional.map(withoutEscapes) }),
    repairs: [...call.repairs, 'escapes of Markdown were left out'],
  };
}

function withoutEscapes(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\\_', '_');
  if (Array.isArray(value)) return value.map(withoutEscapes);
  if (!isRecord(value)) return value;
  return createRecord(
    Object.entries(value).map(([key, inner]) => [key.replaceAll('\\_', '_'), withoutEscapes(inner)]),
  );
}

/** Assigns arguments to fields. Undefined if there are more arguments than fields, or if a single text could belong to several fields. */
function nameArguments({ named, positional, text }: WrittenCall, schema: JsonSchema): AnyRecord | undefined {
  const fields = fieldsOf(schema);
  const names = Object.keys(fields);
  const { required } = schema;
  if (text !== undefined) {
    const needed: unknown[] = Array.isArray(required) ? required : [];
    const only = names.length === 1 ? names[0] : needed.length === 1 ? needed[0] : undefined;
    return typeof only === 'string' ? { [only]: text } : undefined;
  }
  if (!positional) return named;
  const [first] = positional;
  // In `f({…})`, an object with the tool's fields holds all arguments. Any other object is the first argument.
  const isWhole = positional.length === 1 && isRecord(first) && first === named;
  const isScalar = /^(?:string|number|integer|boolean)$/.test(String(fields[names[0] ?? '']?.['type']));
  if (isWhole && (isScalar || Object.keys(first).every((key) => names.includes(key)))) return first;
  const free = names.filter((name) => isWhole || !Object.hasOwn(named, name));
  if (positional.length > free.length) return isWhole && names.length === 0 ? named : undefined;
  const given = Object.fromEntries(positional.map((value, index) => [free[index] ?? '', value]));
  return isWhole ? given : { ...given, ...named };
}

function describeUnknownTool(name: string, tools: ToolIndex): string {
  const nearest = tools.nearest(name);
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(' or ')}?` : '';
  return `There is no tool "${name}".${hint} There are: ${listToolNames(tools)}. If none of them fits, answer in your own words.`;
}

const maxListedToolNames = 24;

function listToolNames({ tools }: ToolIndex): string {
  if (tools.length === 0) return 'none';
  const names = tools.slice(0, maxListedToolNames).map(({ name }) => name);
  const left = tools.length - names.length;
  return names.join(', ') + (left > 0 ? ` and ${left} more` : '');
}

function describeWrongArguments(
  tool: string,
  unknown: readonly string[],
  missing: readonly string[],
  names: readonly string[],
): string {
  const parts = [
    ...(missing.length > 0 ? [`lacks ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`does not take ${unknown.join(', ')}`] : []),
  ];
  return `The call of ${tool} ${parts.join(' and ')}. It takes: ${names.join(', ') || 'nothing'}.`;
}

/** Converts arguments to the types that the tool declares. Never converts a field declared as text. */
export function coerceArguments(written: AnyRecord, schema: JsonSchema) {
  const repairs: string[] = [];
  const fields = fieldsOf(schema);
  const isOpen = Object.keys(fields).length === 0 && !('properties' in schema);
  const unknown = isOpen ? [] : Object.keys(written).filter((key) => !Object.hasOwn(fields, key));
  const { required } = schema;
  const missing = Array.isArray(required)
    ? required.filter((key): key is string => typeof key === 'string' && !Object.hasOwn(written, key))
    : [];
  return { arguments: coerceFields(written, schema, '', repairs), repairs, unknown, missing };
}

function coerceFields(record: AnyRecord, schema: JsonSchema, path: string, repairs: string[]) {
  const fields = fieldsOf(schema);
  return createRecord(
    Object.entries(record).map(([key, value]) => {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      return [key, field ? coerceValue(value, field, path + key, repairs) : value];
    }),
  );
}

function coerceValue(value: unknown, schema: JsonSchema, path: string, repairs: string[]): unknown {
  const types = typesOf(schema);
  if (types.length === 0 || types.some((type) => isOfType(value, type))) {
    return coerceNested(value, schema, path, repairs);
  }
  for (const type of types) {
    const changed = convertValue(value, type);
    if (changed === undefined) continue;
    repairs.push(`${path} was read as ${type}`);
    return coerceNested(changed, schema, path, repairs);
  }
  return value;
}

function coerceNested(value: unknown, schema: JsonSchema, path: string, repairs: string[]): unknown {
  if (isRecord(value)) return coerceFields(value, schema, `${path}.`, repairs);
  const { items } = schema;
  if (Array.isArray(value) && isRecord(items)) {
    return value.map((item: unknown, index) => coerceValue(item, items, `${path}.${index}`, repairs));
  }
  return value;
}

function convertValue(value: unknown, type: string): unknown {
  switch (type) {
    case 'number':
    case 'integer': {
      if (typeof value !== 'string' || !/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value))
        return undefined;
      const number = Number(value);
      return type === 'number' || Number.isInteger(number) ? number : undefined;
    }
    case 'boolean': {
      const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
      return ['true', 'false'].includes(word) ? word === 'true' : undefined;
    }
    case 'null':
      return typeof value === 'string' && /^\s*(?:null|none)\s*$/i.test(value) ? null : undefined;
    case 'object':
    case 'array': {
      const parsed = typeof value === 'string' ? parseObjectOrArray(value) : undefined;
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

function parseObjectOrArray(text: string): unknown {
  const json = readJson(text);
  if (json) return json.value;
  const trimmed = text.trim();
  const read = /^[{[(]/.test(trimmed) ? readValue(trimmed) : undefined;
  return read?.end === trimmed.length ? read.value : undefined;
}

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
  if (type === 'string' || type === 'boolean') return typeof value === type;
  if (type === 'integer' || type === 'number') return typeof value === 'number';
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  return type !== 'null' || value === null;
}
