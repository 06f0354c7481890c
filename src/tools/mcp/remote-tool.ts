/** Presents an MCP server's tool to the agent. Its description and schema are untrusted. */
import type { McpServer, RemoteTool } from '../../contracts/mcp-server';
import { toForeignToolName } from '../../contracts/tool-names';
import type { Tool, ToolContext, UnmarkedOutput } from '../../contracts/tool';
import { neutraliseTexts } from '../neutralise-texts';
import { cut, isRecord, type JsonSchema } from '../../contracts/schema';
import { neutraliseTokens } from '../../text/neutralise';

const maxDescriptionCharacters = 1_000;

export function createRemoteTool(
  { id, name: server, url }: Pick<McpServer, 'id' | 'name' | 'url'>,
  { name, alias, definition, hash }: RemoteTool,
  call: (tool: string, args: unknown, context: ToolContext) => Promise<UnmarkedOutput>,
): Tool {
  const { host } = new URL(url);
  const { title, description, inputSchema } = neutraliseTexts({
    title: definition.title === '' ? name : definition.title,
    description: cut(definition.description, maxDescriptionCharacters),
    inputSchema: reduceSchema(definition.inputSchema),
  });
  return {
    name: toForeignToolName(alias, 'server'),
    title,
    description: description === '' ? title : description,
    server,
    origin: { door: 'tool-description', name: host, serverId: id },
    inputSchema,
    // We write these ourselves, because we do not trust the server's hints.
    annotations: { openWorldHint: true },
    // Starts with the server id, so we can delete all grants of a server together.
    revision: `${id}/${hash}`,
    effects: () => ({ type: 'remote', server, serverId: id, host }),
    async execute(input, context) {
      context.signal.throwIfAborted();
      const output = await call(name, input, context);
      context.signal.throwIfAborted();
      return { ...output, origins: [{ door: 'server', name: host, serverId: id }] };
    },
  };
}

/** Maximum levels of nested objects. We do not constrain deeper values. */
const maxObjectDepth = 4;
const maxFields = 40;
const maxChoices = 100;
const maxSchemaNodes = 300;
const maxAlternatives = 50;
const maxTextCharacters = 300;
const maxNameCharacters = 128;
const maxTotalTextCharacters = 20_000;
/** We drop length limits above these values from a schema: a grammar would repeat a rule for each character or item. */
const maxAllowedLength = 1_000;
const maxAllowedItems = 20;

const schemaTypes = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

export function reduceSchema(schema: JsonSchema): JsonSchema {
  const reduced = new SchemaReducer(schema).reduce(schema, maxObjectDepth);
  return reduced['type'] === 'object' ? reduced : { type: 'object', properties: {} };
}

