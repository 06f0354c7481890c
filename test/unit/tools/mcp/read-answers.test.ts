import { describe, expect, test } from 'vitest';
import type { CallToolResult, ContentBlock, Tool } from '@modelcontextprotocol/client';
import {
  hasPictureBytes,
  toResultParts,
  readCallResult,
  readResourceResult,
  readTools,
} from '../../../../src/tools/mcp/read-answers';
import { maxDescriptionLength } from '../../../../src/contracts/mcp-server';

const base64 = (bytes: string) => btoa(bytes);
const png = base64('\x89PNG\r\n\x1a\n and so on');
const pictures: Record<string, string> = {
  'image/png': png,
  'image/jpeg': base64('\xff\xd8\xff\xe0 and so on'),
  'image/gif': base64('GIF89a and so on'),
  'image/webp': base64('RIFF\x10\0\0\0WEBPVP8 '),
};
const text = (text: string) => ({ type: 'text' as const, text });
const image = (data: string, mimeType: string): ContentBlock => ({ type: 'image', data, mimeType });
const blob = (blob: string, mimeType?: string): ContentBlock => ({
  type: 'resource',
  resource: { uri: 'file:///a', blob, ...(mimeType !== undefined && { mimeType }) },
});
const result = (content: ContentBlock[], more: Partial<CallToolResult> = {}): CallToolResult => ({
  content,
  ...more,
});
const notShown = (part: unknown) =>
  expect(part).toMatchObject({ type: 'text', text: expect.stringMatching(/: not shown\.\]$/) });

describe("a content part in a server's result", () => {
  test.for<[string, ContentBlock, object]>([
    ['a text', text('Hi'), text('Hi')],
    [
      'an embedded text',
      { type: 'resource', resource: { uri: 'file:///a', text: '<b>x</b>', mimeType: 'text/html' } },
      text('<b>x</b>'),
    ],
    [
      'a link',
      { type: 'resource_link', uri: 'https://a.example/', name: 'a' },
      { type: 'link', uri: 'https://a.example/', title: 'a' },
    ],
    [
      'a link with a title',
      { type: 'resource_link', uri: 'demo://1', name: 'a', title: 'A' },
      { type: 'link', uri: 'demo://1', title: 'A' },
    ],
    ...Object.entries(pictures).map(([mimeType, data]): [string, ContentBlock, object] => [
      mimeType,
      image(data, mimeType),
      { type: 'image', data, mimeType },
    ]),
    ['an embedded picture', blob(png, 'image/png'), { type: 'image', data: png, mimeType: 'image/png' }],
  ])('is passed on unchanged: %s', ([, block, part]) => {
    expect(toResultParts([block])).toEqual([part]);
  });

  test.for<[string, ContentBlock]>([
    ['a sound', { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }],
    ['an SVG', image(base64('<svg onload="alert(1)"/>'), 'image/svg+xml')],
    ['HTML in place of a picture', image(base64('<script>alert(1)</script>'), 'text/html')],
    ['HTML with a picture type', image(base64('<script>alert(1)</script>'), 'image/png')],
    ['an SVG with another picture type', image(base64('<svg/>'), 'image/webp')],
    ['a JPEG with the type of a PNG', image(pictures['image/jpeg']!, 'image/png')],
    ['a picture with text after its type', image(png, 'image/png;base64,AAAA"><script>')],
    ['a picture whose type is a built-in property name', image(png, 'constructor')],
    ['invalid base64', image(`${png}"onerror=`, 'image/png')],
    ['an address in place of base64', image('https://evil.example/a.png', 'image/png')],
    ['a picture without data', image('', 'image/png')],
    ['a picture of more than 4 MB', image(png.padEnd(4_000_004, 'A'), 'image/png')],
    ['a file', blob('AAAA', 'application/pdf')],
    ['a file without a type', blob('AAAA')],
    ['a file with a type of megabytes', blob('AAAA', 'x'.repeat(1e6))],
    [
      'a link of megabytes',
      { type: 'resource_link', uri: `https://a.example/${'x'.repeat(1e6)}`, name: 'a' },
    ],
  ])('is described instead of shown: %s', ([, block]) => {
    const parts = toResultParts([block]);
    expect(parts).toHaveLength(1);
    notShown(parts[0]);
    expect(JSON.stringify(parts).length).toBeLessThan(200);
  });

  test('has a title of limited length if it is a link', () => {
    const [link] = toResultParts([{ type: 'resource_link', uri: 'demo://1', name: 'n'.repeat(1e6) }]);
    expect(JSON.stringify(link).length).toBeLessThan(400);
  });
});

