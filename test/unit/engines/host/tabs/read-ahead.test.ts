/** Tabs that share a model: a reply that only reads ahead yields to every other request. */
import { expect, test, vi } from 'vitest';
import { createGate, askTab, stageTabs, tabRequest } from '../../../../support/tab-stage';

const aheadOf = (tab: ReturnType<typeof stageTabs>['tabs'][number], signal = new AbortController().signal) =>
  askTab(tab.model, signal, { ...tabRequest, onlyRead: true });

test.for([
  { who: 'the same tab', at: 1 },
  { who: 'the tab that owns the engine', at: 0 },
  { who: 'a third tab', at: 2 },
])(
  'a prefill request is interrupted by a question from $who, and the question is answered',
  async ({ at }) => {
    const { log, tabs } = stageTabs({ hasRead: createGate().promise });
    await Promise.all(tabs.map(({ load }) => load()));
    const reading = aheadOf(tabs[1]!);
    await vi.waitFor(() => expect(log).toContain('a reads ahead'));
    expect((await askTab(tabs[at]!.model)).said).toHaveLength(30);
    expect(await reading).toMatchObject({ said: '', end: { message: { finishReason: 'aborted' } } });
    expect(log.slice(1)).toEqual(['a reads ahead', 'a stops reading', 'a begins', 'a ends']);
  },
);

test('a second prefill request stops the first one', async () => {
  const { end, promise: hasRead } = createGate();
  const { log, tabs } = stageTabs({ hasRead });
  await Promise.all(tabs.map(({ load }) => load()));
  const first = aheadOf(tabs[1]!);
  await vi.waitFor(() => expect(log).toContain('a reads ahead'));
  const second = aheadOf(tabs[2]!);
  expect(await first).toMatchObject({ end: { message: { finishReason: 'aborted' } } });
  end();
  expect(await second).toMatchObject({ said: '', end: { message: { finishReason: 'stop' } } });
});

test('a prefill request waits for the reply before it', async () => {
  const { end, promise: goOn } = createGate();
  const { log, tabs } = stageTabs({ goOn });
  await Promise.all(tabs.map(({ load }) => load()));
  const answer = askTab(tabs[1]!.model);
  await vi.waitFor(() => expect(log).toContain('a begins'));
  const reading = aheadOf(tabs[2]!);
  end();
  expect((await answer).said).toHaveLength(30);
  expect(await reading).toMatchObject({ end: { message: { finishReason: 'stop' } } });
  expect(log.slice(1)).toEqual(['a begins', 'a ends', 'a reads ahead', 'a has read']);
});

test('a finished prefill request does not affect later replies', async () => {
  const { log, tabs } = stageTabs();
  await Promise.all(tabs.map(({ load }) => load()));
  expect(await aheadOf(tabs[1]!)).toMatchObject({ end: { message: { finishReason: 'stop' } } });
  const answers = await Promise.all([askTab(tabs[1]!.model), askTab(tabs[2]!.model)]);
  expect(answers.map(({ said }) => said.length)).toEqual([30, 30]);
  expect(log).not.toContain('a stops reading');
});

test('a question cancels a prefill request that is still queued', async () => {
  const { end, promise: goOn } = createGate();
  const { log, tabs } = stageTabs({ goOn });
  await Promise.all(tabs.map(({ load }) => load()));
  const first = askTab(tabs[1]!.model);
  await vi.waitFor(() => expect(log).toContain('a begins'));
  const reading = aheadOf(tabs[2]!);
  const second = askTab(tabs[3]!.model);
  end();
  expect(await reading).toMatchObject({ said: '', end: { message: { finishReason: 'aborted' } } });
  expect([(await first).said.length, (await second).said.length]).toEqual([30, 30]);
  expect(log).not.toContain('a reads ahead');
});
