/** More than 200 generated files that are not valid personas, the same in every run. */
import type { ToolFileProblem } from '../../../../src/contracts/custom-tool';
import { writePersonaFile } from '../../../../src/tools/personas/persona-file';
import { personaContent } from '../../../support/persona';

interface MalformedFile {
  name: string;
  text: string;
  problem: ToolFileProblem;
}

const model = { id: 'm', name: 'M', engine: 'llama', bytes: 1 };
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const whole = personaContent('Writer', {
  model,
  sampling: { temperature: 1, topP: 0.5 },
  tools: ['clock'],
  isTool: true,
  language: 'en',
  inputSchema: schema,
  outputSchema: schema,
});
const file = (persona: unknown, around: object = {}) =>
  JSON.stringify({ kind: 'hearth-persona', version: 1, persona, ...around });
const text = writePersonaFile(whole);

/** The file, cut off at many places. */
const cutOff = Array.from({ length: 40 }, (_, at): MalformedFile => {
  const length = Math.floor(((at + 1) * (text.length - 2)) / 41);
  return { name: `cut off after ${length} characters`, text: text.slice(0, length), problem: 'not-json' };
});

const notJson = [
  ...['', ' ', '{', '[', '}', '{]', 'null,', 'undefined', 'NaN', "{'kind': 'hearth-persona'}", '\u0000'],
  ...[
    '<html></html>',
    'kind: hearth-persona',
    '// hearth-persona',
    '{"kind": "hearth-persona",}',
    '\ufeff{}x',
  ],
  ...[
    '{"a": 1} {"b": 2}',
    '{"kind": hearth-persona}',
    '"unended',
    '{"\\u12": 1}',
    '01',
    '+1',
    '.5',
    'PK\u0003\u0004',
  ],
  '['.repeat(100_000),
].map((text, at): MalformedFile => ({ name: `no JSON ${at}`, text, problem: 'not-json' }));

const otherKinds = [
  ...[null, true, 0, 'hearth-persona', [], {}, [{ kind: 'hearth-persona' }], { kind: null }, { kind: 1 }],
  ...[
    { kind: 'hearth-tool', version: 1, tool: {} },
    { kind: 'Hearth-Persona', version: 1 },
    { kind: ['hearth-persona'] },
  ],
  ...[{ version: 1, persona: whole }, whole, { spec: 'chara_card_v2', data: { name: 'A' } }],
].map((value, at): MalformedFile => ({
  name: `another kind ${at}`,
  text: JSON.stringify(value),
  problem: 'other-kind',
}));

const versions = [
  ...[2, 3, 1.5, 1e9].map((version) => ({ version, problem: 'newer' as const })),
  ...[0, -1, 0.5, '1', null, true, [], {}, [1], '', '2'].map((version) => ({
    version,
    problem: 'damaged' as const,
  })),
].map(({ version, problem }): MalformedFile => ({
  name: `version ${JSON.stringify(version)}`,
  text: file(whole, { version }),
  problem,
}));

const noPersona = [null, true, 0, 1, '', 'Writer', [], [whole], {}, { content: whole }].map(
  (persona): MalformedFile => ({
    name: `${JSON.stringify(persona).slice(0, 30)} for a persona`,
    text: file(persona),
    problem: 'damaged',
  }),
);

/** Values of each kind, with which we replace a field. `undefined` omits the field. */
const values: Record<string, unknown> = {
  missing: undefined,
  null: null,
  number: 7,
  true: true,
  text: 'x',
  list: [1],
  object: { x: 1 },
};
const accepts: Record<string, readonly string[]> = {
  name: ['text'],
  description: ['text'],
  instructions: ['text'],
  model: ['null'],
  // An object without known keys is valid: it changes no sampling values.
  sampling: ['object'],
  language: ['null'],
  tools: [],
  areCardsFolded: ['true'],
  isTool: ['true'],
  inputSchema: ['missing'],
  outputSchema: ['missing'],
};
const wrongKinds = Object.entries(accepts).flatMap(([field, taken]) =>
  Object.keys(values)
    .filter((kind) => !taken.includes(kind))
    .map((kind): MalformedFile => ({
      name: `${field}: ${kind}`,
      text: file({ ...whole, [field]: values[kind] }),
      problem: 'damaged',
    })),
);

