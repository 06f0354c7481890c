/** The exam on the Models page: its button, its progress, its table and its mistakes. */
import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/contracts/app-error';
import type { ExamAnswer, ExamRecord } from '../../src/contracts/exam';
import type { ExamFunctions } from '../../src/state/exams.svelte';
import { emberCard, kept, modelCard } from './model-cards';
import { phone, show } from './show';
import { slow } from '../support/matrix';

const answer = (id: string, changed: Partial<ExamAnswer> = {}): ExamAnswer => ({
  id,
  kind: 'sums',
  language: 'en',
  isAsked: false,
  outputTokens: 20,
  decodeMs: 1000,
  firstTokenMs: 80,
  ...changed,
});
const wrong = answer('time-zh-1', {
  kind: 'time',
  language: 'zh',
  firstTokenMs: 90,
  mistake: {
    request: '开罗几点了？',
    expected: {
      calls: [{ name: 'clock', arguments: { place: '开罗' } }],
      facts: ['08:40'],
      isPlain: false,
    },
    came: { calls: [{ name: 'clock', arguments: {} }], text: 'It is 06:40.' },
  },
});
const run = (updatedAt: number, answers: ExamAnswer[], of = answers.length) => ({
  set: 'a',
  of,
  updatedAt,
  answers,
});
const embers: ExamRecord = {
  modelId: 'ember',
  modelName: 'Ember',
  finished: run(1_764_000_000_000, [answer('sums-en-1'), wrong]),
};
const qwen = modelCard('Qwen', { kept });
const qwens: ExamRecord = {
  modelId: 'Qwen',
  modelName: 'Qwen',
  finished: run(1_765_000_000_000, [
    answer('sums-en-1'),
    answer('time-zh-1', { kind: 'time', language: 'zh' }),
  ]),
};

type Running = { model: string; options: Parameters<ExamFunctions['run']>[1] };

/** `end` ends the running exam successfully, or with the passed error. */
function fakeExams(records: ExamRecord[] = [], isElsewhere = false) {
  const removed: string[] = [];
  const begun: Running[] = [];
  let settle: (error?: Error) => void = () => undefined;
  const functions: ExamFunctions = {
    list: async () => records,
    remove: async (id) => void removed.push(id),
    run: ({ id }, options) => {
      begun.push({ model: id, options });
      if (isElsewhere) return Promise.resolve('elsewhere');
      return new Promise((resolve, reject) => {
        settle = (error) => (error ? reject(error) : resolve('ended'));
        options.signal.addEventListener('abort', () => resolve('ended'));
      });
    },
  };
  return { functions, begun, removed, end: (error?: Error) => settle(error) };
}

async function open(exams = fakeExams(), size?: typeof phone) {
  const staged = await show({
    shelf: { cards: [emberCard, qwen, modelCard('Other')], diagnosis: [] },
    examFunctions: exams.functions,
    ...(size && { size }),
  });
  location.hash = '#/models';
  const { screen } = staged;
  const article = (name: string) => screen.getByRole('article', { name, exact: true });
  const button = (id: string, name: string) => article(id).getByRole('button', { name, exact: true });
  await expect.element(button('ember', 'Test this model')).toBeVisible();
  const cells = () =>
    [...(screen.getByRole('table', { name: 'Exam' }).element() as HTMLTableElement).rows].map((row) =>
      [...row.cells].map(({ textContent }) => textContent.trim()),
    );
  return { ...staged, ...exams, article, button, cells };
}

