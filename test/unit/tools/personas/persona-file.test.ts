/** What a stranger may have written: whatever it is, it is refused in words, and nothing is thrown. */
import { describe, expect, test } from 'vitest';
import type { PersonaContent } from '../../../../src/contracts/persona';
import { gallery } from '../../../../src/tools/personas/gallery';
import { readPersonaFile, writePersonaFile } from '../../../../src/tools/personas/persona-file';
import { personaContent } from '../../../support/persona';
import { malformedFiles } from './malformed-files';

describe('a persona as a file', () => {
  test.for<{ name: string; content: PersonaContent }>([
    { name: 'a plain one', content: personaContent('Writer') },
    {
      name: 'all that one can have',
      content: personaContent('写作者 🦊', {
        model: { id: 'm', name: 'M', engine: 'llama', place: 'gpu', bytes: 7, isSmall: true },
        sampling: { temperature: 0.7, topP: 0.9 },
        ...{ language: 'zh', tools: ['clock', 'my_tool'], areCardsFolded: true, isTool: true },
        questions: ['春天是什么样的？', 'What’s new? 👩‍🚀'],
        inputSchema: { type: 'object', properties: { topic: { type: 'string' } }, required: [] },
        outputSchema: { type: 'array', items: { type: 'number' } },
      }),
    },
    ...gallery.flatMap(({ en, zh }) => [en, zh]).map((content) => ({ name: content.name, content })),
  ])('comes back as it went: $name', ({ content }) => {
    expect(readPersonaFile(writePersonaFile(content))).toEqual({ ok: true, value: content });
  });

  test('what this version does not know is left out', () => {
    const file = { kind: 'hearth-persona', version: 1, more: 1, persona: { ...personaContent('A'), x: 1 } };
    expect(readPersonaFile(JSON.stringify(file))).toEqual({ ok: true, value: personaContent('A') });
  });
});

test.for([
  ['five', ['a', 'b', 'c', 'd', 'e'], 'too-large'],
  ['a long one', ['a'.repeat(301)], 'too-large'],
  ['one that is sent otherwise than it is seen', ['Hello\u202e olleh'], 'damaged'],
  ['one with a line in it', ['Hello\nThere'], 'damaged'],
] as const)('of first questions %s is refused', ([, questions, problem]) => {
  const text = writePersonaFile(personaContent('A', { questions: [...questions] }));
  expect(readPersonaFile(text)).toMatchObject({ ok: false, problem });
});

describe('200 files that are no persona', () => {
  test('are 200, each another', () => {
    expect(new Set(malformedFiles.map(({ text }) => text)).size).toBe(malformedFiles.length);
    expect(malformedFiles.length).toBeGreaterThanOrEqual(200);
  });

  test.for(malformedFiles)('$name', ({ text, problem }) => {
    expect(readPersonaFile(text)).toEqual({
      ok: false,
      problem,
      reason: expect.stringMatching(/\S/) as unknown,
    });
  });
});