describe('a result with very many parts', () => {
  test('shows eight pictures and says how many parts were left out', () => {
    const parts = toResultParts(Array.from({ length: 1_000 }, () => image(png, 'image/png')));
    expect(parts.filter(({ type }) => type === 'image')).toHaveLength(8);
    expect(parts.at(-1)).toEqual(text('[992 more parts of the result were left out, or cut.]'));
    expect(parts).toHaveLength(9);
  });

  test('limits links and texts in number and length', () => {
    const link: ContentBlock = { type: 'resource_link', uri: 'demo://1', name: 'a' };
    expect(toResultParts(Array.from({ length: 300 }, () => link))).toHaveLength(101);
    const short = toResultParts(Array.from({ length: 200_000 }, () => text('x')));
    expect(short.length).toBeLessThan(600);
    const sounds = toResultParts(
      Array.from({ length: 10_000 }, (): ContentBlock => ({ type: 'audio', data: 'A', mimeType: 'a' })),
    );
    expect(sounds.length).toBeLessThan(600);
    const long = toResultParts(Array.from({ length: 5 }, () => text('x'.repeat(900_000))));
    expect(long.map((part) => part.type === 'text' && part.text.length)).toEqual([
      900_000, 900_000, 200_000, 51,
    ]);
  });

  test('says so if a part was cut', () => {
    expect(toResultParts([text('x'.repeat(2_000_001))]).at(-1)).toEqual(
      text('[1 more parts of the result were left out, or cut.]'),
    );
    expect(toResultParts([text('x'.repeat(2_000_000))])).toHaveLength(1);
  });

  test('keeps the order of its parts', () => {
    const kinds = toResultParts([text('a'), image(png, 'image/png'), text('b'), image(png, 'image/png')]).map(
      ({ type }) => type,
    );
    expect(kinds).toEqual(['text', 'image', 'text', 'image']);
  });
});

describe('the result of a call to a server', () => {
  test("contains the server's text, for success and failure", () => {
    expect(readCallResult(result([text('Hi')]))).toEqual({ content: [text('Hi')], isError: false });
    expect(readCallResult(result([text('No')], { isError: true }))).toEqual({
      content: [text('No')],
      isError: true,
      failure: 'server',
    });
  });

  test.for<[string, CallToolResult, string]>([
    ['some text', result([text('It is 5.')], { structuredContent: { sum: 5 } }), 'It is 5.'],
    ['no text', result([], { structuredContent: { sum: 5 } }), '{"sum":5}'],
    ['an empty text', result([text('')], { structuredContent: { sum: 5 } }), '{"sum":5}'],
    [
      'a part that is not shown',
      result([{ type: 'audio', data: 'A', mimeType: 'a/b' }], { structuredContent: { sum: 5 } }),
      '{"sum":5}',
    ],
  ])(
    'contains the structured content only if the server sends no text with it; content sent: %s',
    ([, given, said]) => {
      expect(readCallResult(given).content[0]).toEqual(text(said));
    },
  );

  test('contains only the beginning of very large structured content', () => {
    const [part] = readCallResult(result([], { structuredContent: { a: 'x'.repeat(3e6) } })).content;
    expect(part?.type === 'text' && part.text.length).toBe(2_000_000);
  });

  test.for<[string, ContentBlock[]]>([
    ['no parts', []],
    ['an empty text', [text('')]],
    ['many empty texts', Array.from({ length: 10_000 }, () => text(''))],
  ])('says that it is empty if it has %s', ([, content]) => {
    expect(readCallResult(result(content)).content).toEqual([text('The server answered with nothing.')]);
  });
});

