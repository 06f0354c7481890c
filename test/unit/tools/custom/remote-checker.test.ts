import { expect, test } from 'vitest';
import { createToolChecker } from '../../../../src/tools/custom/remote-checker';
import { checkerApi } from '../../../../src/tools/custom/serve-checks';
import { writeToolFile } from '../../../../src/tools/custom/tool-file';
import { createChannelWorkers } from '../../../support/channel-worker';
import { slugify } from './definition';

const { signal } = new AbortController();
const limits = { startMs: 10_000, answerMs: 250 };
const hang = () => new Promise<never>(() => undefined);
const hanging = { ...checkerApi, readFile: hang, checkDefinition: hang, checkJson: hang };
const tooSlow = 'The check took longer than 0.25 s and was ended';
const fileOf = (tool: object) => new Blob([JSON.stringify({ kind: 'hearth-tool', version: 1, tool })]);

test('a single worker checks tool files, tool definitions and values', async () => {
  const { workers, startWorker } = createChannelWorkers(checkerApi);
  const checker = createToolChecker(startWorker);
  expect(await checker.readFile(new Blob([writeToolFile(slugify)]))).toEqual({ ok: true, value: slugify });
  expect(await checker.checkDefinition(slugify, ['slugify'], signal)).toMatchObject([{ code: 'name-taken' }]);
  const options = { isClosed: true, signal };
  const { inputSchema } = slugify;
  expect(await checker.checkJson(inputSchema, '{"title":"a"}', options)).toEqual({
    ok: true,
    value: '{"title":"a","style":"dash"}',
  });
  expect(await checker.checkJson(inputSchema, '{}', options)).toMatchObject({ ok: false });
  expect(workers).toMatchObject([{ isEnded: false }]);
});

test('invariant: a tool check that takes too long is ended together with its worker', async () => {
  const { workers, startWorker } = createChannelWorkers(hanging, hanging, hanging, checkerApi);
  const checker = createToolChecker(startWorker, limits);
  const options = { isClosed: true, signal };
  const file = await checker.readFile(fileOf(slugify));
  const behind = await Promise.all([
    checker.checkDefinition(slugify, [], signal),
    checker.checkJson({}, '1', options),
    checker.checkJson({ type: 'integer' }, '1', options),
  ]);
  expect(file).toEqual({ ok: false, problem: 'not-read', reason: tooSlow });
  expect(behind).toEqual([
    [{ field: 'examples', code: 'example', detail: tooSlow }],
    { ok: false, reason: tooSlow },
    { ok: true, value: '1' },
  ]);
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true, true, false]);
});

test('an abort ends a tool check at once', async () => {
  const { workers, startWorker } = createChannelWorkers(hanging);
  const stop = new AbortController();
  const checked = createToolChecker(startWorker).checkJson({}, '1', { isClosed: true, signal: stop.signal });
  stop.abort();
  await expect(checked).rejects.toBe(stop.signal.reason);
  expect(workers.length === 0 || workers[0]?.isEnded).toBe(true);
});

test.for([
  { what: 'a film', file: new Blob([new Uint8Array(1_000_001)]), says: 'more than 1000000 characters' },
  { what: 'half a file', file: new Blob(['{"kind":']), says: 'SyntaxError' },
  {
    what: 'an example of 60,000 items',
    file: fileOf({
      ...slugify,
      examples: [{ request: '', arguments: { list: Array<number>(60_000).fill(0) } }],
    }),
    says: 'examples: more than 100000',
  },
  {
    what: 'code of 200,000 characters',
    file: fileOf({ ...slugify, code: 'x'.repeat(200_000) }),
    says: 'code: more than',
  },
  {
    what: '400,000 numbers instead of host names',
    file: fileOf({ ...slugify, hosts: Array<number>(400_000).fill(0) }),
    says: 'Too much of it is wrong',
  },
])('a tool file is refused with an understandable reason: $what', async ({ file, says }) => {
  const { startWorker } = createChannelWorkers(checkerApi);
  const read = await createToolChecker(startWorker, { startMs: 10_000, answerMs: 10_000 }).readFile(file);
  expect(read).toMatchObject({ ok: false, reason: expect.stringContaining(says) });
  expect(JSON.stringify(read).length).toBeLessThan(2_000);
});
