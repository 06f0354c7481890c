/** Writes a JSON Schema as grammar rules, in the notation shared by llama.cpp (GBNF) and xgrammar (EBNF). */
import type { JsonSchema } from '../contracts/schema';
import { fieldsOf, isRecord } from './tool-index';

/** Maximum number of items in a list or fields in an open object, if the schema sets no limit. */
const defaultMaxItems = 8;
const maxIntegerRange = 200;

export interface GrammarTextOptions {
  /** Maximum length of each text, in characters. If Infinity, only the engine limits it. */
  maxCharacters: number;
  /** Repetitions with a higher bound become unlimited, because some engines precompute each repetition. */
  maxBound?: number;
  textOf?: (field: string) => string | undefined;
}

/** `prefix`: start of the rules' names. The grammar only allows compact JSON. */
export function writeSchemaRules(schema: JsonSchema, prefix: string, texts: GrammarTextOptions) {
  const grammar = new SchemaGrammar(prefix, schema, texts);
  return { value: grammar.writeValue(schema), rules: grammar.rules };
}

export function writeGrammar(root: string, rules: ReadonlyMap<string, string>): string {
  return [`root ::= ${root}`, ...Array.from(rules, ([name, rule]) => `${name} ::= ${rule}`)].join('\n');
}

export function countFreeTexts(schema: unknown): number {
  if (Array.isArray(schema)) return schema.reduce((sum: number, inner) => sum + countFreeTexts(inner), 0);
  if (!isRecord(schema)) return 0;
  if ('enum' in schema || 'const' in schema) return 0;
  const own = schema['type'] === 'string' ? 1 : 0;
  const items = schema['type'] === 'array' ? defaultMaxItems / 2 : 1;
  return own + items * Object.values(schema).reduce((sum: number, inner) => sum + countFreeTexts(inner), 0);
}

/** Writes grammars without whitespace: a model that may write whitespace may never stop. */
class SchemaGrammar {
  readonly rules = new Map<string, string>();
  readonly #prefix: string;
  readonly #root: JsonSchema;
  readonly #texts: GrammarTextOptions;
  #field = '';
  readonly #references = new Map<string, string>();

  constructor(prefix: string, root: JsonSchema, texts: GrammarTextOptions) {
    this.#prefix = prefix;
    this.#root = root;
    this.#texts = texts;
  }