test('a resource is returned as its texts and pictures, but an empty resource is an error', () => {
  expect(
    readResourceResult({
      contents: [
        { uri: 'a', text: 'Hi' },
        { uri: 'b', blob: png, mimeType: 'image/png' },
      ],
    }),
  ).toMatchObject({ isError: false, content: [text('Hi'), { type: 'image' }] });
  for (const contents of [[], [{ uri: 'a', text: '' }]])
    expect(readResourceResult({ contents })).toMatchObject({ isError: true, failure: 'no-text' });
});

test.for<[string, string, string, boolean]>([
  ['a WebP that is cut before its marker', base64('RIFF\x10\0\0\0'), 'image/webp', false],
  ['the first bytes of a PNG', base64('\x89PNG\r\n\x1a\n'), 'image/png', true],
  ['less than the first bytes of a PNG', base64('\x89PNG'), 'image/png', false],
  ['one letter', 'A', 'image/png', false],
  ['URL-safe base64', png.replaceAll('/', '_').replace('i', '-'), 'image/png', false],
  ['a line break', `${png.slice(0, 8)}\n${png.slice(8)}`, 'image/png', false],
  ['a type in capitals', png, 'IMAGE/PNG', false],
])("a picture's bytes are checked against the declared type: %s", ([, data, mimeType, isPicture]) => {
  expect(hasPictureBytes(data, mimeType)).toBe(isPicture);
});

const tool = (changed: Partial<Tool> = {}): Tool => ({
  name: 'echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...changed,
});
const readOne = async (changed: Partial<Tool> = {}) => (await readTools([tool(changed)]))[0]!;
const hashOf = async (changed: Partial<Tool> = {}) => (await readOne(changed)).hash;
const parsed = (json: string) => JSON.parse(json) as Tool['inputSchema'];
const nested = (depth: number) => parsed(`${'{"type":"object","a":'.repeat(depth)}{}${'}'.repeat(depth)}`);

describe("the hash of a server's tool", () => {
  test('ignores the order of object keys', async () => {
    const hash = await hashOf({ inputSchema: parsed('{"type":"object","properties":{"a":{},"b":{}}}') });
    expect(hash).toMatch(/^[\da-f]{64}$/);
    expect(await hashOf({ inputSchema: parsed('{"properties":{"b":{},"a":{}},"type":"object"}') })).toBe(
      hash,
    );
    const turned = { inputSchema: tool().inputSchema, description: 'Says it again.', name: 'echo' };
    expect((await readTools([turned]))[0]?.hash).toBe(await hashOf());
  });

  test.for<[string, Partial<Tool>]>([
    ['name', { name: 'echo2' }],
    ['title', { title: 'Echo' }],
    ['description', { description: 'Says it again!' }],
    ['description, by an invisible letter', { description: 'Says it again.\u200b' }],
    ['description, beyond the part that is stored', { description: 'x'.repeat(maxDescriptionLength) + 'y' }],
    ['schema', { inputSchema: { type: 'object', properties: { text: { type: 'number' } } } }],
    ['schema, by the order of choices', { inputSchema: { type: 'object', required: ['a', 'b'] } }],
    ['output schema', { outputSchema: { type: 'object' } }],
    ['hints', { annotations: { readOnlyHint: true } }],
    ['hints that are too long to store', { annotations: { title: 'x'.repeat(5_000) } }],
  ])('changes if the server changes this field of the tool: %s', async ([, changed]) => {
    expect(await hashOf(changed)).not.toBe(await hashOf());
  });

  test('depends on the order of a list, and on whether a value is a list or an object', async () => {
    const texts = [
      '{"type":"object","default":{"a":1}}',
      '{"type":"object","default":[["a",1]]}',
      '{"type":"object","default":{"fields":[["a",1]]}}',
      '{"type":"object","default":["a",1]}',
      '{"type":"object","default":[1,"a"]}',
      '{"type":"object","default":"a,1"}',
      '{"type":"object","default":{"__proto__":1}}',
      '{"type":"object","default":{}}',
    ];
    const hashes = await Promise.all(texts.map((text) => hashOf({ inputSchema: parsed(text) })));
    expect(new Set(hashes).size).toBe(texts.length);
  });
});