class SchemaReducer {
  readonly #root: JsonSchema;
  #nodes = 0;
  #room = maxTotalTextCharacters;
  readonly #fields = new Map<JsonSchema, readonly (readonly [string, unknown])[]>();

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  reduce(given: unknown, levelsLeft: number): JsonSchema {
    const schema = this.#resolve(given);
    if (this.#nodes === maxSchemaNodes) return {};
    this.#nodes += 1;
    if (!schema || levelsLeft < 0) return {};
    const alternatives: unknown = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(alternatives)) {
      const few = alternatives.length > maxAlternatives ? [] : alternatives;
      // A schema may declare an optional field as a union with null, so ignore null.
      const real = few.filter((one) => this.#resolve(one)?.['type'] !== 'null');
      return { ...(real.length === 1 ? this.reduce(real[0], levelsLeft) : {}), ...this.#textsOf(schema) };
    }
    const type = schemaTypeOf(schema);
    const reduced: JsonSchema = { ...this.#textsOf(schema), ...(type && { type }) };
    const listed: unknown = 'const' in schema ? [schema['const']] : schema['enum'];
    const listedChoices: unknown[] = Array.isArray(listed) ? listed : [];
    const choices = listedChoices.slice(0, maxChoices).filter((one) => this.#mayShow(one));
    // Leave out an empty enum: no value could satisfy it.
    if (choices.length > 0) reduced['enum'] = choices;
    copyValidKeywords(reduced, schema, ['minimum', 'maximum'], Number.isFinite);
    copyValidKeywords(reduced, schema, ['minLength', 'maxLength'], createCountCheck(maxAllowedLength));
    copyValidKeywords(reduced, schema, ['minItems', 'maxItems'], createCountCheck(maxAllowedItems));
    if (this.#mayShow(schema['default'])) reduced['default'] = schema['default'];
    if (type === 'array') reduced['items'] = this.reduce(schema['items'], levelsLeft - 1);
    if (type === 'object') this.#reduceFields(reduced, schema, levelsLeft);
    return reduced;
  }

  #reduceFields(reduced: JsonSchema, schema: JsonSchema, room: number): void {
    const fields: [string, JsonSchema][] = [];
    for (const [name, field] of this.#fieldsOf(schema)) {
      if (this.#nodes === maxSchemaNodes || !this.#mayShow(name)) break;
      fields.push([name, this.reduce(field, room - 1)]);
    }
    reduced['properties'] = Object.fromEntries(fields);
    const listed: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
    const required = new Set(listed.slice(0, 1_000));
    const names = fields.map(([name]) => name).filter((name) => required.has(name));
    if (names.length > 0) reduced['required'] = names;
    if (schema['additionalProperties'] === false) reduced['additionalProperties'] = false;
  }

  /** Skips fields whose names are unsafe in a prompt: the server would not recognise a cleaned name. */
  #fieldsOf(schema: JsonSchema): readonly (readonly [string, unknown])[] {
    const { properties } = schema;
    const fields =
      this.#fields.get(schema) ??
      Object.entries(isRecord(properties) ? properties : {})
        .filter(([name]) => name.length <= maxNameCharacters && neutraliseTokens(name) === name)
        .slice(0, maxFields);
    this.#fields.set(schema, fields);
    return fields;
  }

  #textsOf(schema: JsonSchema): JsonSchema {
    const texts = ['title', 'description'].flatMap((name) => {
      const text = schema[name];
      if (typeof text !== 'string' || text === '') return [];
      const short = text.slice(0, maxTextCharacters);
      return this.#mayShow(short) ? [[name, short]] : [];
    });
    return Object.fromEntries(texts) as JsonSchema;
  }

  /** True if we may show the value to models. Subtracts its text from the budget for the whole schema. */
  #mayShow(value: unknown): boolean {
    if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'boolean';
    if (value.length > Math.min(maxTextCharacters, this.#room)) return false;
    this.#room -= value.length;
    return true;
  }

  #resolve(given: unknown): JsonSchema | undefined {
    let schema = given;
    for (let steps = 0; isRecord(schema) && typeof schema['$ref'] === 'string'; steps++) {
      if (steps === 8) return undefined;
      schema = this.#at(schema['$ref']);
    }
    return isRecord(schema) ? schema : undefined;
  }

  #at(pointer: string): unknown {
    if (!pointer.startsWith('#') || pointer.length > maxNameCharacters) return undefined;
    const keys = pointer.slice(1).split('/').filter(Boolean);
    return keys.reduce<unknown>((value, key) => {
      const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
      return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }, this.#root);
  }
}

function schemaTypeOf(schema: JsonSchema): string | undefined {
  const { type } = schema;
  const one: unknown = Array.isArray(type) ? type.find((name) => name !== 'null') : type;
  if (typeof one === 'string' && schemaTypes.has(one)) return one;
  return 'properties' in schema ? 'object' : undefined;
}

function copyValidKeywords(
  reduced: JsonSchema,
  schema: JsonSchema,
  names: readonly string[],
  fits: (value: unknown) => boolean,
): void {
  for (const name of names) if (fits(schema[name])) reduced[name] = schema[name];
}

/** Grammars only accept nonnegative integers as counts. */
const createCountCheck = (max: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;
