import { describe, expect, test } from 'vitest';
import { CustomToolContent, type CustomToolForm } from '../../../src/contracts/custom-tool';
import { readInput, toTypedInput } from '../../../src/state/tool-editor.svelte';
import {
  contentOf,
  emptyToolForm,
  formOf,
  keywordText,
  findFreeParameterName,
  parametersOf,
  withKeyword,
  withParameters,
  withType,
} from '../../../src/state/tool-form';
import { slugify } from '../tools/custom/definition';

const form = (changed: Partial<CustomToolForm>): CustomToolForm => ({ ...formOf(slugify), ...changed });

describe('the form of a tool', () => {
  test('can be converted to a tool and back', () => {
    expect(contentOf(formOf(slugify))).toEqual({ ok: true, content: slugify });
  });

  test('keeps the key order of a stored tool, so saving without changes adds no version', () => {
    const tool = { ...slugify, keywords: { en: ['permalink'] }, outputSchema: { type: 'string' } };
    const read = contentOf(formOf(tool));
    const stored = CustomToolContent.parse(tool);
    expect(read.ok && JSON.stringify(read.content)).toBe(JSON.stringify(stored));
  });

  test.for([
    { name: 'parameters that are not JSON', form: form({ inputSchema: '{' }), field: 'inputSchema' },
    { name: 'parameters that are a list', form: form({ inputSchema: '[]' }), field: 'inputSchema' },
    {
      name: 'parameters nested too deeply',
      form: form({ inputSchema: '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000) }),
      field: 'inputSchema',
    },
    { name: 'a result schema that is not JSON', form: form({ outputSchema: 'x' }), field: 'outputSchema' },
    {
      name: 'an example that is not an object',
      form: form({ examples: [{ request: '', arguments: '3', result: '' }] }),
      field: 'examples',
    },
  ])('reports which field contains $name', ({ form: wrong, field }) => {
    expect(contentOf(wrong)).toMatchObject({ ok: false, problems: [{ field }] });
  });

  test('reads hosts separated by commas or line breaks, without duplicates', () => {
    const read = contentOf(form({ hosts: ' API.example.org, b.example.org\n\napi.example.org ' }));
    expect(read).toMatchObject({ content: { hosts: ['api.example.org', 'b.example.org'] } });
  });

  test('sorts keywords by language and removes duplicates', () => {
    const read = contentOf(form({ keywords: 'permalink, web address，网址\n\npermalink、短链' }));
    const keywords = { en: ['permalink', 'web address'], zh: ['网址', '短链'] };
    expect(read).toMatchObject({ content: { keywords } });
    expect(formOf({ ...slugify, keywords }).keywords).toBe('permalink, web address\n网址, 短链');
    expect(contentOf(form({ keywords: ' ,' }))).toEqual({ ok: true, content: slugify });
  });

  test('reads an empty limit field as an invalid number, so that validation rejects it', () => {
    const read = contentOf({ ...emptyToolForm, limits: { ...emptyToolForm.limits, timeMs: ' ' } });
    expect(read).toMatchObject({ content: { limits: { timeMs: -1 } } });
  });
});

describe('the parameters of a tool', () => {
  const schema = {
    type: 'object',
    title: 'Kept',
    properties: { a: { type: 'string', 'x-own': 1 }, b: { type: 'integer' } },
    required: ['b'],
  };

  test('keep keywords of the schema that the form does not know', () => {
    expect(withParameters(schema, parametersOf(schema))).toEqual(schema);
  });

  test('keep their order and their `required` flag when renamed', () => {
    const [a, b] = parametersOf(schema);
    expect(withParameters(schema, [a!, { ...b!, name: 'c' }])).toMatchObject({
      properties: { a: {}, c: { type: 'integer' } },
      required: ['c'],
    });
  });

  test('a new parameter gets a name that is not taken', () => {
    const named = (name: string) => ({ name, schema: {}, isRequired: true });
    expect(findFreeParameterName([named('parameter_2')])).toBe('parameter_3');
  });

  test.for([
    { keyword: 'enum', type: 'string', text: 'a, b,', value: ['a', 'b'], shown: 'a, b' },
    { keyword: 'enum', type: 'integer', text: '1, 2', value: [1, 2], shown: '1, 2' },
    { keyword: 'default', type: 'integer', text: '3', value: 3, shown: '3' },
    { keyword: 'default', type: 'string', text: '3', value: '3', shown: '3' },
    { keyword: 'default', type: 'boolean', text: 'true', value: true, shown: 'true' },
    { keyword: 'minimum', type: 'number', text: '0.5', value: 0.5, shown: '0.5' },
    { keyword: 'minimum', type: 'number', text: 'low', value: 'low', shown: 'low' },
    { keyword: 'pattern', type: 'string', text: '^a$', value: '^a$', shown: '^a$' },
  ])(
    'store the value that the user types for a schema keyword: $keyword of type $type, typed as "$text"',
    ({ keyword, type, text, value, shown }) => {
      const changed = withKeyword({ type }, keyword, text);
      expect(changed[keyword]).toEqual(value);
      expect(keywordText(changed, keyword)).toBe(shown);
      expect(withKeyword(changed, keyword, '')).toEqual({ type });
    },
  );

  test('lose the keywords of the old type when the type changes', () => {
    const text = { type: 'string', description: 'Kept', pattern: '^a$' };
    expect(withType(text, 'array')).toEqual({
      type: 'array',
      description: 'Kept',
      items: { type: 'string' },
    });
  });
});

describe('the fields of a test run', () => {
  const schema = {
    type: 'object',
    properties: {
      text: { type: 'string' },
      maybe: { type: 'string' },
      filled: { type: 'string', default: 'x' },
      count: { type: 'integer' },
      isOn: { type: 'boolean' },
      list: { type: 'array', items: { type: 'string' } },
      numbers: { type: 'array', items: { type: 'number' } },
      inner: { type: 'object', properties: {} },
    },
    required: ['text', 'filled', 'isOn'],
  };

  test.for([
    { name: 'an empty text', typed: {}, input: { text: '', isOn: false } },
    { name: 'a number', typed: { text: 'a', count: '7' }, input: { text: 'a', count: 7, isOn: false } },
    { name: 'an invalid number', typed: { count: 'many' }, input: { text: '', count: 'many', isOn: false } },
    { name: 'a switch that is on', typed: { isOn: true }, input: { text: '', isOn: true } },
    {
      name: 'a list with one item per line',
      typed: { list: 'a\n\nb' },
      input: { text: '', isOn: false, list: ['a', 'b'] },
    },
    { name: 'a list as JSON', typed: { list: '["a"]' }, input: { text: '', isOn: false, list: ['a'] } },
    {
      name: 'a list of numbers',
      typed: { numbers: '1\n2' },
      input: { text: '', isOn: false, numbers: [1, 2] },
    },
    { name: 'an object', typed: { inner: '{"a":1}' }, input: { text: '', isOn: false, inner: { a: 1 } } },
    { name: 'an invalid object', typed: { inner: '{' }, input: { text: '', isOn: false, inner: '{' } },
  ])('are converted to the right arguments: $name', ({ typed, input }) => {
    expect(readInput(schema, typed)).toEqual(input);
  });

  test('give the same arguments as the example that filled them', () => {
    const input = { text: 'a', count: 3, isOn: true, list: ['x', 'y'], inner: { a: [1] } };
    expect(readInput(schema, toTypedInput(schema, input))).toEqual(input);
  });
});
