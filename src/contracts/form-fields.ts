/** Forms that an MCP server asks the user to fill in: flat objects of texts, numbers and choices (MCP 2025-11-25, 2026-07-28). */
import type { JsonSchema } from './schema';

interface ChoiceOption {
  value: string;
  title: string;
}

type TextFormat = keyof typeof formatValidators;

export type FormField = { name: string; title: string; description: string; isRequired: boolean } & (
  | { type: 'text'; value: string; format?: TextFormat; minLength?: number; maxLength?: number }
  | { type: 'number'; value: string; isWhole: boolean; minimum?: number; maximum?: number }
  | { type: 'boolean'; value: boolean }
  | { type: 'one-of'; value: string; options: readonly ChoiceOption[] }
  | {
      type: 'some-of';
      value: readonly string[];
      options: readonly ChoiceOption[];
      least?: number;
      most?: number;
    }
);

const maxFields = 30;
const maxOptions = 200;
const maxTitleLength = 200;
const maxTextLength = 2_000;

type FieldBasics = Pick<FormField, 'name' | 'title' | 'description' | 'isRequired'>;

class FormError extends Error {}

/** `reason` is an error message for the MCP server. */
export function fieldsOf(
  schema: JsonSchema,
): { ok: true; fields: FormField[] } | { ok: false; reason: string } {
  try {
    return { ok: true, fields: readFields(schema) };
  } catch (error) {
    if (error instanceof FormError) return { ok: false, reason: error.message };
    throw error;
  }
}

function readFields(schema: unknown): FormField[] {
  if (!isRecord(schema) || getOwnValue(schema, 'type') !== 'object')
    throw new FormError('The schema is not an object.');
  const properties = getOwnValue(schema, 'properties') ?? {};
  if (!isRecord(properties)) throw new FormError('Its properties are not an object.');
  const entries = Object.entries(properties);
  if (entries.length > maxFields) throw new FormError(`It has more than ${maxFields} fields.`);
  const required = getOwnValue(schema, 'required') ?? [];
  if (!isTextList(required)) throw new FormError('`required` is not a list of names.');
  const isMissing = (name: string) => !Object.hasOwn(properties, name);
  if (required.some(isMissing)) throw new FormError('It requires a field that it does not have.');
  return entries.map(([name, property]) => readField(name, property, required.includes(name)));
}

function readField(name: string, property: unknown, isRequired: boolean): FormField {
  const quotedName = JSON.stringify(name.slice(0, 60));
  if (name.length > maxTitleLength) throw new FormError(`The name of the field ${quotedName} is too long.`);
  if (!isRecord(property)) throw new FormError(`The field ${quotedName} is not an object.`);
  const about: FieldBasics = {
    name,
    title: getOwnText(property, 'title', maxTitleLength) || name,
    description: getOwnText(property, 'description', maxTextLength),
    isRequired,
  };
  const type = getOwnValue(property, 'type');
  switch (type) {
    case 'string': {
      const options = readOptions(property, 'oneOf', quotedName);
      return options ? readChoiceField(about, property, options) : readTextField(about, property, quotedName);
    }
    case 'number':
    case 'integer':
      return readNumberField(about, property, quotedName);
    case 'boolean':
      return { ...about, type, value: getOwnValue(property, 'default') === true };
    case 'array':
      return readMultipleChoiceField(about, property, quotedName);
    default:
      throw new FormError(`The field ${quotedName} is neither text, number, yes or no, nor a choice.`);
  }
}

function readTextField(about: FieldBasics, property: object, quotedName: string): FormField {
  const requested = getOwnValue(property, 'format');
  const format = (['email', 'uri', 'date', 'date-time'] as const).find((known) => known === requested);
  return {
    ...about,
    type: 'text',
    value: getOwnText(property, 'default', maxTextLength),
    ...(format && { format }),
    ...readBounds(property, { minLength: 'minLength', maxLength: 'maxLength' }, quotedName, isCount),
  };
}

function readNumberField(about: FieldBasics, property: object, quotedName: string): FormField {
  const value = getOwnValue(property, 'default');
  return {
    ...about,
    type: 'number',
    value: typeof value === 'number' && Number.isFinite(value) ? String(value) : '',
    isWhole: getOwnValue(property, 'type') === 'integer',
    ...readBounds(property, { minimum: 'minimum', maximum: 'maximum' }, quotedName, Number.isFinite),
  };
}

function readChoiceField(about: FieldBasics, property: object, options: readonly ChoiceOption[]): FormField {
  const value = getOwnText(property, 'default', maxTextLength);
  return { ...about, type: 'one-of', options, value: hasOption(options, value) ? value : '' };
}

function readMultipleChoiceField(about: FieldBasics, property: object, quotedName: string): FormField {
  const items = getOwnValue(property, 'items');
  const options = isRecord(items) ? readOptions(items, 'anyOf', quotedName) : undefined;
  if (!options) throw new FormError(`The list ${quotedName} does not say what can be chosen.`);
  const preset = getOwnValue(property, 'default') ?? [];
  const value = isTextList(preset) ? [...new Set(preset)].filter((text) => hasOption(options, text)) : [];
  const bounds = readBounds(property, { minItems: 'least', maxItems: 'most' }, quotedName, isCount);
  const { least = 0, most = options.length } = bounds;
  if (least > options.length || least > most)
    throw new FormError(`Nobody can choose enough of ${quotedName}.`);
  return { ...about, type: 'some-of', options, value, least, most };
}

