import { expect, test } from 'vitest';
import type { Sandbox } from '../../../../src/contracts/sandbox';
import { ownToolNames } from '../../../../src/contracts/tool-names';
import { checkerApi } from '../../../../src/tools/custom/serve-checks';
import { createWorkbench } from '../../../../src/tools/custom/workbench';
import { createChannelWorkers } from '../../../support/channel-worker';
import { slugify } from './definition';

const { signal } = new AbortController();

function workbenchWith(check: Sandbox['check']) {
  const none = () => Promise.reject(new Error('none'));
  return createWorkbench({
    sandbox: { check, run: none },
    egress: { send: none },
    secretOf: () => Promise.resolve(undefined),
    limits: { take: () => 0 },
    startChecker: createChannelWorkers(checkerApi).startWorker,
  });
}

test('a syntax error of a tool is reported with its line, together with other problems', async () => {
  const refusal = { ok: false, failure: 'SCRIPT', message: 'SyntaxError: x', line: 3 } as const;
  const { check } = workbenchWith(() => Promise.resolve(refusal));
  expect(await check({ ...slugify, title: '' }, [], signal)).toEqual([
    { field: 'title', code: 'title-missing', detail: 'it is empty' },
    { field: 'code', code: 'syntax', line: 3, detail: 'SyntaxError: x' },
  ]);
});

test('tool code that is too long is never parsed', async () => {
  const { check } = workbenchWith(() => Promise.reject(new Error('It was read.')));
  const problems = await check({ ...slugify, code: 'x'.repeat(100_001) }, [], signal);
  expect(problems).toMatchObject([{ field: 'code', code: 'too-long' }]);
});

test.for([...ownToolNames])(
  'a custom tool stored under a name that is now reserved gets another name: %s',
  async (name) => {
    const tool = {
      id: 'c',
      content: { ...slugify, name },
      isOn: true,
      createdAt: 1,
      updatedAt: 1,
      versions: [],
    };
    const offered = await workbenchWith(() => Promise.resolve(undefined)).toTools([tool], []);
    expect(offered.map((one) => one.name)).toEqual([`my_${name}`]);
  },
);
