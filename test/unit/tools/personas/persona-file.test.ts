/** Invalid files by strangers are refused with a message, and no error is thrown. */
import { describe, expect, test } from 'vitest';
import type { PersonaContent } from '../../../../src/contracts/persona';
import { galleryPersonas } from '../../../../src/tools/personas/gallery';
import { checkPersona, readPersonaFile, writePersonaFile } from '../../../../src/tools/personas/persona-file';
import { personaContent } from '../../../support/persona';
import { malformedFiles } from './malformed-files';

describe('a persona file', () => {
  test.for<{ name: string; content: PersonaContent }>([
    { name: 'a simple persona', content: personaContent('Writer') },
    {
      name: 'a persona with every field',
      content: personaContent('写作者 🦊', {
        model: { id: 'm', name: 'M', engine: 'llama', place: 'gpu', bytes: 7, isSmall: true },
        sampling: { temperature: 0.7, topP: 0.9 },
        language: 'zh',
        tools: ['clock', 'my_tool'],
        areCardsFolded: true,
        isTool: true,
        questions: ['春天是什么样的？', 'What’s new? 👩‍🚀'],
        inputSchema: { type: 'object', properties: { topic: { type: 'string' } }, required: [] },
        outputSchema: { type: 'array', items: { type: 'number' } },
      }),
    },
    ...galleryPersonas.flatMap(({ en, zh }) => [en, zh]).map((content) => ({ name: content.name, content })),
  ])('survives export and import: $name', ({ content }) => {
    expect(readPersonaFile(writePersonaFile(content))).toEqual({ ok: true, value: content });
  });

  test('ignores unknown fields', () => {
    const file = { kind: 'hearth-persona', version: 1, more: 1, persona: { ...personaContent('A'), x: 1 } };
    expect(readPersonaFile(JSON.stringify(file))).toEqual({ ok: true, value: personaContent('A') });
  });
});

test.for([
  ['five questions', ['a', 'b', 'c', 'd', 'e'], 'too-large'],
  ['a question that is too long', ['a'.repeat(301)], 'too-large'],
  ['a question with invisible characters', ['Hello\u202e olleh'], 'damaged'],
  ['one with a line in it', ['Hello\nThere'], 'damaged'],
] as const)('a persona file with invalid suggested questions is refused: %s', ([, questions, problem]) => {
  const text = writePersonaFile(personaContent('A', { questions: [...questions] }));
  expect(readPersonaFile(text)).toMatchObject({ ok: false, problem });
});

describe('200 invalid persona files', () => {
  test('are all different', () => {
    expect(new Set(malformedFiles.map(({ text }) => text)).size).toBe(malformedFiles.length);
    expect(malformedFiles.length).toBeGreaterThanOrEqual(200);
  });

  test.for(malformedFiles)('are refused with the right reason: $name', ({ text, problem }) => {
    expect(readPersonaFile(text)).toEqual({
      ok: false,
      problem,
      reason: expect.stringMatching(/\S/) as unknown,
    });
  });
});

const taken = ['clock', 'my_tool'];
const input = { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] };
const deep = { type: 'object', properties: { a: { type: 'object', properties: { b: input } } } };

