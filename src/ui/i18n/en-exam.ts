/** What is said of the exam of models, in English. */
import type { ExamKind } from '../../contracts/exam';

export const enExam = {
  begin: 'Test this model',
  stop: 'Stop the test',
  instead: 'Stop that test, begin this one',
  show: 'Show the exam',
  about:
    'Requests of ours, in English and Chinese, asked on this device. Nothing is sent anywhere: what the tools give is made up for it.',
  starting: 'The model is being started.',
  progress: (done: string, of: string, right: string) => `${done} of ${of} asked, ${right} right.`,
  progressOf: (name: string) => `Test of ${name}`,
  waiting: 'It waits: a chat is being answered, and a model gives one reply at a time.',
  broken: (done: string, of: string) =>
    `Stopped after ${done} of ${of}. “Test this model” goes on from there.`,
  finished: (right: string, of: string) => `Exam: ${right} of ${of} right.`,
  busy: (name: string) =>
    `${name} is being tested, and a model gives one reply at a time. Stop that test to begin this one: it can go on later.`,
  elsewhere: 'A model is being tested in another tab. Wait for it, or stop it there.',
  replaced: 'Another model was loaded, so the test has stopped.',
  kept: 'What was answered is kept. “Test this model” goes on from there.',
  table: 'Exam',
  request: 'Requests',
  kinds: {
    sums: 'Sums',
    time: 'The time',
    search: 'A search',
    page: 'A web page',
    custom: 'Tools it has never seen',
    several: 'Several calls',
    chain: 'One call after another',
    none: 'No call needed',
    honest: 'Nothing made up',
  } satisfies Record<ExamKind, string>,
  english: 'In English',
  chinese: 'In Chinese',
  all: 'All',
  share: (right: string, of: string) => `${right} of ${of}`,
  asked: 'Asked what was meant',
  speed: 'Tokens a second',
  firstToken: 'Until the first',
  date: 'Tested',
  none: 'none',
  noMistakes: 'Nothing went wrong.',
  mistakes: (count: string) => `What went wrong: ${count}`,
  expected: {
    calls: (calls: string) => `Expected the call ${calls}.`,
    noCall: 'Expected an answer without a call.',
    facts: (facts: string) => `Expected an answer with ${facts}.`,
    plain: 'Expected no figure that stands in no result.',
  },
  came: {
    choice: 'It asked what was meant, and that was not among what it could offer.',
    calls: (calls: string) => `It called ${calls}.`,
    noCall: 'It called nothing.',
    text: (text: string) => `It said: ${text}`,
    noText: 'It said nothing.',
    invented: (figure: string) => `It made up ${figure}.`,
    failed: (detail: string) => `It gave no answer: ${detail}`,
  },
};

export type ExamWords = typeof enExam;
