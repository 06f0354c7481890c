/** Converts a custom tool between the editor's form and its stored content, and edits its parameters. */
import type { CustomToolContent, CustomToolForm, DefinitionProblem } from '../contracts/custom-tool';
import { isDeeperThan, type JsonSchema, parseJson } from '../contracts/schema';
import type { ToolKeywords } from '../contracts/tool';

const maxDepth = 64;

export const emptyToolForm: CustomToolForm = {
  name: '',
  title: '',
  description: '',
  keywords: '',
  inputSchema: formatJson({ type: 'object', properties: {}, required: [] }),
  outputSchema: '',
  code: '',
  class: 'pure',
  hosts: '',
  secrets: [],
  limits: { timeMs: '5000', outputCharacters: '65536', hostCalls: '20' },
  examples: [],
};

export type StartingTool = Pick<CustomToolForm, 'name' | 'title' | 'description' | 'code'> & {
  inputSchema: object;
  example: { request: string; arguments: object };
};

export function createStartingForm({ inputSchema, example, ...texts }: StartingTool): CustomToolForm {
  const { request, arguments: input } = example;
  return {
    ...emptyToolForm,
    ...texts,
    inputSchema: formatJson(inputSchema),
    examples: [{ request, arguments: JSON.stringify(input), result: '' }],
  };
}

export function formOf(content: CustomToolContent): CustomToolForm {
  const { inputSchema, outputSchema, hosts, limits, examples, keywords = {}, ...same } = content;
  return {
    ...same,
    keywords: Object.values(keywords)
      .map((words) => words.join(', '))
      .join('\n'),
    inputSchema: formatJson(inputSchema),
    outputSchema: outputSchema ? formatJson(outputSchema) : '',
    hosts: hosts.join('\n'),
    limits: {
      timeMs: String(limits.timeMs),
      outputCharacters: String(limits.outputCharacters),
      hostCalls: String(limits.hostCalls),
    },
    examples: examples.map(({ request, arguments: input, result = '' }) => ({
      request,
      arguments: JSON.stringify(input),
      result,
    })),
  };
}

type ToolFormResult = { ok: true; content: CustomToolContent } | { ok: false; problems: DefinitionProblem[] };

/** Converts the form to content. Reports invalid JSON, but does not check the tool itself. */
export function contentOf(form: CustomToolForm): ToolFormResult {
  const problems: DefinitionProblem[] = [];
  const readObject = (field: DefinitionProblem['field'], text: string, place?: string) => {
    const value = parse(text);
    if (isObject(value)) return value;
    const detail = value instanceof SyntaxError ? `no JSON: ${value.message}` : 'must be an object: {…}';
    problems.push({ field, code: field === 'examples' ? 'example' : 'schema', place, detail });
    return {};
  };

  const inputSchema = readObject('inputSchema', form.inputSchema);
  const outputSchema =
    form.outputSchema.trim() === '' ? undefined : readObject('outputSchema', form.outputSchema);
  const examples = form.examples.map(({ request, arguments: input, result }, index) => {
    const value = readObject('examples', input, `${index}.arguments`);
    return { request, arguments: value, ...(result.trim() !== '' && { result: result.trim() }) };
  });
  if (problems.length > 0) return { ok: false, problems };
  const keywords = keywordsOf(form);
  const { name, title, description, code, class: kind, secrets } = form;
  return {
    ok: true,
    // Use the key order of stored tools, so equal tools have equal JSON.
    content: {
      name: name.trim(),
      title: title.trim(),
      description: description.trim(),
      ...(Object.keys(keywords).length > 0 && { keywords }),
      inputSchema,
      ...(outputSchema && { outputSchema }),
      code,
      class: kind,
      hosts: hostsOf(form),
      secrets,
      limits: {
        timeMs: numberOf(form.limits.timeMs),
        outputCharacters: numberOf(form.limits.outputCharacters),
        hostCalls: numberOf(form.limits.hostCalls),
      },
      examples,
    },
  };
}

export function hostsOf({ hosts }: Pick<CustomToolForm, 'hosts'>): string[] {
  return [...new Set(hosts.toLowerCase().split(/[\s,;]+/))].filter((host) => host !== '');
}

function keywordsOf({ keywords }: Pick<CustomToolForm, 'keywords'>): ToolKeywords {
  const words = [...new Set(keywords.split(/[,，、;；\n]+/).flatMap((word) => word.trim() || []))];
  const isChinese = (word: string) => /\p{Script=Han}/u.test(word);
  const [en, zh] = [words.filter((word) => !isChinese(word)), words.filter(isChinese)];
  return { ...(en.length > 0 && { en }), ...(zh.length > 0 && { zh }) };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Error);
}

/** Parses JSON. Returns a `SyntaxError` if the text is invalid or nested too deeply. */
export function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(maxDepth, value) ? new SyntaxError(`nested deeper than ${maxDepth}`) : value;
  } catch (error) {
    return error;
  }
}

export function formatJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

/** Parses a number. Returns -1, which is outside every limit, if the text is not a number. */
function numberOf(text: string): number {
  const number = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(number) ? number : -1;
}

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

export function withParameters(schema: JsonSchema, parameters: readonly Parameter[]): JsonSchema {
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema: field }) => [name, field])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

export function findFreeParameterName(parameters: readonly Parameter[]): string {
  const taken = new Set(parameters.map(({ name }) => name));
  let count = parameters.length + 1;
  while (taken.has(`parameter_${count}`)) count++;
  return `parameter_${count}`;
}

export function typeOf(schema: JsonSchema): ParameterType {
  return parameterTypes.find((type) => type === schema['type']) ?? 'string';
}

export function withType({ title, description }: JsonSchema, type: ParameterType): JsonSchema {
  return {
    type,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(type === 'array' && { items: { type: 'string' } }),
    ...(type === 'object' && { properties: {}, required: [] }),
  };
}

export function withKeyword(schema: JsonSchema, keyword: string, text: string): JsonSchema {
  const { [keyword]: before, ...rest } = schema;
  if (text.trim() === '' || (before === undefined && text === '')) return rest;
  return { ...schema, [keyword]: valueOf(keyword, typeOf(schema), text) };
}

export function keywordText(schema: JsonSchema, keyword: string): string {
  const value = schema[keyword];
  if (value === undefined) return '';
  if (keyword === 'enum' && Array.isArray(value)) return value.map(valueText).join(', ');
  return valueText(value);
}

/** Uses JSON, because `String` fails for an imported value whose `toString` is not a function. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function valueOf(keyword: string, type: ParameterType, text: string): unknown {
  if (keyword === 'enum') {
    const choices = text.split(',').map((choice) => choice.trim());
    const whole = choices.filter((choice) => choice !== '');
    return type === 'string' ? whole : whole.map(toNumber);
  }
  if (keyword === 'description' || keyword === 'pattern') return text;
  if (keyword !== 'default') return toNumber(text);
  return type === 'string' ? text : readJson(text);
}

export function readJson(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

function toNumber(text: string): number | string {
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
