/** Checks whether the browser has its own model, and downloads it. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { downloadBrowserModel, findBrowserModelState } from '../../../../src/engines/browser-model/api';
import { installPromptApi } from '../../../support/fake-prompt-api';

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'LanguageModel');
  vi.restoreAllMocks();
});
const never = () => new Promise<never>(() => undefined);
const neverAborts = new AbortController().signal;

describe("the state of the browser's own model", () => {
  test('it is "no model" if the browser lacks the API', async () =>
    expect(await findBrowserModelState()).toBeUndefined());

  test('it is "no model" if an unrelated API has the same name', async () => {
    Object.assign(globalThis, { LanguageModel: { create: 5 } });
    expect(await findBrowserModelState()).toBeUndefined();
  });

  test('it is "no model" if the browser denies this page access to it', async () => {
    const refuse = () => Promise.reject(new DOMException('No.', 'NotAllowedError'));
    Object.assign(globalThis, { LanguageModel: { availability: refuse, create: refuse } });
    expect(await findBrowserModelState()).toBeUndefined();
  });

  test('it is "no model" if the browser never answers', async () => {
    Object.assign(globalThis, { LanguageModel: { availability: never, create: never } });
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    expect(await findBrowserModelState()).toBeUndefined();
  });

  test('it is "no model" if the API throws before it returns a promise', async () => {
    const fail = () => {
      throw new TypeError('Not ready.');
    };
    Object.assign(globalThis, { LanguageModel: { availability: fail, create: fail } });
    expect(await findBrowserModelState()).toBeUndefined();
  });

  test.for([
    ['available', 'here'],
    ['downloading', 'coming'],
    ['downloadable', 'can-come'],
    ['unavailable', 'unfit'],
  ] as const)(
    'it follows from the availability that the browser reports: availability "%s" becomes state "%s"',
    async ([availability, state]) => {
      installPromptApi({ availability });
      expect(await findBrowserModelState()).toBe(state);
    },
  );

  test('it is "here" even if the model does not know English', async () => {
    installPromptApi({ availability: 'available', languages: ['ja'] });
    expect(await findBrowserModelState()).toBe('here');
  });
});

describe("the download of the browser's model", () => {
  test('it reports its progress and ends when the model is available', async () => {
    const fake = installPromptApi({ availability: 'downloadable', needsNoPress: true });
    const shares: number[] = [];
    const fetching = downloadBrowserModel(neverAborts, (share) => shares.push(share));
    await expect.poll(() => shares).toEqual([0]);
    fake.progress(0.5);
    fake.progress(1);
    await fetching;
    expect(shares).toEqual([0, 0.5, 1]);
    expect(await findBrowserModelState()).toBe('here');
    expect(fake.creates.map(({ isDestroyed }) => isDestroyed)).toEqual([true]);
  });

  test('its progress can be tracked without a click if it is already running', async () => {
    const fake = installPromptApi({ availability: 'downloading' });
    const shares: number[] = [];
    const fetching = downloadBrowserModel(neverAborts, (share) => shares.push(share));
    await expect.poll(() => shares).toEqual([0]);
    fake.progress(1);
    await fetching;
  });

  test('it reports no more progress after an abort, although the browser continues', async () => {
    const fake = installPromptApi({ availability: 'downloadable', needsNoPress: true });
    const stop = new AbortController();
    const shares: number[] = [];
    const fetching = downloadBrowserModel(stop.signal, (share) => shares.push(share));
    await expect.poll(() => shares).toEqual([0]);
    stop.abort();
    await expect(fetching).rejects.toMatchObject({ name: 'AbortError' });
    fake.progress(0.9);
    expect(shares).toEqual([0]);
    expect(await findBrowserModelState()).toBe('coming');
  });

  test.for<[string, object]>([
    ['the availability', { availability: never, create: never }],
    ['the session', { availability: async () => 'downloadable', create: never }],
  ])('it can be stopped while the browser does not answer: %s', async ([, api]) => {
    Object.assign(globalThis, { LanguageModel: api });
    const stop = new AbortController();
    const fetching = downloadBrowserModel(stop.signal, () => undefined);
    stop.abort();
    await expect(fetching).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('a failure is reported with an error code', async () => {
    const fake = installPromptApi({ availability: 'downloadable', needsNoPress: true });
    let begun = false;
    const fetching = downloadBrowserModel(neverAborts, () => (begun = true));
    const failed = expect(fetching).rejects.toMatchObject({ code: 'browser-model-download' });
    await expect.poll(() => begun).toBe(true);
    fake.failDownload();
    await failed;
  });

  test('it fails if the browser has no model, if the device is unsuitable, or if a click is needed', async () => {
    await expect(downloadBrowserModel(neverAborts, () => undefined)).rejects.toMatchObject({
      code: 'browser-too-old',
    });
    installPromptApi({ availability: 'unavailable' });
    await expect(downloadBrowserModel(neverAborts, () => undefined)).rejects.toMatchObject({
      code: 'browser-model-unfit',
    });
    Object.assign(globalThis, {
      LanguageModel: {
        availability: () => Promise.resolve('downloadable'),
        create: () => Promise.reject(new DOMException('A press is needed.', 'NotAllowedError')),
      },
    });
    await expect(downloadBrowserModel(neverAborts, () => undefined)).rejects.toMatchObject({
      code: 'browser-model-refused',
    });
  });
});
