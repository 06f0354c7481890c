import { expect, test, vi } from 'vitest';
import { createExamRequest, type ExamRequest } from '../../../../src/app/exam/requests';
import { computeExamSetId, type ExamOptions, runExam } from '../../../../src/app/exam/run-exam';
import { createChatActivity } from '../../../../src/app/model-access';
import { AppError, writeError } from '../../../../src/contracts/app-error';
import type { ExamAnswer, ExamRun } from '../../../../src/contracts/exam';

// The worker's security policies need a page.
vi.mock('../../../../src/platform/start-worker', () => ({}));

const requests = [1, 2, 3, 4].map((at) =>
  createExamRequest('en', 'sums', at, `Request ${at}`, { facts: [[String(at)]] }),
);
const ids = requests.map(({ id }) => id);

const answerTo = ({ id, kind, language }: ExamRequest, error?: string): ExamAnswer => ({
  id,
  kind,
  language,
  isAsked: false,
  outputTokens: 3,
  decodeMs: 30,
  ...(error !== undefined && {
    mistake: {
      request: id,
      expected: { facts: [], isPlain: false },
      came: { calls: [], text: '', error },
    },
  }),
});
const crashed = writeError(new AppError('engine-crashed', 'It is gone.'));

function stage(changed: Partial<ExamOptions> = {}) {
  const asked: string[] = [];
  const saved: ExamRun[] = [];
  const abort = new AbortController();
  const options: ExamOptions = {
    requests,
    set: 'a',
    withSmallModel: false,
    begun: undefined,
    async ask(request) {
      asked.push(request.id);
      return answerTo(request);
    },
    whenQuiet: async (signal) => {
      signal.throwIfAborted();
      return new AbortController().signal;
    },
    save: async (run) => void saved.push(run),
    date: () => 5,
    signal: abort.signal,
    ...changed,
  };
  return { asked, saved, abort, options };
}

test('an exam asks each question once and saves each answer at once', async () => {
  const { asked, saved, options } = stage();
  const run = await runExam(options);
  expect(asked).toEqual(ids);
  expect(saved.map(({ answers }) => answers.length)).toEqual([1, 2, 3, 4]);
  expect(run).toEqual(saved.at(-1));
  expect(run).toMatchObject({ set: 'a', of: 4, updatedAt: 5 });
});

test('an exam stopped during a question resumes with that question', async () => {
  const first = stage();
  const run = await runExam({
    ...first.options,
    async ask(request) {
      if (request.id === ids[2]) first.abort.abort();
      return answerTo(request);
    },
  });
  expect(run.answers.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const second = stage({ begun: first.saved.at(-1) });
  const whole = await runExam(second.options);
  expect(second.asked).toEqual(ids.slice(2));
  expect(whole.answers.map(({ id }) => id)).toEqual(ids);
});

test("an exam starts over if its questions or the model's weights have changed", async () => {
  const begun = {
    set: computeExamSetId(requests, 10),
    of: 4,
    updatedAt: 1,
    answers: [answerTo(requests[0]!)],
  };
  for (const set of [computeExamSetId(requests, 11), computeExamSetId(requests.slice(1), 10)]) {
    const { asked, options } = stage({ begun, set });
    await runExam(options);
    expect(asked).toEqual(ids);
  }
  const { asked, options } = stage({ begun, set: computeExamSetId(requests, 10) });
  await runExam(options);
  expect(asked).toEqual(ids.slice(1));
});

test('an exam question interrupted by a chat is asked again afterwards', async () => {
  const quiet = createChatActivity();
  const { asked, abort, options } = stage({ whenQuiet: quiet.whenQuiet });
  let broken = 0;
  const run = await runExam({
    ...options,
    async ask(request, signal) {
      asked.push(request.id);
      if (request.id === ids[1] && broken === 0) {
        const end = quiet.begin();
        broken += Number(signal.aborted);
        queueMicrotask(end);
      }
      return answerTo(request);
    },
  });
  expect(broken).toBe(1);
  expect(abort.signal.aborted).toBe(false);
  expect(asked).toEqual([ids[0], ids[1], ids[1], ids[2], ids[3]]);
  expect(run.answers.map(({ id }) => id)).toEqual(ids);
});

test('an exam can be stopped while it waits for a chat to end', async () => {
  const quiet = createChatActivity();
  quiet.begin();
  const { asked, abort, options } = stage({ whenQuiet: quiet.whenQuiet });
  const running = runExam(options);
  abort.abort();
  expect((await running).answers).toEqual([]);
  expect(asked).toEqual([]);
});

test('an exam question is asked once more if the model fails', async () => {
  const { asked, options } = stage();
  const run = await runExam({
    ...options,
    async ask(request) {
      asked.push(request.id);
      const isFirst = asked.filter((id) => id === request.id).length === 1;
      return answerTo(request, request.id === ids[1] && isFirst ? crashed : undefined);
    },
  });
  expect(asked).toEqual([ids[0], ids[1], ids[1], ids[2], ids[3]]);
  expect(run.answers.filter(({ mistake }) => mistake)).toEqual([]);
});

test('two failed exam questions in a row end the exam with an error', async () => {
  const { saved, options } = stage();
  const always = async (request: ExamRequest) => answerTo(request, crashed);
  await expect(runExam({ ...options, ask: always })).rejects.toMatchObject({ code: 'engine-crashed' });
  expect(saved.at(-1)?.answers.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const again = stage({ begun: saved.at(-1) });
  await runExam(again.options);
  expect(again.asked).toEqual(ids.slice(2));
});

test('an exam question too long for the model counts as a mistake without ending the exam', async () => {
  const { options } = stage();
  const long = writeError(new AppError('message-too-long', 'Too long.'));
  const run = await runExam({ ...options, ask: async (request) => answerTo(request, long) });
  expect(run.answers).toHaveLength(4);
});

test('an exam ends with an error if an answer cannot be saved', async () => {
  const full = new AppError('storage-full', 'No room.');
  const { options } = stage({ save: () => Promise.reject(full) });
  await expect(runExam(options)).rejects.toBe(full);
});
