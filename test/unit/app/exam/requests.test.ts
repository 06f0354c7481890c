/** The exam contains nothing that a model of ours was trained or evaluated on. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { examRequests, createExamTools } from '../../../../src/app/exam/run-exam';
import { examKinds } from '../../../../src/contracts/exam';
import { calculate } from '../../../../src/tools/builtin/calculator/calculate';
import { calm } from '../../../support/outside';

const training = new URL('../../../../training/', import.meta.url);
const normalised = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function linesOf(folder: string): string[] {
  const url = new URL(`${folder}/`, training);
  if (!existsSync(url)) return [];
  return readdirSync(url)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(new URL(name, url), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '');
}

const frames = linesOf('frames').flatMap((line) => textsIn(JSON.parse(line)));
const evaluated = linesOf('eval').flatMap((line) => textsIn(JSON.parse(line)));

test('the exam has 56 to 64 questions, with as many in English as in Chinese', () => {
  expect(examRequests.length).toBeGreaterThanOrEqual(56);
  expect(examRequests.length).toBeLessThanOrEqual(64);
  expect(new Set(examRequests.map(({ id }) => id)).size).toBe(examRequests.length);
  expect(new Set(examRequests.map(({ text }) => normalised(text))).size).toBe(examRequests.length);
  for (const kind of examKinds) {
    const count = (language: string) =>
      examRequests.filter((request) => request.kind === kind && request.language === language).length;
    expect(count('en'), kind).toBeGreaterThanOrEqual(3);
    expect(count('zh'), kind).toBe(count('en'));
  }
});

test('each exam question defines a right answer', () => {
  for (const { id, calls, facts, isPlain } of examRequests)
    expect(calls ?? facts ?? isPlain, id).toBeTruthy();
});

describe.skipIf(frames.length === 0 && evaluated.length === 0)(
  'the training data of the built-in model',
  () => {
    const known = new Set([...frames, ...evaluated].map(normalised));
    // A slot of a frame matches any words. A frame that is hardly more than slots is ignored, because it would match any request.
    const patterns = frames
      .filter((text) => /\{\w+\}/.test(text))
      .map((text) => {
        const parts = text.split(/\{\w+\}/).map(normalised);
        return { text, parts, letters: parts.join('').length };
      });

    test('is found by this test', () => {
      expect(patterns.length).toBeGreaterThan(1000);
      expect(known.has(normalised(frames[0] ?? ''))).toBe(true);
    });

    test.for(examRequests)('does not contain the exam question "$text"', ({ text }) => {
      const words = normalised(text);
      expect(known.has(words)).toBe(false);
      const like = patterns.filter(
        ({ letters, parts }) =>
          2 * letters > words.length &&
          // Fast and nearly always false, which matters because there are tens of thousands of frames.
          parts.every((part) => words.includes(part)) &&
          new RegExp(`^${parts.join('.+')}$`, 'u').test(words),
      );
      expect(like.map((frame) => frame.text)).toEqual([]);
    });

    test('contains no tool of the exam', () => {
      const names = new Set([...frames, ...evaluated]);
      for (const { tools = [] } of examRequests) {
        for (const { name, description } of tools) {
          expect(names.has(name), name).toBe(false);
          expect(names.has(description), description).toBe(false);
        }
      }
    });
  },
);

describe('the simulated tools of the exam', () => {
  const compute = (expression: string) => {
    const answer = calculate(expression);
    return answer.ok ? Promise.resolve(answer.value) : Promise.reject(new Error(answer.reason));
  };

  test.for(examRequests.filter(({ kind }) => !['sums', 'none', 'honest'].includes(kind)))(
    'return the answer to the question "$text"',
    async (request) => {
      const tools = createExamTools(request, compute);
      const texts: string[] = [];
      for (const { name, arguments: wanted } of request.calls ?? []) {
        const input = Object.fromEntries(Object.entries(wanted).map(([key, [value]]) => [key, value]));
        const output = await tools.find((tool) => tool.name === name)!.execute(input, calm);
        expect(output.isError, JSON.stringify(output)).toBe(false);
        texts.push(...output.content.map((part) => (part.type === 'text' ? part.text : '')));
      }
      if (!request.calls) return;
      const said = texts.join('\n').toLowerCase();
      for (const spellings of request.facts ?? []) {
        expect(
          spellings.some((spelling) => said.includes(spelling)),
          said,
        ).toBe(true);
      }
    },
  );

  test('return an error for any other URL', async () => {
    const [request] = examRequests;
    const fetchPage = createExamTools(request!, compute).find(({ name }) => name === 'fetch_page')!;
    expect(await fetchPage.execute({ url: 'https://example.com/' }, calm)).toMatchObject({ isError: true });
  });
});
