import { expect, test } from 'vitest';
import type { CustomToolContent } from '../../../../src/contracts/custom-tool';
import { checkDefinition } from '../../../../src/tools/custom/check-definition';
import { slugify } from './definition';

const { signal } = new AbortController();
const sandbox = { check: () => Promise.resolve(undefined) };
const check = (changed: Partial<CustomToolContent>) =>
  checkDefinition({ ...slugify, ...changed }, { takenNames: ['taken'], sandbox }, signal);
const field = (schema: unknown) => ({
  inputSchema: { type: 'object', properties: { x: schema } },
  examples: [],
});
const secret = { name: 'KEY', host: 'api.example.org', header: 'Authorization' };
const reading = { class: 'net-read' as const, hosts: ['api.example.org'] };

test('a tool that is right has no problems', async () => {
  expect(await check({})).toEqual([]);
  expect(await check({ ...reading, secrets: [secret] })).toEqual([]);
  expect(await check({ outputSchema: { type: 'array', items: { type: 'number' } } })).toEqual([]);
});

test.for<{ changed: Partial<CustomToolContent>; problem: object }>([
  { changed: { name: 'My tool' }, problem: { field: 'name', code: 'name-form' } },
  { changed: { name: '' }, problem: { field: 'name', code: 'name-form' } },
  { changed: { name: 'taken' }, problem: { field: 'name', code: 'name-taken' } },
  { changed: { name: 'constructor' }, problem: { field: 'name', code: 'name-reserved' } },
  { changed: { title: ' ' }, problem: { field: 'title', code: 'title-missing' } },
  { changed: { description: 'short' }, problem: { field: 'description', code: 'description-short' } },
  { changed: { code: ' ' }, problem: { field: 'code', code: 'syntax', line: 1 } },
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
    changed: field({ type: 'string', pattern: '(?=a)' }),
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
  { changed: { ...reading, secrets: [{ ...secret, header: 'a b' }] }, problem: { code: 'secret-form' } },
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
])('$changed: $problem', async ({ changed, problem }) => {
  expect(await check(changed)).toContainEqual(expect.objectContaining(problem));
});

test('code that cannot be read is said with its line', async () => {
  const refusal = { ok: false, failure: 'SCRIPT', message: 'SyntaxError: x', line: 3 } as const;
  const problems = await checkDefinition(
    slugify,
    { takenNames: [], sandbox: { check: () => Promise.resolve(refusal) } },
    signal,
  );
  expect(problems).toEqual([{ field: 'code', code: 'syntax', line: 3, detail: 'SyntaxError: x' }]);
});
