import { expect, test } from 'vitest';
import type { CustomToolContent } from '../../../../src/contracts/custom-tool';
import { checkDefinition } from '../../../../src/tools/custom/check-definition';
import { slugify } from './definition';

const check = (changed: Partial<CustomToolContent>) => checkDefinition({ ...slugify, ...changed }, ['taken']);
const field = (schema: unknown) => ({
  inputSchema: { type: 'object', properties: { x: schema } },
  examples: [],
});
const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 0]));
const secret = { name: 'KEY', host: 'api.example.org', header: 'Authorization' };
const reading = { class: 'net-read' as const, hosts: ['api.example.org'] };

test('a valid custom tool has no problems', () => {
  expect(check({})).toEqual([]);
  expect(check({ keywords: { en: ['permalink'], zh: ['网址'] } })).toEqual([]);
  expect(check({ ...reading, secrets: [secret] })).toEqual([]);
  expect(check({ outputSchema: { type: 'array', items: { type: 'number' } } })).toEqual([]);
});

test.for<{ changed: Partial<CustomToolContent>; problem: object }>([
  { changed: { name: 'My tool' }, problem: { field: 'name', code: 'name-form' } },
  { changed: { name: '' }, problem: { field: 'name', code: 'name-form' } },
  { changed: { name: 'taken' }, problem: { field: 'name', code: 'name-taken' } },
  { changed: { name: 'constructor' }, problem: { field: 'name', code: 'name-reserved' } },
  { changed: { title: ' ' }, problem: { field: 'title', code: 'title-missing' } },
  { changed: { description: 'short' }, problem: { field: 'description', code: 'description-short' } },
  {
    changed: { keywords: { en: Array.from({ length: 61 }, (_, n) => `word ${n}`) } },
    problem: { field: 'keywords', code: 'too-long' },
  },
  { changed: { keywords: { zh: ['长'.repeat(41)] } }, problem: { field: 'keywords', code: 'too-long' } },
  { changed: { code: ' ' }, problem: { field: 'code', code: 'code-missing' } },
  { changed: { code: 'x'.repeat(100_001) }, problem: { field: 'code', code: 'too-long' } },
  { changed: { inputSchema: { type: 'string' } }, problem: { code: 'schema', place: 'type' } },
  { changed: field({}), problem: { code: 'schema', place: 'properties.x.type' } },
  { changed: field({ type: 'null' }), problem: { place: 'properties.x.type' } },
  { changed: field({ type: 'constructor' }), problem: { place: 'properties.x.type' } },
  { changed: field({ type: 'string', format: 'email' }), problem: { place: 'properties.x.format' } },
  { changed: field({ $ref: '#' }), problem: { place: 'properties.x.type' } },
  { changed: field({ type: 'string', toString: 1 }), problem: { place: 'properties.x.toString' } },
  { changed: field({ type: 'string', minLength: -1 }), problem: { place: 'properties.x.minLength' } },
  { changed: field({ type: 'string', enum: [1] }), problem: { place: 'properties.x.enum' } },
  { changed: field({ type: 'string', enum: [] }), problem: { place: 'properties.x.enum' } },
  { changed: field({ type: 'integer', minimum: 5, maximum: 1 }), problem: { place: 'properties.x.minimum' } },
  {
    changed: field({ type: 'string', pattern: '(a' }),
    problem: { code: 'pattern', place: 'properties.x.pattern' },
  },
  { changed: field({ type: 'array' }), problem: { place: 'properties.x.items' } },
  {
    changed: field({ type: 'array', items: { type: 'object', properties: {} } }),
    problem: { place: 'properties.x.items' },
  },
  {
    changed: field({ type: 'object', properties: { y: { type: 'object', properties: {} } } }),
    problem: { place: 'properties.x.properties.y' },
  },
  {
    changed: {
      inputSchema: { type: 'object', properties: { ['__proto__']: { type: 'string' } } },
      examples: [],
    },
    problem: { place: 'properties.__proto__' },
  },
  {
    changed: { inputSchema: { type: 'object', properties: {}, required: ['x'] }, examples: [] },
    problem: { place: 'required' },
  },
  { changed: { outputSchema: { type: 'any' } }, problem: { field: 'outputSchema', place: 'type' } },
  { changed: { hosts: ['a.org'] }, problem: { field: 'hosts', code: 'hosts-pure' } },
  { changed: { class: 'net-read' }, problem: { field: 'hosts', code: 'hosts-missing' } },
  { changed: { ...reading, hosts: ['https://a.org'] }, problem: { code: 'host-form', place: '0' } },
  { changed: { ...reading, hosts: ['a.org/path'] }, problem: { code: 'host-form' } },
  { changed: { ...reading, hosts: ['*.a.org'] }, problem: { code: 'host-form' } },
  { changed: { ...reading, hosts: ['A.org'] }, problem: { code: 'host-form' } },
  { changed: { ...reading, hosts: ['me@a.org'] }, problem: { code: 'host-form' } },
  { changed: { ...reading, secrets: [{ ...secret, host: 'b.org' }] }, problem: { code: 'secret-host' } },
  { changed: { ...reading, secrets: [{ ...secret, header: 'a b' }] }, problem: { code: 'secret-header' } },
  ...[
    'Accept',
    'accept-language',
    'Content-Type',
    'Cookie',
    'Host',
    'Referer',
    'Proxy-Authorization',
    'Sec-Key',
  ].map((header) => ({
    changed: { ...reading, secrets: [{ ...secret, header }] },
    problem: { code: 'secret-header', place: '0.header' },
  })),
  { changed: { ...reading, secrets: [secret, secret] }, problem: { code: 'secret-form', place: '1.name' } },
  { changed: { limits: { ...slugify.limits, timeMs: 30_001 } }, problem: { code: 'limit', place: 'timeMs' } },
  { changed: { limits: { ...slugify.limits, timeMs: NaN } }, problem: { code: 'limit', place: 'timeMs' } },
  {
    changed: { examples: [{ request: 'x', arguments: { title: 3 } }] },
    problem: { field: 'examples', code: 'example', place: '0.arguments' },
  },
  {
    changed: { examples: [{ request: 'x', arguments: { title: 'a' }, result: '{' }] },
    problem: { code: 'example', place: '0.result' },
  },
])(
  'an invalid field of a custom tool is reported: $changed gives the problem $problem',
  ({ changed, problem }) => {
    expect(check(changed)).toContainEqual(expect.objectContaining(problem));
  },
);

test.for<{ what: string; changed: Partial<CustomToolContent> }>([
  { what: 'hosts', changed: { ...reading, hosts: new Array<string>(90_000).fill('') } },
  { what: 'keys', changed: { ...reading, secrets: new Array<typeof secret>(1_500).fill(secret) } },
  { what: 'fields', changed: field({ type: 'string', ...numbered(5_000) }) },
  { what: 'parameters', changed: { inputSchema: { type: 'object', properties: numbered(5_000) } } },
  {
    what: 'long names',
    changed: field({ type: 'object', properties: { ['x'.repeat(50_000)]: numbered(2_000) } }),
  },
])('the number of reported problems is limited, even with many invalid $what', ({ changed }) => {
  const problems = check({ examples: [], ...changed });
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.length).toBeLessThanOrEqual(20);
  expect(JSON.stringify(problems).length).toBeLessThan(20_000);
});

test('a custom tool that is too large is refused without further checks', () => {
  const list = new Array<number>(60_000).fill(0);
  expect(check({ examples: [{ request: '', arguments: { list } }] })).toEqual([
    { field: 'examples', code: 'too-long', detail: 'more than 100000' },
  ]);
});
