/** What a download reports if something other than its files fails, and what the cards say about the user's own models. */
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/contracts/app-error';
import type { DownloadState } from '../../../../src/contracts/model-library';
import { Settings } from '../../../../src/contracts/settings';
import { catalog } from '../../../../src/engines/library/catalog';
import { createModelManager } from '../../../../src/engines/library/shelf';

const options: Parameters<typeof createModelManager>[0] = {
  downloader: { download: () => Promise.reject(new Error('not reached')) },
  shipped: [],
  settings: () => Settings.parse({}),
  device: () => Promise.resolve({ hasWebGpu: false } as never),
  freeBytes: () => Promise.resolve(undefined),
  // The user has not answered yet.
  askToPersist: () => new Promise(() => undefined),
  storeEngineCode: () => Promise.resolve(),
  now: () => 0,
  learn: () => Promise.resolve(),
  onDownload: () => undefined,
  onChange: () => Promise.resolve(),
};

async function endOf(fault: Error): Promise<DownloadState | undefined> {
  const states: (DownloadState | undefined)[] = [];
  const shelf = createModelManager({
    ...options,
    storeEngineCode: () => Promise.reject(fault),
    onDownload: (_, state) => states.push(state),
  });
  await shelf.download(catalog[0]!.variants[0].id);
  return states.at(-1);
}

test('a full disk is reported as the cause of a failed download', async () => {
  expect(await endOf(new AppError('storage-full', 'QuotaExceededError'))).toMatchObject({
    type: 'failed',
    failure: 'full',
  });
});

test('a download that fails with an unknown error is reported as a wrong or unreadable file', async () => {
  expect(await endOf(new SyntaxError('Unexpected token <'))).toMatchObject({
    type: 'failed',
    failure: 'wrong-file',
  });
});

test('the card of a base model says that it is one', async () => {
  const own = { engine: 'llama', modelUrl: 'https://a.org/m.gguf', overrides: {} };
  const ownModels = [
    { ...own, id: 'base', isBase: true },
    { ...own, id: 'chat' },
  ];
  const device = { gpu: 'none', isPersisted: true, isMobile: false, cores: 2, hasJspi: true } as const;
  const shelf = createModelManager({
    ...options,
    settings: () => Settings.parse({ ownModels }),
    device: () => Promise.resolve({ ...device, hasRelaxedSimd: true, isIsolated: false }),
  });
  const { cards } = await shelf.view();
  const isBase = (wanted: string) => cards.find(({ id }) => id === wanted)?.isBase ?? false;
  expect([isBase('base'), isBase('chat')]).toEqual([true, false]);
});