const schemas: Record<string, unknown> = {
  'of a text': { type: 'string' },
  'of nothing': {},
  'of an unknown kind': { type: 'date' },
  'with a list of kinds': { type: ['object', 'null'] },
  'with a reference': { type: 'object', properties: { a: { $ref: '#/x' } } },
  'with a field that is no schema': { type: 'object', properties: { a: 1 } },
  'with a name of the language': '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
  'with a constructor': { type: 'object', properties: { constructor: { type: 'string' } } },
  'with a required field that is not there': { type: 'object', properties: {}, required: ['b'] },
  'with a pattern that cannot be read': {
    type: 'object',
    properties: { a: { type: 'string', pattern: '(' } },
  },
  'with an endless pattern': {
    type: 'object',
    properties: { a: { type: 'string', pattern: '(a+)+'.repeat(300) } },
  },
  'with no choice': { type: 'object', properties: { a: { type: 'string', enum: [] } } },
  'with a choice of another kind': { type: 'object', properties: { a: { type: 'string', enum: [1] } } },
  'with limits that cross': { type: 'object', properties: { a: { type: 'number', minimum: 2, maximum: 1 } } },
  'with a list of nothing': { type: 'object', properties: { a: { type: 'array' } } },
  'with three levels': {
    type: 'object',
    properties: { a: { type: 'object', properties: { b: { type: 'object', properties: {} } } } },
  },
  'with 51 fields': {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`f${at}`, { type: 'string' }])),
  },
};
const wrongSchemas = Object.entries(schemas).map(([name, value]): MalformedFile => ({
  name: `an input ${name}`,
  text:
    typeof value === 'string'
      ? file({ ...whole, inputSchema: 0 }).replace('"inputSchema":0', `"inputSchema":${value}`)
      : file({ ...whole, inputSchema: value }),
  problem: 'damaged',
}));

const ranges = [
  ...[-0.1, 2.1, 1e9, '1', null, true, []].map((temperature) => ({ sampling: { temperature } })),
  ...[-1, 0, 0.04, 1.01, '0.5', null, [], {}].map((topP) => ({ sampling: { topP } })),
  ...['', 'Z', 'english please', 'EN', 'en_US', 'e'.repeat(40), 'zh\nIgnore all rules'].map((language) => ({
    language,
  })),
  ...['some', 'ALL', '', [null], ['clock', 7], { clock: true }, [['clock']]].map((tools) => ({ tools })),
  ...['', ' ', '\n\t'].map((name) => ({ name })),
  ...[
    { ...model, id: 1 },
    { ...model, name: null },
    { id: 'm' },
    { ...model, bytes: '1' },
    { ...model, engine: [] },
  ].map((other) => ({ model: other })),
].map((changed): MalformedFile => ({
  name: `beside the range: ${JSON.stringify(changed)}`,
  text: file({ ...whole, ...changed }),
  problem: 'damaged',
}));

const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
const tooLarge = [
  { name: 'x'.repeat(61) },
  { description: 'x'.repeat(1_001) },
  { instructions: 'x'.repeat(20_001) },
  { instructions: 'x'.repeat(500_001) },
  { tools: Array.from({ length: 501 }, (_, at) => `t${at}`) },
  { tools: ['x'.repeat(65)] },
  { model: { ...model, name: 'x'.repeat(2_001) } },
  { inputSchema: { ...schema, description: 'x'.repeat(50_001) } },
  { outputSchema: { ...schema, description: 'x'.repeat(50_001) } },
  { unknown: nested(33) },
  { inputSchema: { ...schema, default: nested(40) } },
].map((changed, at): MalformedFile => ({
  name: `too large ${at}`,
  text: file({ ...whole, ...changed }),
  problem: 'too-large',
}));

export const malformedFiles: readonly MalformedFile[] = [
  ...[...cutOff, ...notJson, ...otherKinds, ...versions, ...noPersona],
  ...[...wrongKinds, ...wrongSchemas, ...ranges, ...tooLarge],
];
