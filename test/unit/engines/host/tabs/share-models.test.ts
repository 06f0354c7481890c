import { expect, test, vi } from 'vitest';
import { AppError } from '../../../../../src/contracts/app-error';
import { createGate, askTab, stageTabs, tabSpec } from '../../../../support/tab-stage';
import { slow } from '../../../../support/matrix';

const ignore = () => undefined;

test('five tabs share one engine and get their replies one after another', async () => {
  const { log, tabs } = stageTabs();
  await Promise.all(tabs.map(({ load }) => load()));
  expect(log).toEqual([`a loads ${tabSpec.id}`]);
  const said = await Promise.all(tabs.map(({ model }) => askTab(model)));
  expect(said.map(({ said }) => said.length)).toEqual([30, 30, 30, 30, 30]);
  expect(log.slice(1)).toEqual(Array.from({ length: 5 }, () => ['a begins', 'a ends']).flat());
  const summary = { messages: 4, text: 'Notes.', by: 'rule' as const, origins: [], nonce: 'n' };
  expect(await tabs[3]!.model.measure([], [], summary)).toMatchObject({
    limitTokens: 100,
    summedUpMessages: 4,
  });
});

test('invariant: when the tab with the engine dies, another tab loads it and waiting tabs ask again', async () => {
  const { browser, log, tabs } = stageTabs({ goOn: createGate().promise });
  await Promise.all(tabs.map(({ load }) => load()));
  const [, b, c] = tabs as [(typeof tabs)[0], (typeof tabs)[0], (typeof tabs)[0]];
  const asking = askTab(b.model);
  await vi.waitFor(() => expect(log).toContain('a begins'));
  browser.kill('a');
  await expect(asking).rejects.toMatchObject({ code: 'engine-moved' });
  await vi.waitFor(() => expect(c.lost).toEqual(['engine-moved']));
  expect(b.lost).toEqual(['engine-moved']);
  b.again();
  c.again();
  await Promise.all([b.load(), c.load()]);
  expect((await askTab(c.model)).said).toHaveLength(30);
  expect(log.filter((line) => line.includes('loads'))).toEqual([
    `a loads ${tabSpec.id}`,
    `b loads ${tabSpec.id}`,
  ]);
  expect(browser.holders('engine:')).toEqual(['b']);
});

test('if a tab dies while it loads the engine, the next tab loads it', async () => {
  const { browser, log, tabs } = stageTabs();
  const first = tabs[0]!.load();
  first.catch(ignore);
  await vi.waitFor(() => expect(log).toHaveLength(1));
  const second = tabs[1]!.load();
  await vi.waitFor(() => expect(browser.holders('engine-guest:')).toHaveLength(1));
  browser.kill('a');
  await second;
  expect(log.filter((line) => line.includes('loads'))).toHaveLength(2);
  expect((await askTab(tabs[1]!.model)).said).toHaveLength(30);
});