describe('the "Test this model" button', () => {
  test('appears only on models that are on this device', async () => {
    const { article, button } = await open();
    await expect.element(button('Qwen', 'Test this model')).toBeVisible();
    await expect.element(article('Other')).toBeVisible();
    expect(button('Other', 'Test this model').query()).toBeNull();
  });

  slow('starts the exam, shows its progress, and can stop and resume it', async () => {
    const { article, button, begun } = await open();
    await button('ember', 'Test this model').click();
    await expect.element(article('ember').getByRole('status').last()).toHaveTextContent('being started');
    const first = begun[0]!;
    expect(first.model).toBe('ember');
    first.options.onRecord({
      modelId: 'ember',
      modelName: 'Ember',
      begun: run(1, [answer('sums-en-1'), wrong], 60),
    });
    await expect.element(article('ember').getByText('2 of 60 asked, 1 right.')).toBeVisible();
    await expect.element(article('ember').getByRole('progressbar', { name: 'Test of Ember' })).toBeVisible();
    first.options.onWaiting(true);
    await expect.element(article('ember').getByText(/a chat is being answered/)).toBeVisible();
    first.options.onWaiting(false);
    await button('ember', 'Stop the test').click();
    await expect.element(article('ember').getByText(/^Stopped after 2 of 60\./)).toBeVisible();
    expect(first.options.signal.aborted).toBe(true);
    await button('ember', 'Test this model').click();
    await expect.poll(() => begun.length).toBe(2);
  });

  slow('warns that another model is being tested and can stop that test', async () => {
    const { article, button, begun } = await open();
    await button('ember', 'Test this model').click();
    await button('Qwen', 'Test this model').click();
    await expect
      .element(article('Qwen').getByRole('alert'))
      .toHaveTextContent('Ember is being tested, and a model gives one reply at a time.');
    expect(begun.map(({ model }) => model)).toEqual(['ember']);
    await button('Qwen', 'Stop that test, begin this one').click();
    await expect.element(button('Qwen', 'Stop the test')).toBeVisible();
    expect(begun.map(({ model, options }) => [model, options.signal.aborted])).toEqual([
      ['ember', true],
      ['Qwen', false],
    ]);
  });

  slow('reports that another tab is testing a model', async () => {
    const { article, button } = await open(fakeExams([], true));
    await button('ember', 'Test this model').click();
    await expect.element(article('ember').getByRole('alert')).toHaveTextContent('in another tab');
  });

  slow('explains why an exam failed and that its answers so far are saved', async () => {
    const { article, button, begun, end } = await open();
    await button('ember', 'Test this model').click();
    begun[0]!.options.onRecord({ modelId: 'ember', modelName: 'Ember', begun: run(1, [wrong], 60) });
    end(new AppError('engine-crashed', 'It is gone.'));
    const alert = article('ember').getByRole('alert');
    await expect
      .element(alert)
      .toHaveTextContent(/^Ember broke down.*It is gone\..*What was answered is kept\./);
    await expect.element(button('ember', 'Test this model')).toBeVisible();
  });
});

describe('the table of exam results', () => {
  test('lists every tested model with its scores, speed and test date', async () => {
    const { cells } = await open(fakeExams([embers, qwens]));
    await expect.poll(() => document.querySelectorAll('table').length).toBe(1);
    const rows = cells();
    expect(rows[0]).toEqual(['Requests', 'Qwen', 'Ember']);
    const row = (name: string) => rows.find(([first]) => first === name);
    expect(row('Sums')).toEqual(['Sums', '1 of 1', '1 of 1']);
    expect(row('The time')).toEqual(['The time', '1 of 1', '0 of 1']);
    expect(row('A search')).toEqual(['A search', 'none', 'none']);
    expect(row('In Chinese')).toEqual(['In Chinese', '1 of 1', '0 of 1']);
    expect(row('All')).toEqual(['All', '2 of 2', '1 of 2']);
    expect(row('Tokens a second')).toEqual(['Tokens a second', '20', '20']);
    expect(row('Until the first')).toEqual(['Until the first', '80 ms', '90 ms']);
    expect(row('Tested')?.[2]).toMatch(/2025/);
  });

  slow('shows the chosen model first and describes its mistakes in sentences', async () => {
    const { article, button, cells } = await open(fakeExams([embers, qwens]));
    await expect.element(article('Qwen').getByText('Nothing went wrong.')).toBeVisible();
    await expect.element(article('ember').getByText('Exam: 1 of 2 right.')).toBeVisible();
    await button('ember', 'Show the exam').click();
    expect(cells()[0]).toEqual(['Requests', 'Ember', 'Qwen']);
    await article('ember').getByText('What went wrong: 1').click();
    await expect
      .element(article('ember').getByRole('listitem'))
      .toHaveTextContent(
        /开罗几点了？.*Expected the call clock \{"place":"开罗"\}\. Expected an answer with 08:40\..*It called clock \{\}\. It said: It is 06:40\./,
      );
  });

  test('opens when an exam ends, with the tested model first', async () => {
    const { button, begun, cells, end } = await open(fakeExams([qwens]));
    await button('ember', 'Test this model').click();
    begun[0]!.options.onRecord(embers);
    end();
    await expect.poll(() => cells()[0]).toEqual(['Requests', 'Ember', 'Qwen']);
  });

  slow('no longer shows the results of a deleted model', async () => {
    const { exams, button, begun, cells, removed } = await open(fakeExams([embers, qwens]));
    await button('Qwen', 'Test this model').click();
    await exams.forget('Qwen');
    expect(begun[0]!.options.signal.aborted).toBe(true);
    expect(removed).toEqual(['Qwen']);
    await expect.poll(() => cells()[0]).toEqual(['Requests', 'Ember']);
  });

  test('fits a phone screen', async () => {
    const many = [1, 2, 3, 4].map((at) => ({
      ...qwens,
      modelId: `M${at}`,
      modelName: `A model with a name ${at}`,
    }));
    const { screen } = await open(fakeExams([embers, ...many]), phone);
    await expect
      .element(screen.getByText('Show the exam').or(screen.getByRole('table')).first())
      .toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(phone[0]);
    const main = screen.getByRole('main').element();
    expect(main.scrollWidth).toBeLessThanOrEqual(main.clientWidth);
  });
});
