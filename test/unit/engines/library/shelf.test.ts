/** What a download reports if something other than its files fails. */
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/contracts/app-error';
import type { DownloadState } from '../../../../src/contracts/model-library';
import { Settings } from '../../../../src/contracts/settings';
import { catalog } from '../../../../src/engines/library/catalog';
import { createModelManager } from '../../../../src/engines/library/shelf';

async function endOf(fault: Error): Promise<DownloadState | undefined> {
  const states: (DownloadState | undefined)[] = [];
  const shelf = createModelManager({
    downloader: { download: () => Promise.reject(new Error('not reached')) },
    shipped: [],
    settings: () => Settings.parse({}),
    device: () => Promise.resolve({ hasWebGpu: false } as never),
    freeBytes: () => Promise.resolve(undefined),
    // The user has not answered yet.
    askToPersist: () => new Promise(() => undefined),
    storeEngineCode: () => Promise.reject(fault),
    now: () => 0,
    learn: () => Promise.resolve(),
    onDownload: (_, state) => states.push(state),
    onChange: () => Promise.resolve(),
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
