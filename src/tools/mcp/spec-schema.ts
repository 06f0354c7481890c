/**
 * PURE: what a model is told of a stranger's schema: the part of JSON Schema that models fill in, no larger than a prompt can bear. What
 * it leaves out is still checked: the worker holds the arguments to the whole of it before they leave.
 */
import type { JsonSchema } from '../../contracts/schema';

/** Of objects within objects; below, anything goes. */
const deepest = 4;
const mostFields = 40;
const mostChoices = 100;
const mostNodes = 300;
/** Characters. */
const longestText = 300;
/** A grammar writes out what is bounded. */
const highestBound = 1_000;
const highestCount = 20;

const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

export function schemaForModels(schema: JsonSchema): JsonSchema {
  const told = new Teller(schema).tell(schema, deepest);
  return told['type'] === 'object' ? told : { type: 'object', properties: {} };
}

class Teller {
  readonly #root: JsonSchema;
  #nodes = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  tell(given: unknown, room: number): JsonSchema {
    const schema = this.#resolve(given);
    if (!schema || ++this.#nodes > mostNodes) return {};
    const alternatives: unknown = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(alternatives)) {
      // A field that may also be null is one that may be missing.
      const real = alternatives.filter((one) => this.#resolve(one)?.['type'] !== 'null');
      return { ...(real.length === 1 ? this.tell(real[0], room) : {}), ...textsOf(schema) };
    }
    if ('const' in schema) return { ...textsOf(schema), enum: [schema['const']] };
    const type = typeOf(schema);
    const told: JsonSchema = { ...textsOf(schema), ...(type && { type }) };
    if (Array.isArray(schema['enum'])) told['enum'] = schema['enum'].filter(isPlain).slice(0, mostChoices);
    copy(told, schema, ['minimum', 'maximum'], Infinity);
    copy(told, schema, ['minLength', 'maxLength'], highestBound);
    copy(told, schema, ['minItems', 'maxItems'], highestCount);
    if (isPlain(schema['default'])) told['default'] = schema['default'];
    if (type === 'array') told['items'] = room > 0 ? this.tell(schema['items'], room - 1) : {};
    if (type === 'object') this.#tellFields(told, schema, room);
    return told;
  }

  #tellFields(told: JsonSchema, schema: JsonSchema, room: number): void {
    const fields = Object.entries(recordOf(schema['properties']) ?? {}).slice(0, mostFields);
    const isShown = new Set(fields.map(([name]) => name));
    told['properties'] = Object.fromEntries(
      fields.map(([name, field]) => [name, room > 0 ? this.tell(field, room - 1) : {}]),
    );
    const { required } = schema;
    if (Array.isArray(required)) told['required'] = required.filter((name) => isShown.has(String(name)));
    if (schema['additionalProperties'] === false) told['additionalProperties'] = false;
  }

  /** A reference within the schema; undefined for one that leads nowhere, or round. */
  #resolve(given: unknown): JsonSchema | undefined {
    let schema = recordOf(given);
    for (let steps = 0; schema && typeof schema['$ref'] === 'string'; steps++) {
      if (steps === 8) return undefined;
      schema = recordOf(this.#at(schema['$ref']));
    }
    return schema;
  }

  #at(pointer: string): unknown {
    if (!pointer.startsWith('#')) return undefined;
    const keys = pointer.slice(1).split('/').filter(Boolean);
    return keys.reduce<unknown>((value, key) => {
      const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
      const record = recordOf(value);
      return record && Object.hasOwn(record, name) ? record[name] : undefined;
    }, this.#root);
  }
}

function typeOf(schema: JsonSchema): string | undefined {
  const { type } = schema;
  const one: unknown = Array.isArray(type) ? type.find((name) => name !== 'null') : type;
  if (typeof one === 'string' && types.has(one)) return one;
  return 'properties' in schema ? 'object' : undefined;
}

function textsOf(schema: JsonSchema): JsonSchema {
  const texts = ['title', 'description'].flatMap((name) => {
    const text = schema[name];
    return typeof text === 'string' && text !== '' ? [[name, text.slice(0, longestText)]] : [];
  });
  return Object.fromEntries(texts) as JsonSchema;
}

function copy(told: JsonSchema, schema: JsonSchema, names: readonly string[], most: number): void {
  for (const name of names) {
    const value = schema[name];
    if (typeof value === 'number' && Number.isFinite(value) && value <= most) told[name] = value;
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= longestText;
  return typeof value === 'number' || typeof value === 'boolean';
}

function recordOf(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonSchema)
    : undefined;
}