test('a tab that gets no response takes over the engine from a sleeping tab', async () => {
  vi.useFakeTimers();
  try {
    const { browser, log, tabs } = stageTabs();
    const loads = Promise.all(tabs.map(({ load }) => load()));
    await vi.advanceTimersByTimeAsync(1000);
    await loads;
    browser.freeze('a');
    const asking = askTab(tabs[1]!.model);
    asking.catch(ignore);
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(asking).rejects.toMatchObject({ code: 'engine-moved' });
    expect(browser.holders('engine:')).toEqual(['b']);
    tabs[1]!.again();
    const load = tabs[1]!.load();
    await vi.advanceTimersByTimeAsync(1000);
    await load;
    expect(log.filter((line) => line.includes('loads'))).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

/** Repeats a request if the engine moved, as a turn does. */
async function sayTillAnswered({ model, again, load }: ReturnType<typeof stageTabs>['tabs'][number]) {
  let asked = model;
  for (let moves = 0; ; moves++) {
    try {
      return { ...(await askTab(asked)), moves };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'engine-moved') throw error;
      asked = again();
      await load();
    }
  }
}

test('if two tabs get no response, one takes over the engine and the other uses it', async () => {
  vi.useFakeTimers();
  try {
    const { browser, log, tabs } = stageTabs();
    const [, b, c] = tabs;
    const loads = Promise.all([tabs[0]!, b!, c!].map(({ load }) => load()));
    await vi.advanceTimersByTimeAsync(1000);
    await loads;
    browser.freeze('a');
    const answers = Promise.all([b!, c!].map(sayTillAnswered));
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await answers).map(({ said, moves }) => [said.length, moves])).toEqual([
      [30, 1],
      [30, 1],
    ]);
    expect(browser.holders('engine:')).toHaveLength(1);
    expect(log.filter((line) => line.includes('loads'))).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('a tab that slept while the engine moved finds the new owner instead of taking over', async () => {
  vi.useFakeTimers();
  try {
    const { browser, log, tabs } = stageTabs();
    const [a, b, c] = tabs;
    for (const tab of [a!, b!, c!]) {
      const load = tab.load();
      await vi.advanceTimersByTimeAsync(100);
      await load;
    }
    const answer = sayTillAnswered(c!);
    // A frozen tab misses messages while the engine moves from tab to tab.
    browser.freeze('c');
    browser.kill('a');
    await vi.advanceTimersByTimeAsync(100);
    browser.wake('c');
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await answer).said).toHaveLength(30);
    expect(browser.holders('engine:')).toEqual(['b']);
    expect(log.filter((line) => line.includes('loads'))).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('the tab that owns the engine ignores a late message from a former owner', async () => {
  vi.useFakeTimers();
  try {
    const { end, promise: goOn } = createGate();
    const { browser, log, tabs } = stageTabs({ goOn });
    const [a] = tabs;
    const load = a!.load();
    await vi.advanceTimersByTimeAsync(100);
    await load;
    const answer = sayTillAnswered(a!);
    await vi.advanceTimersByTimeAsync(100);
    // A late message from an engine that is gone.
    browser.linksOf('z').openChannel(browser.lobby(), ignore).post({ type: 'here', holder: 'z-1' });
    await vi.advanceTimersByTimeAsync(100);
    end();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await answer).toMatchObject({ moves: 0 });
    expect(log.filter((line) => line.includes('loads'))).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

slow('Stop ends only the reply of its own tab, and at once if that reply is queued', async () => {
  const { promise: goOn, end } = createGate();
  const { log, tabs } = stageTabs({ words: 60, goOn });
  await Promise.all(tabs.map(({ load }) => load()));
  const stops = tabs.map(() => new AbortController());
  const asking = tabs.map(({ model }, at) => askTab(model, stops[at]!.signal));
  await vi.waitFor(() => expect(log).toContain('a begins'));
  stops[2]!.abort();
  const stopped = await asking[2]!;
  expect(stopped).toMatchObject({ said: '', end: { message: { finishReason: 'aborted' } } });
  stops[0]!.abort();
  expect((await asking[0]!).said.length).toBeLessThan(60);
  end();
  for (const at of [1, 3, 4]) expect((await asking[at]!).said).toHaveLength(60);
  expect(log.filter((line) => line === 'a begins')).toHaveLength(4);
});

slow('an engine that its own tab no longer needs runs as long as another tab uses it', async () => {
  const { browser, log, tabs } = stageTabs();
  await tabs[0]!.load();
  await tabs[1]!.load();
  tabs[0]!.model.close(new AppError('load-cancelled', 'Another model.'));
  expect((await askTab(tabs[1]!.model)).said).toHaveLength(30);
  expect(log).not.toContain('a closes');
  tabs[1]!.model.close(new AppError('load-cancelled', 'Another model.'));
  await vi.waitFor(() => expect(log).toContain('a closes'));
  await vi.waitFor(() => expect(browser.holders('engine')).toEqual([]), { timeout: 5000 });
});

test('an engine closes when the last tab that uses it is killed', async () => {
  const { browser, log, tabs } = stageTabs();
  await tabs[0]!.load();
  await tabs[1]!.load();
  tabs[0]!.model.close(new AppError('load-cancelled', 'Another model.'));
  browser.kill('b');
  await vi.waitFor(() => expect(log).toContain('a closes'));
});

test('an engine that stops responding is terminated for all tabs', async () => {
  const { log, tabs } = stageTabs();
  await tabs[0]!.load();
  await tabs[1]!.load();
  tabs[1]!.model.close(new AppError('engine-timeout', 'No sign of life.'));
  await vi.waitFor(() => expect(tabs[0]!.lost).toEqual(['engine-timeout']));
  expect(log).toContain('a closes');
  tabs[1]!.again();
  await tabs[1]!.load();
  expect((await askTab(tabs[1]!.model)).said).toHaveLength(30);
});

test('two different models run in separate engines', async () => {
  const { browser, log, tabs } = stageTabs();
  await tabs[0]!.load();
  const other = tabs[1]!.open({ ...tabSpec, id: 'other' });
  await other.load({ ...tabSpec, id: 'other' }, ignore);
  expect(log.filter((line) => line.includes('loads'))).toHaveLength(2);
  expect(browser.holders('engine:')).toEqual(['a', 'b']);
});

test('every tab sees the progress of a model load', async () => {
  const { promise: whole, end } = createGate();
  const { tabs } = stageTabs({ whole });
  const some = tabs.slice(0, 3);
  const loading = Promise.all(some.map(({ load }) => load()));
  await expect.poll(() => some.map(({ progress }) => progress)).toEqual([[1], [1], [1]]);
  end();
  await loading;
});