/** Reads the options of a choice from `enum` or, with titles, from the keyword `titledKeyword`. Undefined if the property is not a choice. */
function readOptions(
  property: object,
  titledKeyword: 'oneOf' | 'anyOf',
  quotedName: string,
): ChoiceOption[] | undefined {
  const values = getOwnValue(property, 'enum');
  const choices = getOwnValue(property, titledKeyword);
  if (values === undefined && choices === undefined) return undefined;
  const listed = values ?? choices;
  if (!Array.isArray(listed) || listed.length === 0)
    throw new FormError(`The choice ${quotedName} offers nothing.`);
  if (listed.length > maxOptions)
    throw new FormError(`The choice ${quotedName} has more than ${maxOptions} options.`);
  const names = getOwnValue(property, 'enumNames');
  const options = listed.map((option: unknown, at): ChoiceOption => {
    const name: unknown = Array.isArray(names) ? names[at] : undefined;
    const value = values === undefined && isRecord(option) ? getOwnValue(option, 'const') : option;
    const title = values === undefined && isRecord(option) ? getOwnValue(option, 'title') : name;
    if (typeof value !== 'string' || value.length > maxTextLength)
      throw new FormError(`An option of ${quotedName} is not a text that can be shown.`);
    const isTitled = typeof title === 'string' && title !== '';
    return { value, title: isTitled ? title.slice(0, maxTitleLength) : value };
  });
  if (new Set(options.map(({ value }) => value)).size < options.length)
    throw new FormError(`The choice ${quotedName} offers the same twice.`);
  return options;
}

function readBounds<Name extends string>(
  property: object,
  names: Readonly<Record<string, Name>>,
  quotedName: string,
  isLimit: (value: number) => boolean,
): Partial<Record<Name, number>> {
  const found: Partial<Record<Name, number>> = {};
  for (const [keyword, name] of Object.entries(names)) {
    const value = getOwnValue(property, keyword);
    if (value === undefined) continue;
    if (typeof value !== 'number' || !isLimit(value))
      throw new FormError(`\`${keyword}\` of the field ${quotedName} is no limit.`);
    found[name] = value;
  }
  return found;
}

export type FieldProblem =
  | 'missing'
  | 'too-short'
  | 'too-long'
  | 'email'
  | 'uri'
  | 'date'
  | 'date-time'
  | 'number'
  | 'whole'
  | 'least'
  | 'most'
  | 'few'
  | 'many';

export function problemOf(field: FormField): FieldProblem | undefined {
  switch (field.type) {
    case 'boolean':
      return undefined;
    case 'one-of':
      return field.isRequired && field.value === '' ? 'missing' : undefined;
    case 'some-of': {
      const { length } = field.value;
      if (length === 0 && !field.isRequired) return undefined;
      if (length < (field.least ?? 0)) return length === 0 ? 'missing' : 'few';
      return length > (field.most ?? Infinity) ? 'many' : undefined;
    }
    case 'number':
      return problemOfNumber(field);
    case 'text':
      return problemOfText(field);
  }
}

function problemOfNumber(field: Extract<FormField, { type: 'number' }>): FieldProblem | undefined {
  const text = field.value.trim();
  if (text === '') return field.isRequired ? 'missing' : undefined;
  const value = Number(text);
  // `Number` alone would also accept `0x10`.
  if (!/^[+-]?[\d.]+(?:e[+-]?\d+)?$/i.test(text) || !Number.isFinite(value)) return 'number';
  if (field.isWhole && !Number.isSafeInteger(value)) return 'whole';
  if (value < (field.minimum ?? -Infinity)) return 'least';
  return value > (field.maximum ?? Infinity) ? 'most' : undefined;
}

function problemOfText(field: Extract<FormField, { type: 'text' }>): FieldProblem | undefined {
  const { value, format, minLength = 0, maxLength = Infinity } = field;
  if (value === '') return field.isRequired ? 'missing' : undefined;
  // JSON Schema counts code points, not UTF-16 units.
  const { length } = Array.from(value);
  if (length < minLength) return 'too-short';
  if (length > maxLength) return 'too-long';
  return format === undefined || formatValidators[format](value) ? undefined : format;
}

const formatValidators = {
  email: (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
  uri: (text: string) => URL.canParse(text),
  date: isCalendarDay,
  'date-time': (text: string) =>
    isCalendarDay(text.slice(0, 10)) &&
    /^T(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i.test(text.slice(10)),
};

/** Whether the text is a real calendar day; `2026-02-30` is not. */
function isCalendarDay(text: string): boolean {
  const read = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!read) return false;
  const [year = 0, month = 0, day = 0] = read.slice(1).map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

export type FormContent = Record<string, string | number | boolean | string[]>;

/** Builds the answer to the server. Leaves out empty optional fields. All fields must be valid. */
export function contentOf(fields: readonly FormField[]): FormContent {
  // `Object.fromEntries` also works for a field named `__proto__`.
  return Object.fromEntries(
    fields.flatMap((field): [string, FormContent[string]][] => {
      switch (field.type) {
        case 'boolean':
          return [[field.name, field.value]];
        case 'number':
          return field.value.trim() === '' ? [] : [[field.name, Number(field.value)]];
        case 'some-of':
          return field.value.length === 0 && !field.isRequired ? [] : [[field.name, [...field.value]]];
        case 'text':
        case 'one-of':
          return field.value === '' ? [] : [[field.name, field.value]];
      }
    }),
  );
}

/** Ignores inherited properties, because the server did not send them. */
function getOwnValue(record: object, key: string): unknown {
  return Object.hasOwn(record, key) ? (record as Record<string, unknown>)[key] : undefined;
}

function getOwnText(record: object, key: string, maxLength: number): string {
  const value = getOwnValue(record, key);
  return typeof value === 'string' ? value.slice(0, maxLength) : '';
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');
const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;
const hasOption = (all: readonly ChoiceOption[], text: string) => all.some(({ value }) => value === text);