describe('a tool from a server', () => {
  test('is stored as the server sent it', async () => {
    const outputSchema = { type: 'object' as const, properties: { sum: { type: 'number' } } };
    const annotations = { title: 'Echo', readOnlyHint: true };
    expect(await readOne({ outputSchema, annotations })).toMatchObject({
      name: 'echo',
      definition: {
        title: 'Echo',
        description: 'Says it again.',
        inputSchema: tool().inputSchema,
        outputSchema,
        hints: annotations,
      },
    });
    expect(await readOne({ title: 'Mine', annotations })).toMatchObject({ definition: { title: 'Mine' } });
    expect(await readOne()).not.toHaveProperty('unfit');
  });

  test.for<[string, string, () => Partial<Tool>]>([
    ['without a name', 'name', () => ({ name: '' })],
    ['with a blank for a name', 'name', () => ({ name: ' ' })],
    ['with a name that is too long', 'name', () => ({ name: 'x'.repeat(129) })],
    ['with a line break in its name', 'name', () => ({ name: 'a\nb' })],
    ['with an invisible letter in its name', 'name', () => ({ name: 'a\u200bb' })],
    ['with a name that reverses the text direction', 'name', () => ({ name: 'a\u202eb' })],
    [
      'with a description that is too long',
      'too-long',
      () => ({ description: 'x'.repeat(maxDescriptionLength + 1) }),
    ],
    ['with a description of 10 MB', 'too-long', () => ({ description: 'x'.repeat(10_000_000) })],
    [
      'with a schema of 70 kB',
      'too-long',
      () => ({ inputSchema: { type: 'object', description: 'x'.repeat(70_000) } }),
    ],
    [
      'with an output schema of 70 kB',
      'too-long',
      () => ({ outputSchema: { type: 'object', description: 'x'.repeat(70_000) } }),
    ],
    ['with a deep schema', 'schema', () => ({ inputSchema: nested(30) })],
    ['with a schema 10,000 deep', 'schema', () => ({ inputSchema: nested(10_000) })],
    ['with a deep output schema', 'schema', () => ({ outputSchema: nested(10_000) })],
  ])('is unusable %s; the reason is "%s"', async ([, unfit, changed]) => {
    const read = await readOne(changed());
    expect(read).toMatchObject({ unfit, definition: { inputSchema: {} } });
    expect(read.definition).not.toHaveProperty('outputSchema');
    expect(JSON.stringify(read).length).toBeLessThan(maxDescriptionLength + 1_000);
  });

  test('is usable if it is exactly at the limits', async () => {
    const read = await readOne({ name: 'x'.repeat(128), description: 'y'.repeat(maxDescriptionLength) });
    expect(read).not.toHaveProperty('unfit');
    expect(await readOne({ name: '搜索' })).not.toHaveProperty('unfit');
  });

  test('is stored without hints that are too long', async () => {
    const long = await readOne({ annotations: { title: 'x'.repeat(5_000) } });
    expect(long).toMatchObject({ definition: { title: 'x'.repeat(128), hints: {} } });
    const deep = JSON.parse(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`) as object;
    expect((await readOne({ annotations: deep })).definition.hints).toEqual({});
  });
});

test('a tool from a server is skipped if its name is a duplicate', async () => {
  const read = await readTools([tool(), tool({ description: 'Another.' }), tool({ name: 'other' })]);
  expect(read.map(({ name }) => name)).toEqual(['echo', 'other']);
  expect(read[0]?.definition.description).toBe('Says it again.');
  const long = 'x'.repeat(128);
  expect(await readTools([tool({ name: `${long}a` }), tool({ name: `${long}b` })])).toHaveLength(1);
});

test('only the first five hundred tools of a server are read, and unusable tools do not affect the others', async () => {
  const many = Array.from({ length: 1_002 }, (_, at) =>
    tool({ name: `tool ${at}`, ...(at % 2 === 0 && { inputSchema: nested(1_000) }) }),
  );
  const read = await readTools(many);
  expect(read).toHaveLength(500);
  expect(read.filter(({ unfit }) => unfit === undefined)).toHaveLength(250);
});
