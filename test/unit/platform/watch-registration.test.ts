/** Updates between two versions of the app, with fakes of the page and its service workers. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AppUpdate } from '../../../src/contracts/app-update';
import { watchRegistration } from '../../../src/platform/watch-registration';

type Asked = [worker: string, message: string];

/** Replies to each message with a prepared answer, if there is one. */
class Worker extends EventTarget {
  readonly name: string;
  readonly answers: Record<string, unknown>;
  constructor(name: string, answers: Record<string, unknown> = {}) {
    super();
    this.name = name;
    this.answers = answers;
  }
  postMessage(message: string, [port]: MessagePort[] = []) {
    asked.push([this.name, message]);
    if (message in this.answers) port?.postMessage(this.answers[message]);
  }
}

interface Registration extends EventTarget {
  installing?: Worker;
  waiting?: Worker;
  active?: Worker;
}

let asked: Asked[];
let reload: ReturnType<typeof vi.fn>;
let registration: Registration;
let container: EventTarget & { controller: unknown };

const knows = (news: unknown) => ({ 'list-news': news, 'let-go': true });

beforeEach(() => {
  asked = [];
  reload = vi.fn();
  registration = Object.assign(new EventTarget(), { active: new Worker('old', knows(['Lamps'])) });
  container = Object.assign(new EventTarget(), { controller: {} });
  vi.stubGlobal('location', { reload });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const begin = (told: AppUpdate[]) =>
  watchRegistration(
    container as unknown as ServiceWorkerContainer,
    registration as unknown as ServiceWorkerRegistration,
    (update) => told.push(update),
  );

/** Returns all reported updates. `next` is already waiting if it is given. */
async function watch(next?: Worker): Promise<AppUpdate[]> {
  if (next) registration.waiting = next;
  const told: AppUpdate[] = [];
  const watching = begin(told);
  const isSilent = [next, registration.active].some((worker) => worker && !('list-news' in worker.answers));
  if (isSilent) await vi.advanceTimersByTimeAsync(2_000);
  await watching;
  return told;
}

describe('a new app version that is waiting', () => {
  test('it is reported with the changelog headlines that the old version lacks', async () => {
    const told = await watch(new Worker('new', knows(['Oil', 'Wicks', 'Lamps'])));
    expect(told).toEqual([{ phase: 'ready', news: ['Oil', 'Wicks'], apply: expect.any(Function) }]);
  });

  test.for([
    { name: 'does not answer', answers: {} },
    { name: 'answers with something else', answers: knows([{ html: '<b>' }]) },
    { name: 'answers with too much', answers: knows(['x'.repeat(201)]) },
  ])('it is reported without headlines if one of the two versions $name', async ({ answers }) => {
    expect(await watch(new Worker('new', answers))).toMatchObject([{ phase: 'ready', news: [] }]);
    registration.active = new Worker('old', answers);
    asked = [];
    expect(await watch(new Worker('new', knows(['Oil'])))).toMatchObject([{ phase: 'ready', news: [] }]);
  });

  test('it is found even if the browser began to load it before the page started watching for updates', async () => {
    const next = new Worker('new', knows(['Oil']));
    registration.installing = next;
    const told = await watch();
    expect(told).toEqual([]);
    registration.waiting = next;
    next.dispatchEvent(new Event('statechange'));
    await vi.waitFor(() => expect(told).toMatchObject([{ phase: 'ready', news: ['Oil'] }]));
  });

  test('it is not reported as an update on the first visit', async () => {
    container.controller = null;
    registration.waiting = new Worker('new', knows(['Oil']));
    const told: AppUpdate[] = [];
    await begin(told);
    expect(told).toEqual([]);
  });
});

describe('the update to a new app version', () => {
  test('it first makes the old version abort its requests, then reloads the page', async () => {
    const told = await watch(new Worker('new', knows(['Oil'])));
    asked = [];
    told.at(-1)?.apply();
    expect(told.at(-1)?.phase).toBe('applying');
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(asked).toEqual([
      ['old', 'let-go'],
      ['new', 'apply-update'],
    ]);
    expect(reload).not.toHaveBeenCalled();
    container.dispatchEvent(new Event('controllerchange'));
    expect(reload).toHaveBeenCalledOnce();
  });

  test('it activates the newest version, even if an older one was reported', async () => {
    const told = await watch(new Worker('new', knows(['Oil'])));
    registration.waiting = new Worker('newest');
    told.at(-1)?.apply();
    await vi.waitFor(() => expect(asked.at(-1)).toEqual(['newest', 'apply-update']));
  });

  test('invariant: "Update now" goes ahead if the old version does not answer, and tells the user if the old version stays active', async () => {
    registration.active = new Worker('old', { 'list-news': [] });
    const told = await watch(new Worker('new', knows(['Oil'])));
    told.at(-1)?.apply();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(asked.at(-1)).toEqual(['new', 'apply-update']);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(told.at(-1)?.phase).toBe('held');
  });

  test('it only reloads the page if another tab has already applied the update', async () => {
    const told = await watch(new Worker('new', knows(['Oil'])));
    delete registration.waiting;
    container.dispatchEvent(new Event('controllerchange'));
    expect(told.at(-1)?.phase).toBe('elsewhere');
    expect(reload).not.toHaveBeenCalled();
    told.at(-1)?.apply();
    expect(reload).toHaveBeenCalledOnce();
  });
});
