import { expect, test, vi } from 'vitest';
import { createSlow } from '../../../../src/tools/builtin/slow';
import { createBuiltinTools } from '../../../../src/tools/registry';
import { builtinParts } from '../../../support/outside';

const names = () => createBuiltinTools(builtinParts()).map(({ name }) => name);

test('it waits, says each second how long it has, and then what it did', async () => {
  vi.useFakeTimers();
  const progress: string[] = [];
  const answer = createSlow().execute(
    { ms: 2500 },
    { signal: new AbortController().signal, onProgress: (text) => progress.push(text) },
  );
  await vi.advanceTimersByTimeAsync(2499);
  expect(progress).toEqual(['waited 1000 ms', 'waited 2000 ms']);
  await vi.advanceTimersByTimeAsync(1);
  expect(await answer).toEqual({ content: [{ type: 'text', text: 'waited 2500 ms' }], isError: false });
  vi.useRealTimers();
});

test('it stops when told', async () => {
  const stop = new AbortController();
  const answer = createSlow().execute({ ms: 60_000 }, { signal: stop.signal, onProgress: () => undefined });
  stop.abort(new Error('stopped'));
  await expect(answer).rejects.toThrow('stopped');
});

test('it counts as a change only where it says so', () => {
  const slow = createSlow();
  expect(slow.effects({ ms: 1, changes: true })).toEqual({ type: 'side-effect' });
  expect(slow.effects({ ms: 1 })).toEqual({ type: 'pure' });
});

test('it is registered in the build for end-to-end tests only', () => {
  const shipped = names();
  expect(shipped).not.toContain('slow');
  vi.stubEnv('MODE', 'e2e');
  expect(names()).toEqual([...shipped, 'slow']);
  vi.unstubAllEnvs();
});
