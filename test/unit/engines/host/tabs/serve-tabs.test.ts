/** The queue of an engine: one reply at a time, for all tabs. */
import { expect, test } from 'vitest';
import type { ModelEvent } from '../../../../../src/contracts/model';
import { createGuestModel } from '../../../../../src/engines/host/tabs/guest-model';
import {
  type GuestMessage,
  type OwnerMessage,
  serveTabs,
} from '../../../../../src/engines/host/tabs/serve-tabs';
import type { RunningModel } from '../../../../../src/engines/host/running-model';
import { openChannelPair } from '../../../../../src/platform/channels';
import { askTab, createGate, tabRequest, tabSpec } from '../../../../support/tab-stage';

const ignore = () => undefined;

/** Two guests of one engine, which logs its replies, lets them wait for `goOn`, and ignores Stop. */
function stage(goOn: Promise<void>) {
  const log: string[] = [];
  const own: RunningModel = {
    load: async () => undefined,
    measure: () => Promise.reject(new Error('Not used.')),
    async *respond({ toolChoice }, signal): AsyncGenerator<ModelEvent> {
      log.push(`begins ${JSON.stringify(toolChoice)}`);
      yield { type: 'text-delta', text: 'half' };
      await goOn;
      log.push(`ends ${JSON.stringify(toolChoice)}`);
      const content = [{ type: 'text' as const, text: 'half' }];
      const message = { role: 'assistant' as const, content };
      const finishReason = signal.aborted ? ('aborted' as const) : ('stop' as const);
      const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
      yield { type: 'finish', message: { ...message, finishReason }, usage };
    },
    close: ignore,
  };
  const server = serveTabs(tabSpec, own, ignore);
  let ids = 0;
  const guests = ['one', 'two'].map(() =>
    createGuestModel({
      open(onMessage) {
        const { near, open } = openChannelPair<OwnerMessage, GuestMessage>(onMessage);
        server.welcome(open);
        return near;
      },
      newId: () => String(ids++),
      onSilence: ignore,
      onOver: ignore,
    }),
  );
  return { log, guests };
}

test('replies for several tabs run one at a time, and stopping a queued reply ends it at once', async () => {
  const { promise, end } = createGate();
  const { log, guests } = stage(promise);
  const stop = new AbortController();
  const first = askTab(guests[0]!);
  const stopped = askTab(guests[1]!, stop.signal);
  const last = askTab(guests[1]!, undefined, { ...tabRequest, toolChoice: 'none' });
  await expect.poll(() => log).toEqual(['begins "auto"']);
  stop.abort();
  expect(await stopped).toMatchObject({ said: '', end: { message: { finishReason: 'aborted' } } });
  end();
  await Promise.all([first, last]);
  expect(log).toEqual(['begins "auto"', 'ends "auto"', 'begins "none"', 'ends "none"']);
});

test('invariant: Stop ends a reply at once, and the next reply waits until the engine has stopped', async () => {
  const { promise, end } = createGate();
  const { log, guests } = stage(promise);
  const stop = new AbortController();
  const queued: boolean[] = [];
  const stopped = askTab(guests[0]!, stop.signal);
  const next = askTab({
    respond: (request, signal) => guests[1]!.respond(request, signal, (isQueued) => queued.push(isQueued)),
  });
  await expect.poll(() => queued).toEqual([true]);
  stop.abort();
  expect(await stopped).toMatchObject({ said: 'half', end: { message: { finishReason: 'aborted' } } });
  // From here on, the guest itself detects an engine that hangs.
  expect(queued).toEqual([true, false]);
  expect(log).toEqual(['begins "auto"']);
  end();
  expect(await next).toMatchObject({ end: { message: { finishReason: 'stop' } } });
});