describe('the function checkPersona', () => {
  test.for<{ name: string; changed: Partial<PersonaContent>; found: string[] }>([
    { name: 'only a name', changed: { description: '', instructions: '' }, found: [] },
    { name: 'no name', changed: { name: ' ' }, found: ['name: name-missing'] },
    { name: 'a name that is too long', changed: { name: 'x'.repeat(61) }, found: ['name: too-long'] },
    {
      name: 'instructions of 20,000 characters',
      changed: { instructions: 'x'.repeat(20_000) },
      found: [],
    },
    {
      name: 'instructions of more characters',
      changed: { instructions: 'x'.repeat(20_001) },
      found: ['instructions: too-long'],
    },
    {
      name: 'sampling at its limits',
      changed: { sampling: { temperature: 2, topP: 0.05 } },
      found: [],
    },
    {
      name: 'sampling beyond its limits',
      changed: { sampling: { temperature: 2.1, topP: 0 } },
      found: ['temperature: range', 'topP: range'],
    },
    {
      name: 'a temperature that is not a number',
      changed: { sampling: { temperature: NaN } },
      found: ['temperature: range'],
    },
    {
      name: 'too many tools',
      changed: { tools: Array(501).fill('x') },
      found: ['tools: too-long'],
    },
    { name: 'the role of a tool', changed: { name: 'Code reviewer', isTool: true }, found: [] },
    { name: 'the role of a tool and a Chinese name', changed: { name: '写作者', isTool: true }, found: [] },
    { name: 'the name of a tool, without being one', changed: { name: 'Clock' }, found: [] },
    {
      name: 'the name of another tool',
      changed: { name: 'My tool!', isTool: true },
      found: ['name: tool-name-taken'],
    },
    {
      name: 'a name that is reserved',
      changed: { name: 'Find tools', isTool: true },
      found: ['name: tool-name-reserved'],
    },
    {
      name: 'the reserved name of read_result',
      changed: { name: 'read_result', isTool: true },
      found: ['name: tool-name-reserved'],
    },
    {
      name: 'a tool name without letters',
      changed: { name: '🦊', isTool: true },
      found: ['name: tool-name-missing'],
    },
    {
      name: 'the role of a tool, without a description',
      changed: { isTool: true, description: 'Writes.' },
      found: ['description: description-short'],
    },
    {
      name: 'valid schemas',
      changed: { isTool: true, inputSchema: input, outputSchema: { type: 'string' } },
      found: [],
    },
    {
      name: 'invalid schemas',
      changed: { isTool: true, inputSchema: { type: 'string' }, outputSchema: deep },
      found: ['inputSchema.type: schema', 'outputSchema.properties.a.properties.b: schema'],
    },
    {
      name: 'an unreadable pattern',
      changed: {
        isTool: true,
        inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } },
      },
      found: ['inputSchema.properties.a.pattern: pattern'],
    },
    { name: 'an invalid schema that is not used', changed: { inputSchema: { type: 'string' } }, found: [] },
  ])('finds the problems of a persona with $name', ({ changed, found }) => {
    const problems = checkPersona(personaContent('Writer', changed), taken);
    expect(
      problems.map(({ field, place, code }) => `${field}${place === undefined ? '' : `.${place}`}: ${code}`),
    ).toEqual(found);
  });
});

describe('the gallery of personas', () => {
  test.for(galleryPersonas)(
    'contains a persona that is complete in each language: $en.name',
    ({ en, zh }) => {
      expect(checkPersona(en, taken)).toEqual([]);
      expect(checkPersona(zh, taken)).toEqual([]);
      const texts = {
        name: '',
        description: '',
        instructions: '',
        questions: [],
        inputSchema: {},
        outputSchema: {},
      };
      expect(en.questions?.length).toBe(zh.questions?.length);
      expect({ ...en, ...texts }).toEqual({ ...zh, ...texts });
      expect(`${zh.description}${zh.instructions}`).toMatch(/\p{Script=Han}/u);
      // The date comes from the clock tool, so no prompt contains a placeholder for it.
      expect(`${en.instructions}${zh.instructions}`).not.toContain('{{');
    },
  );

  test('contains a persona with an input and an output schema', () => {
    const typed = galleryPersonas.find(({ en }) => en.name === 'typed_writer')!;
    for (const { name, isTool, inputSchema, outputSchema } of [typed.en, typed.zh]) {
      expect([name, isTool, inputSchema?.['title'], outputSchema?.['title']]).toEqual([
        ...['typed_writer', true, 'ArticleRequest', 'ArticleOutput'],
      ]);
      expect(inputSchema?.['required']).toEqual(['topic', 'wordCount', 'style']);
      expect(outputSchema?.['required']).toEqual(['title', 'content', 'characterCount']);
    }
  });
});