  writeValue(schema: unknown): string {
    if (!isRecord(schema)) return this.#scalar();
    if (typeof schema['$ref'] === 'string') return this.#reference(schema['$ref']);
    if ('const' in schema) return toLiteral(JSON.stringify(schema['const']));
    if (Array.isArray(schema['enum']))
      return writeAlternatives(schema['enum'].map((one) => toLiteral(JSON.stringify(one))));
    const alternatives = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(alternatives))
      return writeAlternatives(alternatives.map((one) => this.writeValue(one)));
    const { type } = schema;
    if (Array.isArray(type)) return writeAlternatives(type.map((one) => this.#ofType(String(one), schema)));
    return this.#ofType(typeof type === 'string' ? type : inferType(schema), schema);
  }

  #ofType(type: string, schema: JsonSchema): string {
    switch (type) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return this.#array(schema);
      case 'string':
        return this.#string(schema);
      case 'integer':
        return writeInteger(schema);
      case 'number':
        return `${writeOptionalSign(schema)} ("0" | [1-9] [0-9]{0,8}) ("." [0-9]{1,6})?`;
      case 'boolean':
        return '("true" | "false")';
      case 'null':
        return '"null"';
      default:
        return this.#scalar();
    }
  }

  #object(schema: JsonSchema): string {
    const fields = Object.entries(fieldsOf(schema));
    const { required, additionalProperties } = schema;
    if (fields.length === 0) return additionalProperties === false ? '"{}"' : this.#anyObject(schema);
    const pairs = fields.map(([key, field]) => {
      this.#field = key;
      const rule = this.#rule(`${toLiteral(`${JSON.stringify(key)}:`)} ${this.writeValue(field)}`);
      return { rule, isRequired: Array.isArray(required) && required.includes(key) };
    });

    // Go from the last field to the first. Both rules match the remaining fields. `afterOne` follows a field, so it starts with a comma.
    let afterOne = '';
    let afterNone = '';
    for (const { rule, isRequired } of pairs.toReversed()) {
      const first = `${rule} ${afterOne}`;
      const next = `"," ${rule} ${afterOne}`;
      const write = (pair: string, without: string) =>
        this.#rule(isRequired ? pair : writeAlternatives([pair, without]));
      [afterOne, afterNone] = [write(next, afterOne), write(first, afterNone)];
    }
    return `"{" ${afterNone} "}"`;
  }

  #anyObject(schema: JsonSchema): string {
    const values = this.writeValue(schema['additionalProperties']);
    const pair = this.#rule(`"\\"" [a-z_]{1,20} "\\":" ${values}`);
    return `"{" (${pair} ("," ${pair}){0,${defaultMaxItems - 1}})? "}"`;
  }

  #array(schema: JsonSchema): string {
    const { minItems, maxItems } = schema;
    const least = typeof minItems === 'number' ? minItems : 0;
    const asked = typeof maxItems === 'number' ? Math.min(maxItems, 4 * defaultMaxItems) : defaultMaxItems;
    const most = Math.max(least, asked);
    if (most === 0) return '"[]"';
    const item = this.#rule(this.writeValue(schema['items']));
    const items = `${item} ("," ${item})${this.#times(Math.max(0, least - 1), most - 1)}`;
    return least > 0 ? `"[" ${items} "]"` : `"[" (${items})? "]"`;
  }

  #string({ minLength, maxLength }: JsonSchema): string {
    const given = this.#texts.textOf?.(this.#field);
    if (given !== undefined) return given;
    const { maxCharacters } = this.#texts;
    const least = typeof minLength === 'number' ? minLength : 0;
    const most = typeof maxLength === 'number' ? Math.min(maxLength, maxCharacters) : maxCharacters;
    this.rules.set('character', String.raw`[^"\\\x00-\x1F\x7F] | "\\" ["\\n]`);
    return `"\\"" character${this.#times(least, Math.max(least, most))} "\\""`;
  }

  #times(least: number, most: number): string {
    const { maxBound = Infinity } = this.#texts;
    if (most <= maxBound) return `{${least},${most}}`;
    return least === 0 ? '*' : `{${Math.min(least, maxBound)},}`;
  }

  #scalar(): string {
    return writeAlternatives([this.#string({}), this.#ofType('number', {}), '"true"', '"false"', '"null"']);
  }

  #reference(path: string): string {
    const known = this.#references.get(path);
    if (known !== undefined) return known;
    const name = `${this.#prefix}-ref${this.#references.size}`;
    this.#references.set(path, name);
    this.rules.set(name, this.writeValue(resolvePointer(this.#root, path)));
    return name;
  }

  #rule(expression: string): string {
    const name = `${this.#prefix}-${this.rules.size}`;
    this.rules.set(name, expression.trim() === '' ? '""' : expression);
    return name;
  }
}

function inferType(schema: JsonSchema): string {
  if ('properties' in schema) return 'object';
  return 'items' in schema ? 'array' : 'any';
}

function writeInteger(schema: JsonSchema): string {
  const { minimum, maximum } = schema;
  if (typeof minimum === 'number' && typeof maximum === 'number' && maximum - minimum <= maxIntegerRange) {
    const first = Math.ceil(minimum);
    const count = Math.floor(maximum) - first + 1;
    return writeAlternatives(
      Array.from({ length: Math.max(1, count) }, (_, index) => toLiteral(String(first + index))),
    );
  }
  const isPositive = typeof minimum === 'number' && minimum > 0;
  return `${writeOptionalSign(schema)} ${isPositive ? '[1-9] [0-9]{0,8}' : '("0" | [1-9] [0-9]{0,8})'}`;
}

function writeOptionalSign({ minimum, exclusiveMinimum }: JsonSchema): string {
  const least = minimum ?? exclusiveMinimum;
  return typeof least === 'number' && least >= 0 ? '' : '"-"?';
}

function writeAlternatives(alternatives: readonly string[]): string {
  return `(${alternatives.map((one) => (one.trim() === '' ? '""' : one)).join(' | ')})`;
}

export function toLiteral(text: string): string {
  return JSON.stringify(text);
}

function resolvePointer(root: JsonSchema, path: string): unknown {
  const parts = path.replace(/^#\/?/, '').split('/').filter(Boolean);
  return parts.reduce<unknown>(
    (at, part) => (isRecord(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  );
}
